import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { COMMON, MAX_SHARERS, VERY_COMMON } from '../../../write/people/links.ts';
import { isPage, type Target } from '../../../write/people/targets.ts';
import { isLater, MAX_LINKING } from './neighborhood.ts';
import type { AccountRow } from './tables.ts';

/** A row that a batch changed; `after` is undefined if another row has taken its position. */
export interface Changed {
  readonly before: AccountRow | undefined;
  readonly after: AccountRow | undefined;
}

export const accountsIn = (changes: readonly Changed[]): ReadonlySet<string> =>
  new Set(changes.flatMap(({ before, after }) => [before?.account ?? [], after?.account ?? []].flat()));

export const targetsIn = (changes: readonly Changed[]): ReadonlySet<Target> =>
  new Set(changes.flatMap(({ before, after }) => [...(before?.targets ?? []), ...(after?.targets ?? [])]));

type Seen = Pick<AccountRow, 'account' | 'name' | 'seen_at' | 'identified_at'>;

const lastOf = (rows: readonly Seen[]): string | undefined =>
  rows.length === 0 ? undefined : rows.reduce((a, b) => (isLater(b, a) ? b : a)).name;

/** Accounts with several names of which another one is the last now. The rows are written. */
export const renamedIn = async (
  db: Queryable,
  schema: string,
  changes: readonly Changed[],
): Promise<readonly string[]> => {
  const named = changes.flatMap(({ before, after }) =>
    after === undefined || after.native_id === '' ? [] : [{ before, after }],
  );
  if (named.length === 0) return [];
  const { rows } = await db.query<Seen>({
    name: `renamed of ${schema}`,
    text: `select o.* from unnest($1::text[], $2::text[]) as k(account, name)
           cross join lateral (select account, name, seen_at, identified_at from ${schema}.accounts
             where account = k.account and name <> k.name offset 0) o`,
    values: [named.map(({ after }) => after.account), named.map(({ after }) => after.name)],
  });
  const others = Map.groupBy(rows, ({ account }) => account);
  const own = Map.groupBy(
    named.filter(({ after }) => others.has(after.account)),
    ({ after }) => after.account,
  );
  return [...own].flatMap(([account, changed]) => {
    const names = new Set(changed.map(({ after }) => after.name));
    const same = (others.get(account) ?? []).filter(({ name }) => !names.has(name));
    const before = lastOf([...same, ...changed.flatMap((each) => each.before ?? [])]);
    return lastOf([...same, ...changed.map(({ after }) => after)]) === before ? [] : [account];
  });
};

/** How often each value was added or removed: a count that has passed a threshold passed it by at most that. */
const moves = (changes: readonly Changed[], of: (row: AccountRow) => readonly string[]) => {
  const counts = new Map<string, number>();
  for (const { before, after } of changes)
    for (const row of [before, after])
      for (const value of row === undefined ? [] : of(row)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

/**
 * Accounts that link to a page or a hub, or have a name, that is too common now to count as before, or no longer is. Counts are
 * of all that a batch changed: a part of it would not show what the whole has passed.
 */
export const crossedBy = async (
  db: Queryable,
  schema: string,
  changes: readonly Changed[],
): Promise<readonly string[]> => {
  const relinked = changes.filter(
    ({ before, after }) => before?.targets !== after?.targets || before?.account !== after?.account,
  );
  const renamed = changes.filter(({ before, after }) => before?.name_key !== after?.name_key);
  const targets = [...moves(relinked, (row) => row.targets)];
  const names = [...moves(renamed, ({ name_key }) => (name_key === null ? [] : [name_key]))];
  if (targets.length + names.length === 0) return [];
  const { rows } = await db.query<{ account: string }>({
    name: `crossed of ${schema}`,
    text: `select l.account
      from unnest($1::text[], $2::bool[], $3::int[]) as t(target, is_page, n)
      join ${schema}.linked s on s.target = t.target
        and s.n > case when t.is_page then ${MAX_SHARERS} else ${MAX_LINKING} - t.n end
      cross join lateral (select case when t.is_page and s.n <= ${MAX_LINKING} + t.n
        then (select count(distinct account) from ${schema}.links where target = t.target) end as sharers) c
      join ${schema}.links l on l.target = t.target
      where c.sharers > ${MAX_SHARERS} and c.sharers <= ${MAX_SHARERS} + t.n
         or s.n > ${MAX_LINKING} - t.n and s.n <= ${MAX_LINKING} + t.n
      union
      select a.account
      from unnest($4::text[], $5::int[]) as k(name_key, n)
      left join ${schema}.bearers b using (name_key)
      join ${schema}.accounts a using (name_key)
      where abs(coalesce(b.n, 0) - ${COMMON}) <= k.n or abs(coalesce(b.n, 0) - ${VERY_COMMON}) <= k.n`,
    values: [
      targets.map(([target]) => target),
      targets.map(([target]) => isPage(target)),
      targets.map(([, n]) => n),
      names.map(([name]) => name),
      names.map(([, n]) => n),
    ],
  });
  return rows.map(({ account }) => account);
};
