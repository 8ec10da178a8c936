/** Plausible range of dates on these platforms. */
const EARLIEST_MS = Date.UTC(1990, 0, 1);
const LATEST_MS = Date.UTC(2200, 0, 1);

const TWEET = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d{1,2}) (\d{2}:\d{2}:\d{2}) ([+-]\d{2})(\d{2}) (\d{4})$/;
const ISO = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

const msOf = (value: unknown): number => {
  if (typeof value === 'number') return Math.abs(value) < 1e11 ? value * 1000 : value;
  if (typeof value !== 'string') return Number.NaN;
  const text = value.trim();
  if (/^\d{1,16}(\.\d+)?$/.test(text)) return msOf(Number(text));
  const tweet = TWEET.exec(text);
  if (tweet !== null) {
    const [, month, day, time, hours, minutes, year] = tweet;
    return Date.parse(`${day} ${month} ${year} ${time} GMT${hours}${minutes}`);
  }
  const iso = ISO.exec(text);
  if (iso === null) return Number.NaN;
  const [, date, time = '00:00:00', zone = 'Z'] = iso;
  // Without a zone it is UTC: the crawler's zone must not affect data.
  return Date.parse(`${date}T${time}${zone.toUpperCase()}`);
};

/**
 * Parses a time to ISO 8601 UTC with milliseconds, from seconds or milliseconds since 1970 (numbers or text), ISO
 * 8601 or X's format. Null otherwise, or outside of 1990–2200.
 */
export const parseInstant = (value: unknown): string | null => {
  const ms = msOf(value);
  return ms >= EARLIEST_MS && ms < LATEST_MS ? new Date(ms).toISOString() : null;
};
