import { z } from 'zod';
import { isSchedule, isScheduled } from '../../crawlers/pools/current-pools.ts';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { type PoolTuning, RULES, tuningShape } from '../../write/pools/pool.ts';
import type { Gap, GapsOf } from '../../write/pools/refresh.ts';

/** Settings of a pool in an operator's notation. */
export interface SettingTexts {
  readonly share?: string;
  readonly refresh?: string;
  /** Durations, such as `6h` or `7d`. */
  readonly refreshMin?: string;
  readonly refreshMax?: string;
  readonly refreshFactor?: string;
  /** A number of requests a day, or `none`. */
  readonly requests?: string;
  readonly cap?: string;
  /** `always` for none. */
  readonly schedule?: string;
  readonly minHolders?: string;
}

/** Seconds of a duration, such as `90s`, `30m`, `6h` or `7d`. @throws {OperatorError} `pool_invalid` */
export const secondsOf = (text: string): number => {
  const [, amount = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(amount) * (SECONDS[unit] ?? Number.NaN);
  if (Number.isFinite(seconds)) return seconds;
  throw invalid(`"${text}" is no duration: write seconds, minutes, hours or days, as 90s, 30m, 6h or 7d.`);
};

/** Parses settings. Omitted ones are absent from the result. @throws {OperatorError} `pool_invalid` */
export const settingsOf = (texts: SettingTexts): Partial<PoolTuning> => {
  const { share, refresh, refreshMin, refreshMax, refreshFactor, requests, cap, schedule, minHolders } =
    texts;
  const given = {
    ...(share === undefined ? {} : { share: numberOf(share) }),
    ...(refresh === undefined ? {} : { refresh: refresh.replaceAll('-', '_') }),
    ...(refreshMin === undefined ? {} : { refresh_min_s: secondsOf(refreshMin) }),
    ...(refreshMax === undefined ? {} : { refresh_max_s: secondsOf(refreshMax) }),
    ...(refreshFactor === undefined ? {} : { refresh_factor: numberOf(refreshFactor) }),
    ...(requests === undefined ? {} : { requests_per_day: requests === 'none' ? null : numberOf(requests) }),
    ...(cap === undefined ? {} : { size_cap: numberOf(cap) }),
    ...(schedule === undefined ? {} : { schedule: scheduleOf(schedule) }),
    ...(minHolders === undefined ? {} : { min_holders: numberOf(minHolders) }),
  };
  const parsed = tuning.safeParse(given);
  if (parsed.success) return parsed.data as Partial<PoolTuning>;
  const wrong = parsed.error.issues[0]?.path[0] as keyof PoolTuning;
  throw invalid(`${MUST_BE[wrong]}.`);
};

/** @throws {OperatorError} `pool_invalid` if the shortest interval is longer than the longest. */
export const checkIntervals = ({
  refresh_min_s,
  refresh_max_s,
}: Pick<PoolTuning, 'refresh_min_s' | 'refresh_max_s'>) => {
  if (refresh_min_s > refresh_max_s)
    throw invalid('The shortest interval between readings is longer than the longest: change both.');
};

/** @throws {OperatorError} `pool_invalid` */
export const parsePoolName = (name: string): string => {
  if (NAME.test(name)) return name;
  throw invalid(`"${name}" is no name of a pool: use up to 60 of a-z, 0-9 and -, for example fans-of-nasa.`);
};

export type Rule = (typeof RULES)[number];

/** @throws {OperatorError} `pool_invalid` */
export const parseRule = (name: string): Rule => {
  const rule = RULES.find((each) => each === name);
  if (rule !== undefined) return rule;
  throw invalid(`"${name}" is no recruiting rule: use one of ${RULES.join(', ')}.`);
};

/** @throws {OperatorError} `pool_invalid` */
export const parseDepth = (text: string): number => {
  const depth = numberOf(text);
  if (Number.isInteger(depth) && depth >= 1 && depth <= 100) return depth;
  throw invalid(
    'The depth must be a whole number from 1 to 100: steps from an account that was named by an operator.',
  );
};

/** When a pool with a schedule is crawled. */
export interface OpeningHours {
  /** Share of all minutes in which the pool is crawled; 0 if there are none within a year. */
  readonly open: number;
  /** Accounts that are due in closed minutes wait. */
  readonly gapsOf: GapsOf;
}

/**
 * The instant since which a pool was open for a total time: an account that was due before it has waited at least that
 * long while the pool was crawled. Null if the pool was not open for that long within a year.
 */
export const openSince = (schedule: string | null, nowMs: number, seconds: number): number | null => {
  if (schedule === null) return nowMs - 1_000 * seconds;
  const { minutes, isOpenOn } = daysOf(schedule);
  let leftMs = 1_000 * seconds;
  let endMs = nowMs;
  for (let day = 0; day < DAYS; day++) {
    const midnight = midnightBefore(nowMs) - day * DAY_MS;
    const isOpen = isOpenOn(midnight);
    for (let n = Math.ceil((endMs - midnight) / MINUTE_MS) - 1; isOpen && n >= 0; n--) {
      const startMs = midnight + n * MINUTE_MS;
      const openMs = minutes[n] === 1 ? endMs - startMs : 0;
      if (openMs >= leftMs && leftMs > 0) return endMs - leftMs;
      leftMs -= openMs;
      endMs = startMs;
    }
    endMs = midnight;
  }
  return null;
};

/** @param schedule cron expression; null for always. @param fromMs start of the examined time. */
export const openingHours = (schedule: string | null, fromMs: number): OpeningHours => {
  if (schedule === null) return ALWAYS_OPEN;
  const waits = waitsOf(openMinutes(schedule, fromMs));
  if (waits === null) return { open: 0, gapsOf: () => [] };
  const open = waits.reduce((sum, wait) => sum + (wait === 0 ? 1 : 0), 0) / waits.length;
  const gapsOf = (intervalS: number): readonly Gap[] => {
    const gaps = SPREADS.flatMap((spread) => {
      const own = gapsAfter(waits, (intervalS / 60) * spread);
      const total = own.reduce((sum, gap) => sum + gap, 0);
      return own.map((gap) => ({
        minutes: Math.max(1, Math.round(gap)),
        share: gap / total / SPREADS.length,
      }));
    });
    return [...Map.groupBy(gaps, ({ minutes }) => minutes)].map(([minutes, some]) => ({
      seconds: minutes * 60,
      share: some.reduce((sum, { share }) => sum + share, 0),
    }));
  };
  return { open, gapsOf };
};

/** A time in which a pool is crawled. */
export interface OpenTime {
  readonly from: string;
  /** Null if it does not end within a year. */
  readonly until: string | null;
}

/**
 * The times in which a pool with a schedule is crawled, from an instant on, and the share of all minutes that they are.
 * @param schedule cron expression; null for always.
 */
export const scheduleTimes = (
  schedule: string | null,
  nowMs: number,
  limit: number,
): { readonly open: number; readonly times: readonly OpenTime[] } => {
  if (schedule === null) return { open: 1, times: [{ from: isoOf(nowMs), until: null }] };
  const minutes = openMinutes(schedule, nowMs);
  const midnight = midnightBefore(nowMs);
  const at = (minute: number) => isoOf(midnight + minute * MINUTE_MS);
  const times: OpenTime[] = [];
  let minute = minutes.indexOf(1, Math.floor((nowMs - midnight) / MINUTE_MS));
  while (minute !== -1 && times.length < limit) {
    const end = minutes.indexOf(0, minute);
    times.push({ from: at(minute), until: end === -1 ? null : at(end) });
    minute = end === -1 ? -1 : minutes.indexOf(1, end);
  }
  return { open: openingHours(schedule, nowMs).open, times };
};

const invalid = (message: string): OperatorError => new OperatorError('pool_invalid', message);

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

const scheduleOf = (text: string): string | null => {
  if (text === 'always') return null;
  if (isSchedule(text)) {
    if (openingHours(text, systemClock.now()).open > 0) return text;
    throw invalid(`The schedule "${text}" has no minute within a year: the pool would never be crawled.`);
  }
  throw invalid(
    `"${text}" is no schedule: write a cron expression of five fields in UTC, as "* 0-5 * * *" for the first six hours of a day, or always.`,
  );
};

/** The allowed values of each setting, for error messages. */
const MUST_BE: Readonly<Record<keyof PoolTuning, string>> = {
  share: 'the share must be a number from 0.000001 to 1000000',
  refresh: 'the refresh policy must be by_change or fixed',
  refresh_min_s: 'the shortest interval must be from 1s to 3650d',
  refresh_max_s: 'the longest interval must be from 1s to 3650d',
  refresh_factor: 'the factor on intervals must be a number from 0.001 to 1000',
  refresh_threshold: 'the threshold must be a number from 1e-12 to 1e9',
  requests_per_day: 'the requests a day must be a number from 0.001 to 10000000000, or none',
  size_cap: 'the cap must be a whole number from 1 to 2000000000',
  schedule: 'the schedule must have at most 200 characters',
  min_holders: 'the holders who have to ask must be a whole number from 1 to 1000000',
};

const tuning = z.strictObject(tuningShape).partial();

const NAME = /^[a-z0-9][a-z0-9-]{0,59}$/;

const ALWAYS_OPEN: OpeningHours = { open: 1, gapsOf: (seconds) => [{ seconds, share: 1 }] };

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** More than a year, for schedules by date, and whole weeks, for those by weekday. */
const DAYS = 53 * 7;
/** Readings of one account that are followed. */
const READINGS = 60;
/** Accounts are spread by ±10 % around their interval. */
const SPREADS = [0.91, 0.93, 0.95, 0.97, 0.99, 1.01, 1.03, 1.05, 1.07, 1.09];

const DAY_MS = DAY_MINUTES * MINUTE_MS;

const midnightBefore = (atMs: number): number => atMs - (atMs % DAY_MS);

/** The open minutes of a day, and whether it is open on the day of an instant. */
const daysOf = (
  schedule: string,
): { readonly minutes: Uint8Array; readonly isOpenOn: (atMs: number) => boolean } => {
  const [minute, hour, ...date] = schedule.trim().split(/\s+/);
  return {
    minutes: Uint8Array.from({ length: DAY_MINUTES }, (_, n) =>
      isScheduled(`${minute} ${hour} * * *`, new Date(n * MINUTE_MS)) ? 1 : 0,
    ),
    isOpenOn: (atMs) => isScheduled(`* * ${date.join(' ')}`, new Date(atMs)),
  };
};

/** Which minutes are open, from the midnight before an instant on: those of the days that the schedule has. */
const openMinutes = (schedule: string, fromMs: number): Uint8Array => {
  const { minutes, isOpenOn } = daysOf(schedule);
  const midnight = midnightBefore(fromMs);
  const open = new Uint8Array(DAYS * DAY_MINUTES);
  for (let day = 0; day < DAYS; day++)
    if (isOpenOn(midnight + day * DAY_MS)) open.set(minutes, day * DAY_MINUTES);
  return open;
};

/** Minutes to wait at each minute until one is open, the range repeated; null if none is. */
const waitsOf = (open: Uint8Array): Int32Array | null => {
  const first = open.indexOf(1);
  if (first === -1) return null;
  const waits = new Int32Array(open.length);
  let wait = first;
  for (let minute = open.length - 1; minute >= 0; minute--) {
    wait = open[minute] === 1 ? 0 : wait + 1;
    waits[minute] = wait;
  }
  return waits;
};

/** Gaps in minutes between consecutive readings that are limited only by the open minutes. */
const gapsAfter = (waits: Int32Array, minutes: number): readonly number[] => {
  let at = waits[0] as number;
  return Array.from({ length: READINGS }, () => {
    const due = at + minutes;
    const minute = Math.floor(due);
    const wait = waits[minute % waits.length] as number;
    const read = wait === 0 ? due : minute + wait;
    const gap = read - at;
    at = read;
    return gap;
  });
};
