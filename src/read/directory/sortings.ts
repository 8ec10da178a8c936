import { type FragmentSqlToken, sql } from 'slonik';
import type { Platform } from '../../kernel/platform.ts';
import { ENTRY_SORT_KEYS, NO_HANDLE, UNKNOWN_RANK } from '../../projections/views/directory/tables.ts';
import type { CursorPosition } from '../cursor.ts';
import { verbatim } from '../verbatim.ts';

export type EntrySort = keyof typeof ENTRY_SORT_KEYS;

export interface EntryFilters {
  readonly platform?: Platform | undefined;
  /** Prefixes of the handle or of words of the name. */
  readonly q?: string | undefined;
  readonly min_followers?: number | undefined;
  readonly max_followers?: number | undefined;
  readonly verified?: boolean | undefined;
  readonly status?: string | undefined;
  readonly seen_since?: string | undefined;
  /** Only accounts that the last reading found, private ones included. */
  readonly present?: boolean | undefined;
  readonly created_since?: string | undefined;
  /** Only entries with a known sort value. */
  readonly ranked?: boolean | undefined;
}

/** Filters whose conditions are of one column each. */
type ColumnFilter = Exclude<keyof EntryFilters, 'platform' | 'q' | 'ranked'>;

export interface Sorting {
  /** Expression of the sort's index, verbatim. */
  readonly by: FragmentSqlToken;
  readonly order: FragmentSqlToken;
  readonly orderByName: FragmentSqlToken;
  readonly after: (position: CursorPosition) => FragmentSqlToken;
  /** Filters that the index answers, by name. */
  readonly within: (filters: EntryFilters) => Partial<Record<keyof EntryFilters, FragmentSqlToken>>;
}

const UNKNOWN = verbatim(UNKNOWN_RANK);

const numeric = (key: string): Sorting => {
  const by = verbatim(key);
  return {
    by,
    order: sql.fragment`${by} desc, entry desc`,
    orderByName: sql.fragment`rank desc, entry desc`,
    after: ([rank, entry]) =>
      sql.fragment`(${by}, entry) < (${String(rank)}::bigint, ${String(entry)}::bigint)`,
    within: () => ({ ranked: sql.fragment`${by} > ${UNKNOWN}` }),
  };
};

const byHandle = verbatim(ENTRY_SORT_KEYS.handle);
const byRecency = verbatim(ENTRY_SORT_KEYS.recent);

const followers = numeric(ENTRY_SORT_KEYS.followers);

export const SORTINGS: Readonly<Record<EntrySort, Sorting>> = {
  followers: {
    ...followers,
    within: ({ min_followers: min, max_followers: max }) => ({
      ...followers.within({}),
      min_followers: sql.fragment`${followers.by} >= ${min ?? 0}`,
      max_followers: sql.fragment`${followers.by} <= ${max ?? 0} and ${followers.by} > ${UNKNOWN}`,
    }),
  },
  growth_7d: numeric(ENTRY_SORT_KEYS.growth_7d),
  growth_30d: numeric(ENTRY_SORT_KEYS.growth_30d),
  recent: {
    by: byRecency,
    order: sql.fragment`${byRecency} desc, entry desc`,
    orderByName: sql.fragment`rank desc, entry desc`,
    after: ([rank, entry]) =>
      sql.fragment`(${byRecency}, entry) < (${String(rank)}::timestamptz, ${String(entry)}::bigint)`,
    within: ({ seen_since: since }) => ({
      ranked: sql.fragment`true`,
      seen_since: sql.fragment`${byRecency} >= ${since ?? '-infinity'}::timestamptz`,
    }),
  },
  handle: {
    by: byHandle,
    order: sql.fragment`${byHandle}, entry`,
    orderByName: sql.fragment`rank, entry`,
    after: ([rank, entry]) =>
      sql.fragment`(${byHandle}, entry) > (${String(rank)}, ${String(entry)}::bigint)`,
    within: () => ({ ranked: sql.fragment`${byHandle} < ${verbatim(NO_HANDLE)}` }),
  },
};

/** SQL of the filters of one column. */
export const FILTERS: {
  readonly [Name in ColumnFilter]: (value: NonNullable<EntryFilters[Name]>) => FragmentSqlToken;
} = {
  min_followers: (min) => sql.fragment`followers >= ${min}`,
  max_followers: (max) => sql.fragment`followers <= ${max}`,
  verified: (verified) => sql.fragment`verified = ${verified}`,
  status: (status) => sql.fragment`status = ${status}`,
  present: () => sql.fragment`status in ('active', 'private')`,
  seen_since: (since) => sql.fragment`last_seen_at >= ${since}::timestamptz`,
  created_since: (since) => sql.fragment`created_at >= ${since}::timestamptz`,
};
