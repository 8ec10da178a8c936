const HOUR_MS = 3_600_000;
/** Clocks of some zones change at half past an hour of UTC. */
const STEP_MS = HOUR_MS / 4;
/** 1970-01-01 was a Thursday: three days after a Monday. */
const TO_MONDAY = 3;
/** Zones, and times of each, that are remembered. */
const [MOST_ZONES, MOST_STEPS] = [64, 20_000];

/** Offset of the time zone from UTC at an instant, in milliseconds. */
export type Offsets = (atMs: number) => number;

/** The same offset at all times, as one that is estimated from habits. */
export const fixedOffset =
  (minutes: number): Offsets =>
  () =>
    minutes * 60_000;

export const UTC: Offsets = fixedOffset(0);

/** A time zone by its canonical name. */
export interface Zone {
  readonly name: string;
  readonly offsets: Offsets;
}

/** By canonical name, the one used last at the end. */
const zones = new Map<string, Zone>();

/** By the text of a request: a formatter takes longer than the figures do. */
const aliases = new Map<string, Zone>();
const MOST_ALIASES = 500;

/** "GMT+05:30" and "GMT". */
const parsedOffset = (name: string): number => {
  const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name);
  if (!match?.[1]) return 0;
  const minutes = Number(match[2]) * 60 + Number(match[3]);
  return (match[1] === '-' ? -minutes : minutes) * 60_000;
};

const offsetsBy = (format: Intl.DateTimeFormat): Offsets => {
  const steps = new Map<number, number>();
  return (atMs) => {
    const step = Math.floor(atMs / STEP_MS);
    const known = steps.get(step);
    if (known !== undefined) return known;
    const name = format.formatToParts(step * STEP_MS).find(({ type }) => type === 'timeZoneName')?.value;
    const offset = parsedOffset(name ?? 'GMT');
    if (steps.size >= MOST_STEPS) steps.clear();
    steps.set(step, offset);
    return offset;
  };
};

/**
 * The offsets of an IANA time zone, looked up once a quarter of an hour.
 * @param timeZone in any case, also a former name or an offset.
 * @throws {RangeError} for an unknown zone.
 */
export const zoneOffsets = (timeZone: string): Zone => {
  const alias = aliases.get(timeZone);
  if (alias !== undefined && zones.get(alias.name) === alias) {
    zones.delete(alias.name);
    zones.set(alias.name, alias);
    return alias;
  }
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const name = format.resolvedOptions().timeZone;
  const zone = zones.get(name) ?? { name, offsets: offsetsBy(format) };
  zones.delete(name);
  zones.set(name, zone);
  for (const oldest of zones.keys()) {
    if (zones.size <= MOST_ZONES) break;
    zones.delete(oldest);
  }
  if (aliases.size >= MOST_ALIASES) aliases.clear();
  aliases.set(timeZone, zone);
  return zone;
};

/** Local time of the week in hours from Monday 0:00, with fractions. */
export const weekHour = (atMs: number, offsets: Offsets): number => {
  const hours = (atMs + offsets(atMs)) / HOUR_MS + TO_MONDAY * 24;
  return ((hours % 168) + 168) % 168;
};
