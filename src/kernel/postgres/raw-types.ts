/**
 * Disables the driver's parsers for hot statements: constructing and formatting a Date costs more than cutting
 * Postgres's text.
 */
export const RAW_TYPES = { getTypeParser: () => (value: string) => value } as const;
