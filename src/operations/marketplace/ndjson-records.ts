import { type Line, linesOf } from './lines.ts';

/** A record of a file, or why it can't be read; with its line, and the text that it is of. */
export type FileRecord =
  | { readonly line: number; readonly text: string; readonly value: unknown; readonly reason?: undefined }
  | { readonly line: number; readonly text: string; readonly reason: string };

/** Digits that a JavaScript number may round. */
const LONG_NUMBER = /[\d.]{16,}/;

/** Keeps numbers as they are written, so that a price is never rounded. */
const asWritten = (_: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' ? source : value;

const parse = (text: string): unknown =>
  LONG_NUMBER.test(text)
    ? JSON.parse(text, asWritten as (key: string, value: unknown) => unknown)
    : JSON.parse(text);

const recordOf = (line: Line): FileRecord | null => {
  const { number, text } = line;
  if (text === null) return { line: number, text: '', reason: line.reason };
  if (text.trim() === '') return null;
  try {
    return { line: number, text, value: parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { line: number, text, reason: 'not JSON' };
  }
};

/** One JSON value a line; empty lines are skipped. */
export async function* ndjsonRecords(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<readonly FileRecord[], void, undefined> {
  for await (const lines of linesOf(chunks)) yield lines.flatMap((line) => recordOf(line) ?? []);
}
