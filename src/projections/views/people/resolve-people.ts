import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { clusterOf } from '../../../write/people/cluster.ts';
import { COMMON, type Links, MAX_SHARERS, VERY_COMMON } from '../../../write/people/links.ts';
import { MODEL } from '../../../write/people/log-odds.ts';
import { isPage } from '../../../write/people/targets.ts';
import { upserts, writeAll } from '../../table/bulk-upsert.ts';
import { componentsAround } from './components.ts';
import { Members } from './members.ts';
import { MAX_LINKING, Neighborhood } from './neighborhood.ts';
import { personRow } from './person-row.ts';
import { type AccountRow, type MemberRow, memberTable, type PersonRow, personTable } from './tables.ts';
import { accountsIn, type Touched, targetsIn } from './touched.ts';

/** Accounts that are resolved together: what they need of rows is in memory. */
const CHUNK = 2_000;

/** Accounts that were seen under several names: which of these is the last one may have changed. */
const severallyNamed = async (
  db: Queryable,
  schema: string,
  changed: readonly AccountRow[],
): Promise<readonly string[]> => {
  const named = changed.filter(({ native_id }) => native_id !== '').map(({ account }) => account);
  if (named.length === 0) return [];
  const { rows } = await db.query<{ account: string }>({
    name: `renamed of ${schema}`,
    text: `select account from ${schema}.accounts where account = any($1) group by account having count(*) > 1`,
    values: [named],
  });
  return rows.map(({ account }) => account);
};

/** How often each value occurs among what changed: a count that has passed a threshold passed it by at most that. */
const occurrences = (touched: readonly Touched[], of: (row: AccountRow) => readonly string[]) => {
  const counts = new Map<string, number>();
  for (const { before, after } of touched)
    for (const row of [before, after])
      for (const value of row === undefined ? [] : of(row)) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
};

/** Accounts that link to a page or a hub, or have a name, that has just become too common to count as before. */
const crossed = async (
  db: Queryable,
  schema: string,
  touched: readonly Touched[],
): Promise<readonly string[]> => {
  const targets = occurrences(touched, ({ targets }) => targets);
  const names = occurrences(touched, ({ name_key }) => (name_key === null ? [] : [name_key]));
  const values = [...targets];
  const { rows } = await db.query<{ account: string }>({
    name: `crossed of ${schema}`,
    text: `select l.account
      from unnest($1::text[], $2::bool[], $3::int[]) as t(target, is_page, n)
      cross join lateral (select count(*) as links, count(distinct account) as accounts from (
        select account from ${schema}.links where target = t.target limit ${MAX_LINKING} + t.n + 1) counted) c
      join ${schema}.links l on l.target = t.target
      where case when t.is_page then c.accounts > ${MAX_SHARERS} and c.accounts <= ${MAX_SHARERS} + t.n
                 else c.links > ${MAX_LINKING} and c.links <= ${MAX_LINKING} + t.n end
      union
      select a.account
      from unnest($4::text[], $5::int[]) as k(name_key, n)
      left join ${schema}.bearers b using (name_key)
      join ${schema}.accounts a using (name_key)
      where abs(coalesce(b.n, 0) - ${COMMON}) <= k.n or abs(coalesce(b.n, 0) - ${VERY_COMMON}) <= k.n`,
    values: [
      values.map(([target]) => target),
      values.map(([target]) => isPage(target)),
      values.map(([, n]) => n),
      [...names.keys()],
      [...names.values()],
    ],
  });
  return rows.map(({ account }) => account);
};

