/** A clock. It is passed in wherever time matters, so that tests control it. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
}

/**
 * How fast the clock of a process runs.
 * Decision: `docs/adr/0019-one-clock.md`.
 */
export interface Pace {
  /** When the clock showed the real time, in milliseconds since 1970. */
  readonly originMs: number;
  /** Seconds of the clock per real second. */
  readonly speed: number;
}

/** The environment variable that sets the pace of all processes of a run, for development. */
export const CLOCK_VARIABLE = 'SIGHTLINE_CLOCK';

/**
 * Parses a pace of `<origin>,<speed>`, as `1767225600000,48`. An unset variable means real time.
 * @throws {RangeError} for any other text.
 */
export const paceOf = (text: string | undefined): Pace => {
  if (text === undefined || text === '') return { originMs: 0, speed: 1 };
  const [, origin, speed] = /^(\d{1,15}),(\d{1,5}(?:\.\d{1,3})?)$/.exec(text) ?? [];
  if (!(Number(speed) > 0))
    throw new RangeError(`${CLOCK_VARIABLE} is ${text}; allowed: <ms since 1970>,<speed>`);
  return { originMs: Number(origin), speed: Number(speed) };
};

/** The time that a clock of this pace shows at a real time. */
export const timeAt = ({ originMs, speed }: Pace, realMs: number): number =>
  Math.floor(originMs + (realMs - originMs) * speed);

const pace = paceOf(process.env[CLOCK_VARIABLE]);

/** Milliseconds by which the database's clock is ahead of this host's. */
let offsetMs = 0;

/** Corrects the clock of this process (`postgres/database-clock.ts`). */
export const correctClock = (aheadMs: number): void => {
  offsetMs = aheadMs;
};

/**
 * The time of accounts, events, windows and periods: the database's, as soon as it is open. It is the real time unless
 * `SIGHTLINE_CLOCK` sets another pace.
 */
export const systemClock: Clock = { now: () => timeAt(pace, Date.now() + offsetMs) };

/** Milliseconds of a monotonic clock at the pace of `systemClock`, for ages that windows and expiries are compared with. */
export const elapsedMs = (): number => performance.now() * pace.speed;

/** Real milliseconds until so many milliseconds have passed on `systemClock`. */
export const realMs = (ms: number): number => ms / pace.speed;

/** ISO 8601 UTC with milliseconds, the format of events and responses. */
export const isoOf = (ms: number): string => new Date(ms).toISOString();

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** Seconds as people read them, in the largest unit that they have two of: `90 s`, `3 h`. */
export const ageText = (s: number): string => {
  if (s < 2 * MINUTE_S) return `${Math.round(s)} s`;
  if (s < 2 * HOUR_S) return `${Math.round(s / MINUTE_S)} min`;
  return s < 2 * DAY_S ? `${Math.round(s / HOUR_S)} h` : `${Math.round(s / DAY_S)} d`;
};

/** Milliseconds of `90s`, `15m`, `24h` or `7d`; null for any other text. */
export const durationMs = (text: string): number | null => {
  const match = /^(\d{1,9})([smhd])$/.exec(text);
  return match === null ? null : Number(match[1]) * UNITS[match[2] as keyof typeof UNITS];
};
