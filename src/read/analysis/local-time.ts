const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** 1970-01-01 was a Thursday: three days after a Monday. */
const TO_MONDAY = 3;

/** Offset of the time zone from UTC at an instant, in milliseconds. */
export type Offsets = (atMs: number) => number;

/** The same offset at all times, as one that is estimated from habits. */
export const fixedOffset =
  (minutes: number): Offsets =>
  () =>
    minutes * 60_000;

const zones = new Map<string, Offsets>();

/** "GMT+05:30" and "GMT". */
const parsedOffset = (name: string): number => {
  const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name);
  if (!match?.[1]) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * 60_000;
};

/**
 * Offsets of an IANA time zone. They are looked up once a day of UTC, so that the night in which clocks change belongs
 * to the day before.
 * @throws {RangeError} for an unknown zone.
 */
export const zoneOffsets = (timeZone: string): Offsets => {
  const known = zones.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const days = new Map<number, number>();
  const offsets: Offsets = (atMs) => {
    const day = Math.floor(atMs / DAY_MS);
    let offset = days.get(day);
    if (offset === undefined) {
      const name = format.formatToParts(day * DAY_MS).find(({ type }) => type === 'timeZoneName')?.value;
      offset = parsedOffset(name ?? 'GMT');
      days.set(day, offset);
    }
    return offset;
  };
  zones.set(timeZone, offsets);
  return offsets;
};

/** Local time of the week in hours from Monday 0:00, with fractions. */
export const weekHour = (atMs: number, offsets: Offsets): number => {
  const hours = (atMs + offsets(atMs)) / HOUR_MS + TO_MONDAY * 24;
  return ((hours % 168) + 168) % 168;
};
