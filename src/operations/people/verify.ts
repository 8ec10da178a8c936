import { OperatorError } from '../../kernel/errors.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { people } from '../../projections/views/people/projection.ts';
import { LAST_TENURE } from '../../projections/views/people/tables.ts';
import { MAX_SHARERS } from '../../write/people/account.ts';
import { figuresOf, type OwnedAccount, type PeopleFigures } from './figures.ts';
import type { TrueOwner } from './truth.ts';

/** Accounts of the build that the truth knows, with their true owners. */
const ownedAccounts = async (
  db: Db,
  schema: string,
  truth: AsyncIterable<TrueOwner>,
): Promise<readonly OwnedAccount[]> => {
  const { rows } = await db.query<{
    account: string;
    platform: string;
    name: string;
    person: string;
    log_odds: number | null;
  }>(sql`
    select distinct on (a.account) a.account, a.platform, a.name, o.person, (m->>'log_odds')::float8 as log_odds
    from ${ident(schema)}.accounts a join ${ident(schema)}.members o using (account)
    join ${ident(schema)}.people p on p.person = o.person
    cross join lateral jsonb_array_elements(p.members) m
    where m->>'account' = a.account order by a.account, ${raw(LAST_TENURE)}`);
  const byKey = new Map(rows.map((row) => [row.account, row]));
  const byName = new Map(rows.map((row) => [`${row.platform}:${row.name}`, row]));
  const found: OwnedAccount[] = [];
  for await (const { platform, id, handle, person, role } of truth) {
    const row =
      byKey.get(`${platform}:id:${id}`) ??
      byKey.get(`${platform}:${handle}`) ??
      byName.get(`${platform}:${handle}`);
    if (row === undefined) continue;
    const { account, person: group, log_odds: logOdds } = row;
    found.push({
      account,
      person: group,
      logOdds,
      owner: person === null ? account : `person ${person}`,
      kind: role ?? (person === null ? 'stranger' : 'person'),
    });
  }
  return found;
};

/** Accounts of one owner that links and pages of the catalog join, as `account -> part`. */
const partsOf = async (
  db: Db,
  schema: string,
  found: readonly OwnedAccount[],
): Promise<(account: string) => string> => {
  const owner = new Map(found.map((one) => [one.account, one.owner]));
  const root = new Map<string, string>();
  const find = (key: string): string => {
    let at = key;
    while ((root.get(at) ?? at) !== at) at = root.get(at) as string;
    return at;
  };
  const of = ident(schema);
  const { rows } = await db.query<{ a: string; b: string }>(sql`
    select l.account as a, h.account as b from ${of}.links l
    join ${of}.accounts h on h.platform = split_part(l.target, ':', 1) and h.name = substr(l.target,
      strpos(l.target, ':') + 1)
    union select l.account, h.account from ${of}.links l join ${of}.accounts h on h.account = l.target
    union select l.account, k.account from ${of}.links l join ${of}.links k using (target)
      where l.target like 'page:%' and l.account < k.account
      and (select count(*) from (select from ${of}.links c where c.target = l.target
        limit ${MAX_SHARERS + 1}) s) <= ${MAX_SHARERS}`);
  for (const { a, b } of rows)
    if (owner.get(a) !== undefined && owner.get(a) === owner.get(b)) root.set(find(a), find(b));
  return find;
};

/** Compares the persons of the active build with the owners that the simulator knows. */
export const verifyPeople = async (
  { db }: { readonly db: Db },
  truth: AsyncIterable<TrueOwner>,
): Promise<PeopleFigures> => {
  const build = await activeBuild(db, people.name, people.version);
  if (build === null) throw new OperatorError('build_missing', 'there is no active build of people');
  const found = await ownedAccounts(db, build.schema, truth);
  return figuresOf(found, await partsOf(db, build.schema, found));
};
