import { createHash } from 'node:crypto';
import {
  binOfChange,
  CHANGE_BINS,
  changeOfBin,
  medianBin,
  UNAVAILABLE_BIN,
} from '../../../write/pools/refresh/change-bins.ts';
import {
  type ChangeEvidence,
  estimated,
  type FollowerChange,
  withMove,
} from '../../../write/pools/refresh/estimate.ts';
import { DAY_S, intervalOf, intervalTable } from '../../../write/pools/refresh/rule.ts';
import { sums, type Write } from '../../table/bulk-upsert.ts';
import { type FollowersShown, UNAVAILABLE } from './shown-followers.ts';
import { type ChangeRow, changeTable, type DueRow, type PoolRow } from './tables.ts';

/** Accounts of a pool by bin, and what follows from them. */
interface PoolChanges {
  /** Accounts with a coefficient of their own. */
  readonly measured: Int32Array;
  median: number;
  /** Intervals by bin under these settings and this median. */
  intervals: Int32Array | null;
  of: { readonly settings: PoolRow; readonly median: number } | null;
  /** Differences since the last batch, by bin. */
  readonly added: Map<number, { n: number; measured: number }>;
}

/** Changes by the pool that recruited the accounts. */
export type Changes = Map<string, PoolChanges>;

const changesOf = (changes: Changes, pool: string): PoolChanges => {
  let found = changes.get(pool);
  if (found === undefined) {
    const measured = new Int32Array(CHANGE_BINS);
    found = { measured, median: medianBin(measured), intervals: null, of: null, added: new Map() };
    changes.set(pool, found);
  }
  return found;
};

export const loadChanges = (changes: Changes, rows: readonly ChangeRow[]): void => {
  for (const { pool, bin, measured } of rows)
    if (bin !== UNAVAILABLE_BIN) changesOf(changes, pool).measured[bin] = measured;
  for (const each of changes.values()) each.median = medianBin(each.measured);
};

export const changeWrites = (changes: Changes): readonly Write[] => [
  sums(
    changeTable,
    [...changes].flatMap(([pool, { added }]) => [...added].map(([bin, row]) => ({ pool, bin, ...row }))),
  ),
];

export const clearChanges = (changes: Changes): void => {
  for (const { added } of changes.values()) added.clear();
};

const isMeasured = ({ change_exposure }: Pick<DueRow, 'change_exposure'>): boolean => change_exposure > 0;

const count = (pool: PoolChanges, bin: number, measured: boolean, n: 1 | -1): void => {
  const by = measured ? n : 0;
  const added = pool.added.get(bin);
  if (added === undefined) pool.added.set(bin, { n, measured: by });
  else {
    added.n += n;
    added.measured += by;
  }
  if (measured && bin !== UNAVAILABLE_BIN) pool.measured[bin] = (pool.measured[bin] as number) + n;
};

/** Counts an account in the bin that a reading puts it in. */
const move = (
  pool: PoolChanges,
  before: DueRow,
  after: Pick<DueRow, 'change_bin' | 'change_exposure'>,
): void => {
  const [from, to] = [before.change_bin, after.change_bin];
  if (from === to && isMeasured(before) === isMeasured(after)) return;
  if (from !== null) count(pool, from, isMeasured(before), -1);
  if (to !== null) count(pool, to, isMeasured(after), 1);
  pool.median = medianBin(pool.measured);
};

const intervalIn = (pool: PoolChanges, settings: PoolRow, bin: number): number => {
  if (bin === UNAVAILABLE_BIN) return Math.round(intervalOf(settings, 1, bin));
  const { median } = pool;
  if (pool.intervals === null || pool.of?.settings !== settings || pool.of.median !== median) {
    pool.intervals = intervalTable(settings, median);
    pool.of = { settings, median };
  }
  return pool.intervals[bin] as number;
};

type Evidence = Pick<
  DueRow,
  'followers' | 'followers_at' | 'change_moved' | 'change_exposure' | 'change_bin'
>;

/** A reading sooner than this part of the least interval after the one before is none of its own, as live reads are. */
const TOO_SOON = 0.5;

/** A suspended account shows nothing of its changes: one that returns is treated as a new one. */
const NO_LONGER_SHOWN: Evidence = {
  followers: null,
  followers_at: null,
  change_moved: 0,
  change_exposure: 0,
  change_bin: UNAVAILABLE_BIN,
};

const evidenceRow = (
  followers: number | null,
  followers_at: string | null,
  { moved, exposure }: ChangeEvidence,
  change_bin: number,
): Evidence => ({ followers, followers_at, change_moved: moved, change_exposure: exposure, change_bin });

/** What is known of an account's changes after a reading. */
const evidenceAfter = (
  row: DueRow,
  median: number,
  leastS: number,
  observed_at: string,
  followers: FollowersShown,
): Evidence => {
  if (followers === UNAVAILABLE) return NO_LONGER_SHOWN;
  const bin = isMeasured(row) ? (row.change_bin as number) : median;
  const before: ChangeEvidence = { moved: row.change_moved, exposure: row.change_exposure };
  if (followers === null) return evidenceRow(row.followers, row.followers_at, before, bin);
  if (row.followers === null || row.followers_at === null)
    return evidenceRow(followers, observed_at, before, bin);
  const seconds = (Date.parse(observed_at) - Date.parse(row.followers_at)) / 1_000;
  const reading: FollowerChange = { before: row.followers, after: followers, days: seconds / DAY_S };
  const change = changeOfBin(bin);
  if (seconds < TOO_SOON * leastS)
    return evidenceRow(followers, row.followers_at, withMove(before, change, reading), bin);
  const after = estimated(before, { change, median: changeOfBin(median) }, reading);
  return evidenceRow(followers, observed_at, after.evidence, binOfChange(after.change));
};

/**
 * What a reading leaves of an account, and the seconds until the next one.
 * @param settings of the pool that reads the account; undefined if the writer doesn't know it, so that the interval stays.
 */
export const refreshed = (
  changes: Changes,
  row: DueRow,
  settings: PoolRow | undefined,
  observed_at: string,
  followers: FollowersShown,
): { readonly evidence: Evidence; readonly intervalS: number } => {
  const pool = changesOf(changes, row.pool);
  const evidence = evidenceAfter(row, pool.median, settings?.refresh_min_s ?? 0, observed_at, followers);
  move(pool, row, evidence);
  const bin = evidence.change_bin as number;
  return {
    evidence,
    intervalS: settings === undefined ? row.interval_s : intervalIn(pool, settings, bin),
  };
};

const SECOND = 1_000;
/** Later than events can be; Postgres takes no year beyond 9999 in this form. */
const LAST_DUE = Date.UTC(2200, 0, 1);

/** Jitter of ±10 % derived from the stream, so that accounts read together are not due together again. */
const spread = (stream: string): number =>
  0.9 + (createHash('sha1').update(stream).digest().readUInt16BE(0) / 65_536) * 0.2;

/** When an account is due that is read again after an interval. */
export const dueAfter = (stream: string, observed_at: string, intervalS: number): string => {
  const due = Date.parse(observed_at) + intervalS * SECOND * spread(stream);
  return new Date(Math.min(due, LAST_DUE)).toISOString();
};
