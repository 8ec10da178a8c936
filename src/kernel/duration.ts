const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Milliseconds of `90s`, `15m`, `24h` or `7d`; null for any other text. */
export const durationMs = (text: string): number | null => {
  const match = /^(\d{1,9})([smhd])$/.exec(text);
  return match === null ? null : Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
};
