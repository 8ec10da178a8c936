import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../../kernel/postgres/statement.ts';
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
  const { rows } = await db.query<Seen>(sql.named(`renamed of ${schema}`)`
    select o.* from unnest(${named.map(({ after }) => after.account)}::text[],
      ${named.map(({ after }) => after.name)}::text[]) as k(account, name)
    cross join lateral (select account, name, seen_at, identified_at from ${ident(schema)}.accounts
      where account = k.account and name <> k.name offset 0) o`);
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
  const { rows } = await db.query<{ account: string }>(sql.named(`crossed of ${schema}`)`
    select l.account
    from unnest(${targets.map(([target]) => target)}::text[], ${targets.map(([target]) => isPage(target))}::bool[],
      ${targets.map(([, n]) => n)}::int[]) as t(target, is_page, n)
    join ${ident(schema)}.linked s on s.target = t.target
      and s.n > case when t.is_page then ${raw(MAX_SHARERS)} else ${raw(MAX_LINKING)} - t.n end
    cross join lateral (select case when t.is_page and s.n <= ${raw(MAX_LINKING)} + t.n
      then (select count(distinct account) from ${ident(schema)}.links where target = t.target) end as sharers) c
    join ${ident(schema)}.links l on l.target = t.target
    where c.sharers > ${raw(MAX_SHARERS)} and c.sharers <= ${raw(MAX_SHARERS)} + t.n
       or s.n > ${raw(MAX_LINKING)} - t.n and s.n <= ${raw(MAX_LINKING)} + t.n
    union
    select a.account
    from unnest(${names.map(([name]) => name)}::text[], ${names.map(([, n]) => n)}::int[]) as k(name_key, n)
    left join ${ident(schema)}.bearers b using (name_key)
    join ${ident(schema)}.accounts a using (name_key)
    where abs(coalesce(b.n, 0) - ${raw(COMMON)}) <= k.n or abs(coalesce(b.n, 0) - ${raw(VERY_COMMON)}) <= k.n`);
  return rows.map(({ account }) => account);
};
