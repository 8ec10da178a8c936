import type { Platform } from '../../../src/kernel/platform.ts';
import { DAY, type Status } from './account.ts';
import { GENERATIONS } from './handles.ts';
import { mix, unit } from './hash.ts';

/** No account is created later, so that all exist at any time that a test sets. */
const LAST_JOIN = Date.UTC(2025, 0, 1);
const OPENED: Readonly<Record<Platform, number>> = {
  x: Date.UTC(2007, 2, 1),
  instagram: Date.UTC(2011, 0, 1),
  tiktok: Date.UTC(2017, 8, 1),
  youtube: Date.UTC(2006, 3, 1),
  telegram: Date.UTC(2015, 9, 1),
  bluesky: Date.UTC(2023, 3, 1),
  linkedin: Date.UTC(2005, 0, 1),
};
const EVENTS_FROM = Date.UTC(2024, 0, 1);
const EVENTS_SPAN = 8 * 365 * DAY;

export const createdAtOf = (platform: Platform, key: number): number => {
  const opened = OPENED[platform];
  return Math.floor((opened + unit(key, 50) * (LAST_JOIN - opened)) / 1000) * 1000;
};

/** A pseudo-random time of an account's event, within eight years. */
const moment = (key: number, salt: number): number => EVENTS_FROM + unit(key, salt) * EVENTS_SPAN;

/** When the account changes its handle, ascending; at most three times. */
const renamesOf = (key: number): readonly number[] => {
  if (unit(key, 60) > 0.22) return [];
  const times = [moment(key, 61)];
  while (times.length < GENERATIONS - 1 && unit(key, 62 + times.length) < 0.25) {
    times.push((times.at(-1) as number) + (20 + unit(key, 66 + times.length) * 600) * DAY);
  }
  return times;
};

export const generationAt = (key: number, at: number): number =>
  renamesOf(key).filter((time) => time <= at).length;

/** Interval of a state; bounds may be Infinity. */
const spell = (key: number, salt: number, ever: number, back: number, maxDays: number): [number, number] => {
  if (unit(key, salt) >= ever) return [Infinity, Infinity];
  const from = moment(key, salt + 1);
  const to = unit(key, salt + 2) < back ? from + (0.2 + unit(key, salt + 3) * maxDays) * DAY : Infinity;
  return [from, to];
};

const within = ([from, to]: [number, number], at: number): boolean => at >= from && at < to;

const HAS_PRIVATE: ReadonlySet<Platform> = new Set(['x', 'instagram', 'tiktok']);

export const statusAt = (platform: Platform, key: number, createdAt: number, at: number): Status => {
  if (at < createdAt) return 'absent';
  if (within(spell(key, 70, 0.1, 0.4, 90), at)) return 'suspended';
  if (within(spell(key, 75, 0.07, 0.5, 60), at)) return 'deactivated';
  if (HAS_PRIVATE.has(platform)) {
    const shy = unit(key, 80) < 0.04;
    if (shy || within(spell(key, 81, 0.08, 0.5, 200), at)) return 'private';
  }
  return 'active';
};

/** Larger accounts are more likely verified, from some time on. */
export const verifiedAt = (key: number, createdAt: number, size: number, at: number): boolean => {
  const chance = Math.min(0.9, 0.01 + Math.max(0, Math.log10(size + 1) - 2) * 0.17);
  return (
    unit(key, 90) < chance &&
    at >= createdAt + unit(mix(key, 91), 1) * (EVENTS_FROM + EVENTS_SPAN - createdAt) * 0.9
  );
};
