import type { Db } from '../../src/kernel/postgres/pool.ts';
import type { EntryFilters, EntrySort } from '../../src/read/directory/list.ts';
import { PEER } from './fill.ts';

const ORDERS: Readonly<Record<EntrySort, string>> = {
  followers: 'followers desc nulls last, entry desc',
  growth_7d: 'growth_7d desc nulls last, entry desc',
  growth_30d: 'growth_30d desc nulls last, entry desc',
  recent: 'last_seen_at desc, entry desc',
  handle: 'handle, entry',
};

/** Conditions as one writes them, with their values. */
const conditions = (filters: EntryFilters): readonly (readonly [sql: string, value: unknown])[] => [
  ...(filters.platform === undefined ? [] : [['platform = $', filters.platform] as const]),
  ...(filters.q ?? '')
    .split(' ')
    .filter(Boolean)
    .map((word) => ['words like $', `% ${word}%`] as const),
  ...(filters.min_followers === undefined ? [] : [['followers >= $', filters.min_followers] as const]),
  ...(filters.max_followers === undefined ? [] : [['followers <= $', filters.max_followers] as const]),
  ...(filters.verified === undefined ? [] : [['verified = $', filters.verified] as const]),
  ...(filters.status === undefined ? [] : [['status = $', filters.status] as const]),
  ...(filters.created_since === undefined ? [] : [['created_at >= $', filters.created_since] as const]),
  ...(filters.seen_since === undefined ? [] : [['last_seen_at >= $', filters.seen_since] as const]),
];

/** The first page of a list from the table of the peer, which the planner reads as it likes. @returns its rows. */
export const peerPage = async (
  db: Db,
  filters: EntryFilters,
  sort: EntrySort,
  limit: number,
): Promise<number> => {
  const wanted = conditions(filters);
  const where = wanted.map(([sql], i) => sql.replace('$', `$${i + 1}`)).join(' and ');
  const { rows } = await db.query(
    `select * from ${PEER}.entries ${where === '' ? '' : `where ${where}`} order by ${ORDERS[sort]} limit ${limit + 1}`,
    wanted.map(([, value]) => value),
  );
  return rows.length;
};
