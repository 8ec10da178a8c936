import { z } from 'zod';
import { isSchedule } from '../../crawlers/pools/schedule.ts';
import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { type PoolTuning, RULES, tuningShape } from '../../write/pools/pool.ts';
import { openingHours } from './opening-hours.ts';

/** Settings of a pool as an operator writes them. */
export interface SettingTexts {
  readonly share?: string;
  readonly refresh?: string;
  /** Durations, as `6h` or `7d`. */
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

const invalid = (message: string): OperatorError => new OperatorError('pool_invalid', message);

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds of a duration, as `90s`, `30m`, `6h` or `7d`. @throws {OperatorError} `pool_invalid` */
export const secondsOf = (text: string): number => {
  const [, amount = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = Number(amount) * (SECONDS[unit] ?? Number.NaN);
  if (Number.isFinite(seconds)) return seconds;
  throw invalid(`"${text}" is no duration: write seconds, minutes, hours or days, as 90s, 30m, 6h or 7d.`);
};

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

/** What each setting has to be, for the message of a wrong one. */
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

/** Settings out of texts; those left out are not in it. @throws {OperatorError} `pool_invalid` */
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

const NAME = /^[a-z0-9][a-z0-9-]{0,59}$/;

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
