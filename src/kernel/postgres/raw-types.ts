/**
 * Disables the driver's parsers, for statements whose rows are compared as text, or read a part of their columns for each request.
 */
export const RAW_TYPES = { getTypeParser: () => (value: string) => value } as const;