/** Accounts whose person may have become another one: those that changed, and all that are or were beside them. */
const seedsOf = async (
  db: Queryable,
  schema: string,
  graph: Neighborhood,
  touched: readonly Touched[],
  renamed: readonly string[],
): Promise<ReadonlySet<string>> => {
  const own = new Set([...accountsIn(touched), ...renamed]);
  await graph.loadAccounts(own);
  const known = [...own].flatMap((key) => graph.account(key) ?? []);
  const meant = known.flatMap(({ meant: names, everLinked }) => [...names, ...everLinked]);
  const former = touched.flatMap(({ before }) =>
    before === undefined ? [] : [`${before.platform}:${before.name}`],
  );
  const targets = [...targetsIn(touched), ...meant, ...former];
  await graph.loadTenures(targets);
  await graph.loadLinking(targets);
  const seeds = new Set([...own, ...(await crossed(db, schema, touched))]);
  for (const target of targets) {
    for (const key of graph.holders(target)) seeds.add(key);
    const linking = graph.linking(target);
    if (linking.length <= (isPage(target) ? MAX_SHARERS : MAX_LINKING))
      for (const key of linking) seeds.add(key);
  }
  for (const key of own) for (const other of graph.around(key)) seeds.add(other);
  return seeds;
};

/** Links of a graph that is loaded: each account's are looked up once. */
const remembered = (graph: Neighborhood): Links => {
  const out = new Map<string, ReadonlySet<string>>();
  return {
    out: (key) => {
      const known = out.get(key) ?? graph.out(key);
      out.set(key, known);
      return known;
    },
    sharers: (page) => graph.sharers(page),
    bearers: (nameKey) => graph.bearers(nameKey),
  };
};

interface Resolved {
  readonly members: readonly MemberRow[];
  readonly people: readonly PersonRow[];
}

const resolveSeeds = async (
  graph: Neighborhood,
  seeds: ReadonlySet<string>,
  members: Members,
): Promise<Resolved> => {
  const components = await componentsAround(graph, members, seeds);
  const accounts = components.flatMap((component) => component.accounts);
  await members.load(accounts);
  const keys = accounts.flatMap((key) => graph.account(key)?.row.name_key ?? []);
  await graph.loadBearers(keys);
  const links = remembered(graph);
  const found: { members: MemberRow[]; people: PersonRow[] } = { members: [], people: [] };
  for (const { accounts: all, crowding } of components) {
    const candidates = all.flatMap((key) => graph.account(key)?.candidate ?? []);
    for (const group of clusterOf(candidates, links, MODEL).groups) {
      const person = personRow(group, { links, model: MODEL, all: candidates }, graph);
      found.people.push(person);
      for (const { key } of group) found.members.push({ account: key, person: person.person, crowding });
    }
  }
  return found;
};

/** Writes whose accounts are now, and removes persons and accounts that are no more. */
const writeResolved = async (
  db: Queryable,
  schema: string,
  seeds: ReadonlySet<string>,
  { members, people }: Resolved,
  before: Members,
): Promise<void> => {
  const kept = new Set(people.map(({ person }) => person));
  const known = new Set(members.map(({ account }) => account));
  const goneAccounts = [...seeds].filter((key) => !known.has(key) && before.of(key) !== null);
  const gonePeople = [...new Set([...seeds, ...known])].flatMap((key) => before.of(key)?.person ?? []);
  await db.query({
    name: `remove people of ${schema}`,
    text: `with gone as (delete from ${schema}.members where account = any($1))
           delete from ${schema}.people where person = any($2)`,
    values: [goneAccounts, [...new Set(gonePeople)].filter((person) => !kept.has(person))],
  });
  const moved = members.filter(({ account, person, crowding }) => {
    const row = before.of(account);
    return row?.person !== person || row.crowding !== crowding;
  });
  await writeAll(db, schema, [upserts(memberTable, moved), upserts(personTable, people)]);
};

/**
 * Resolves the components that changed rows touch. The rows are written: what persons are is a function of them alone,
 * whatever the order was in which they were written.
 */
export const resolvePeople = async (
  db: Queryable,
  schema: string,
  touched: readonly Touched[],
  changed: readonly AccountRow[],
): Promise<void> => {
  const renamed = await severallyNamed(db, schema, changed);
  if (touched.length + renamed.length === 0) return;
  for (let from = 0; from < Math.max(touched.length, 1); from += CHUNK) {
    const part = touched.slice(from, from + CHUNK);
    const graph = new Neighborhood(db, schema);
    const seeds = await seedsOf(db, schema, graph, part, from === 0 ? renamed : []);
    const members = new Members(db, schema);
    const resolved = await resolveSeeds(graph, seeds, members);
    await writeResolved(db, schema, seeds, resolved, members);
  }
};
