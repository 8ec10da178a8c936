/**
 * Values as Postgres writes them, for hot statements, which skip the driver's parsers: a Date made and printed again
 * costs more than cutting its text.
 */
export const RAW_TYPES = { getTypeParser: () => (value: string) => value } as const;
