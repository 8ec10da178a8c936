/** Digits that a JavaScript number may round. */
const LONG_NUMBER = /[\d.]{16,}/;

const asWritten = (_: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && source !== undefined && LONG_NUMBER.test(source) ? source : value;

/**
 * Parses JSON whose long numbers stay text as they are written, whatever else it has, so that no price and no ID is rounded.
 *
 * @throws {SyntaxError} if it is not JSON.
 */
export const parseRecords = (json: string): unknown =>
  LONG_NUMBER.test(json)
    ? JSON.parse(json, asWritten as (key: string, value: unknown) => unknown)
    : JSON.parse(json);
