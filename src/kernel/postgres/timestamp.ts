/**
 * Converts Postgres's text of a timestamptz, in a UTC session, to ISO 8601 with milliseconds. Cheaper than
 * constructing a Date. `2026-11-21 08:42:07.12+00` → `2026-11-21T08:42:07.120Z`
 */
export const timestampOf = (text: string): string => {
  const fraction = text.charCodeAt(19) === 46 ? text.slice(20, -3) : '';
  const ms = fraction.length >= 3 ? fraction.slice(0, 3) : fraction.padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${ms}Z`;
};
