import { instantOf } from '../kernel/postgres/instant.ts';

/**
 * Values as Postgres writes them, for the hot reads, which skip the driver's parsers: a Date made and printed again
 * costs more than cutting its text.
 */
export const RAW = { getTypeParser: () => (value: string) => value } as const;

export const rawInstant = (text: string | null): string | null => (text === null ? null : instantOf(text));

export const rawNumber = (text: string | null): number | null => (text === null ? null : Number(text));

export const rawBoolean = (text: string | null): boolean | null => (text === null ? null : text === 't');
