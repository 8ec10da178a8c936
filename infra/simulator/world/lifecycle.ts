import type { Platform } from '../simulated-platforms.ts';
import { DAY, type Status } from './account.ts';
import { exponential } from './draws.ts';
import { GENERATIONS } from './handle-types.ts';
import { mix, unit } from './hash.ts';
import type { Parameters } from './parameters.ts';

const YEAR = 365 * DAY;
/** Ends of accounts and renames are known from here on. */
const EVENTS_FROM = Date.UTC(2025, 0, 1);
/** No account is created later but those that come with a wave of newcomers, and those that pose as others. */
const LAST_JOIN = Date.UTC(2025, 0, 1);
export const OPENED: Readonly<Record<Platform, number>> = {
  x: Date.UTC(2007, 2, 1),
  instagram: Date.UTC(2011, 0, 1),
  tiktok: Date.UTC(2017, 8, 1),
  youtube: Date.UTC(2006, 3, 1),
  telegram: Date.UTC(2015, 9, 1),
  bluesky: Date.UTC(2023, 3, 1),
  linkedin: Date.UTC(2005, 0, 1),
};

export const createdAtOf = (platform: Platform, key: number): number => {
  const opened = OPENED[platform];
  return Math.floor((opened + unit(key, 50) * (LAST_JOIN - opened)) / 1000) * 1000;
};

/** When a young account was created that poses as another. */
export const posedAt = (key: number): number =>
  Math.floor((LAST_JOIN + unit(key, 52) * 1.3 * YEAR) / 1000) * 1000;

/** An interval in which an account has a status; ends may be Infinity. */
export interface Spell {
  readonly status: 'suspended' | 'deactivated' | 'private';
  readonly from: number;
  readonly to: number;
}

const HAS_PRIVATE: ReadonlySet<Platform> = new Set(['x', 'instagram', 'tiktok']);
/** A switcher is public for three months and private for one. */
const CYCLE = 122 * DAY;
const CLOSED = CYCLE / 4;
const NEW = 21 * DAY;

export interface Lifecycle {
  /** When it leaves each of its handles, ascending; at most three times unless it renames often. */
  renamesOf(key: number, createdAt: number, until: number): readonly number[];
  statusAt(platform: Platform, key: number, createdAt: number, at: number): Status;
  /** Suspension and deactivation of an account, whenever they are. */
  spellsOf(key: number, createdAt: number): readonly Spell[];
  isSwitching(platform: Platform, key: number): boolean;
}

export const createLifecycle = ({ ends, renames }: Parameters): Lifecycle => {
  const start = (createdAt: number) => Math.max(createdAt, EVENTS_FROM);

  const renamesOf: Lifecycle['renamesOf'] = (key, createdAt, until) => {
    const often = unit(key, 60) < renames.often;
    const times: number[] = [];
    for (let at = start(createdAt), n = 0; n < (often ? 200 : GENERATIONS - 1); n++) {
      at += often ? (40 + 120 * unit(key, 4000 + n)) * DAY : (exponential(key, 62 + n) / renames.once) * YEAR;
      if (at > until) break;
      times.push(at);
    }
    return times;
  };

  const suspension = (key: number, createdAt: number): Spell => {
    const isNew = createdAt > LAST_JOIN && unit(key, 70) < ends.newSuspended;
    const from = isNew
      ? createdAt + unit(key, 71) * NEW
      : start(createdAt) + (exponential(key, 71) / ends.suspended) * YEAR;
    const restored = unit(key, 72) < 0.25;
    return { status: 'suspended', from, to: restored ? from + (10 + 80 * unit(key, 73)) * DAY : Infinity };
  };

  const deactivation = (key: number, createdAt: number): Spell => {
    const from = start(createdAt) + (exponential(key, 75) / ends.deactivated) * YEAR;
    const returns = unit(key, 76) < ends.returning;
    return { status: 'deactivated', from, to: returns ? from + (1 + 29 * unit(key, 77)) * DAY : Infinity };
  };

  // Each switcher switches twice a cycle.
  const switchers = (ends.switching / 2) * (CYCLE / (30.4 * DAY));
  const isSwitching = (platform: Platform, key: number) =>
    HAS_PRIVATE.has(platform) && unit(key, 80) < switchers;

  const isPrivate = (platform: Platform, key: number, at: number): boolean => {
    if (!HAS_PRIVATE.has(platform)) return false;
    if (unit(key, 80) < switchers) return (at + unit(key, 81) * CYCLE) % CYCLE < CLOSED;
    const others = Math.max(0, ends.private[platform] - switchers / 4) / (1 - switchers);
    return unit(key, 82) < others;
  };

  return {
    renamesOf,
    spellsOf: (key, createdAt) => [suspension(key, createdAt), deactivation(key, createdAt)],
    isSwitching,
    statusAt: (platform, key, createdAt, at) => {
      if (at < createdAt) return 'absent';
      for (const { status, from, to } of [suspension(key, createdAt), deactivation(key, createdAt)]) {
        if (at >= from && at < to) return status;
      }
      return isPrivate(platform, key, at) ? 'private' : 'active';
    },
  };
};

/** Larger accounts are more likely verified, from some time on. */
export const verifiedAt = (key: number, createdAt: number, size: number, at: number): boolean => {
  const chance = Math.min(0.9, 0.01 + Math.max(0, Math.log10(size + 1) - 2) * 0.17);
  const span = Date.UTC(2032, 0, 1) - createdAt;
  return unit(key, 90) < chance && at >= createdAt + unit(mix(key, 91), 1) * span * 0.9;
};
