/**
 * Values as Postgres writes them, for the hot reads, which skip the driver's parsers: a Date made and printed again
 * costs more than cutting its text.
 */
export const RAW = { getTypeParser: () => (value: string) => value } as const;

/** `2026-11-21 08:42:07.12+00` → `2026-11-21T08:42:07.120Z`; the session's time zone is UTC. */
export const rawInstant = (text: string | null): string | null => {
  if (text === null) return null;
  const fraction = text.charCodeAt(19) === 46 ? text.slice(20, -3) : '';
  const ms = fraction.length >= 3 ? fraction.slice(0, 3) : fraction.padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${ms}Z`;
};

export const rawNumber = (text: string | null): number | null => (text === null ? null : Number(text));

export const rawBoolean = (text: string | null): boolean | null => (text === null ? null : text === 't');
