/** Resolves persons after a batch: which components changed, and the rows that follow. */

import { createHash } from 'node:crypto';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../../kernel/postgres/statement.ts';
import { isInDirectory } from '../../../platforms/index.ts';
import {
  type Candidate,
  COMMON,
  isPage,
  type Links,
  MAX_SHARERS,
  type Target,
  VERY_COMMON,
} from '../../../write/people/account.ts';
import {
  type Context,
  clusterOf,
  evidenceOf,
  membershipOf,
  personIdOf,
} from '../../../write/people/cluster.ts';
import { searchedKeys, searchedWords } from '../../../write/people/names.ts';
import { MODEL } from '../../../write/people/signals.ts';
import { deleteRows, upserts, writeAll } from '../../table/bulk.ts';
import {
  type Component,
  componentsAround,
  Edges,
  isLater,
  MAX_LINKING,
  Neighborhood,
} from './neighborhood.ts';
import {
  type AccountRow,
  type MemberRow,
  memberTable,
  type PersonMembers,
  type PersonRow,
  personTable,
  rankOf,
  type WordRow,
  wordTable,
} from './tables.ts';

const memberOf = (
  account: Candidate,
  group: readonly Candidate[],
  context: Context,
): PersonMembers[number] => {
  const membership = membershipOf(account, group, context);
  if (membership === null) return { account: account.key, log_odds: null, evidence: [] };
  const evidence = evidenceOf(membership, context.model.weights, context.links);
  // What is shown adds up: rounded weights, and their sum.
  const sum = evidence.reduce((total, { weight }) => total + weight, 0);
  return { account: account.key, log_odds: Math.round(sum * 100) / 100, evidence };
};

/** The accounts of a person, those with more followers first; those of LinkedIn last, as their followers are not for all. */
const listed = (group: readonly Candidate[], graph: Pick<Neighborhood, 'account'>) => {
  const ranked = group.map((candidate) => ({
    candidate,
    rank: rankOf(graph.account(candidate.key)?.row.followers ?? null),
  }));
  const shown = ranked
    .filter(({ candidate }) => isInDirectory(candidate.platform))
    .toSorted((a, b) => b.rank - a.rank || (a.candidate.key < b.candidate.key ? -1 : 1));
  return { shown, hidden: ranked.filter(({ candidate }) => !isInDirectory(candidate.platform)) };
};

const fingerprintOf = (row: Omit<PersonRow, 'fingerprint'>): string =>
  createHash('sha1').update(JSON.stringify(row)).digest('base64url');

/** The row of a person. Names and sizes of LinkedIn are shown and found only where there is no other account. */
const personRow = (
  group: readonly Candidate[],
  context: Context,
  graph: Pick<Neighborhood, 'account'>,
): PersonRow => {
  const { shown, hidden } = listed(group, graph);
  const seen = (shown.length > 0 ? shown : hidden).map(({ candidate }) => candidate);
  const ranks = (shown.length > 0 ? shown : hidden).map(({ rank }) => rank);
  const row = {
    person: personIdOf((group[0] as Candidate).key),
    display_name: seen.find(({ displayName }) => displayName !== null)?.displayName ?? null,
    members: [...shown, ...hidden].map(({ candidate }) => memberOf(candidate, group, context)),
    platforms: [...new Set(group.map(({ platform }) => platform))].toSorted(),
    rank: Math.max(...ranks),
    words: searchedWords(seen),
    is_linkedin_only: shown.length === 0,
    accounts: group.map(({ key }) => key),
  };
  return { ...row, fingerprint: fingerprintOf(row) };
};

/** A person as its row is until now. */
type FormerPerson = Pick<PersonRow, 'person' | 'accounts' | 'fingerprint' | 'rank' | 'words'>;

const loadPersons = async (
  db: Queryable,
  schema: string,
  persons: readonly string[],
): Promise<readonly FormerPerson[]> => {
  if (persons.length === 0) return [];
  const { rows } = await db.query<FormerPerson>(sql.named(`persons of ${schema}`)`
    select person, accounts, fingerprint, rank, words from ${ident(schema)}.people where person = any(${persons})`);
  return rows;
};

type Searched = Pick<PersonRow, 'person' | 'rank' | 'words'>;

const wordsOf = ({ person, rank, words }: Searched): readonly WordRow[] =>
  [...searchedKeys(words)].map((word) => ({ rank, word, person }));

/** Rows of words that a person has and another one had not: all of them if it has moved in the list. */
const wordsBeyond = (row: Searched, other: Searched | undefined): readonly WordRow[] => {
  if (other === undefined || other.rank !== row.rank) return wordsOf(row);
  if (other.words === row.words) return [];
  const known = searchedKeys(other.words);
  return wordsOf(row).filter(({ word }) => !known.has(word));
};

/** Rows of words that are new with persons as they are now, and those that are no more. */
const wordChanges = (
  former: ReadonlyMap<string, Searched>,
  now: ReadonlyMap<string, Searched>,
): { readonly added: readonly WordRow[]; readonly removed: readonly WordRow[] } => ({
  added: [...now.values()].flatMap((row) => wordsBeyond(row, former.get(row.person))),
  removed: [...former.values()].flatMap((row) => wordsBeyond(row, now.get(row.person))),
});

/** Accounts that are resolved together: what they need of rows is in memory. */
const CHUNK = 2_000;

/** What is to be resolved. */
interface Task {
  readonly changes: readonly Changed[];
  /** More accounts whose edges may have changed. */
  readonly accounts: readonly string[];
  /** Accounts with edges that others have changed. */
  readonly seeds: readonly string[];
}

/** Accounts whose person may have become another one: those that changed, and all that are or were beside them. */
const seedsOf = async (
  graph: Neighborhood,
  { changes, accounts, seeds }: Task,
): Promise<ReadonlySet<string>> => {
  const own = new Set([...accountsIn(changes), ...accounts]);
  await graph.loadAccounts(own);
  const known = [...own].flatMap((key) => graph.account(key) ?? []);
  const former = changes.flatMap(({ before }) =>
    before === undefined ? [] : [`${before.platform}:${before.name}`],
  );
  const meant = new Set([...known.flatMap((account) => account.meant), ...former]);
  const linked = new Set([
    ...targetsIn(changes),
    ...known.flatMap(({ everLinked }) => [...everLinked.keys()]),
  ]);
  const pages = [...linked].filter(isPage);
  await graph.loadTenures([...linked, ...meant]);
  await graph.loadLinking([...meant, ...pages], linked);
  const found = new Set([...own, ...seeds]);
  for (const target of linked) for (const key of graph.holders(target)) found.add(key);
  for (const target of meant) {
    for (const key of graph.holders(target)) found.add(key);
    for (const key of graph.linking(target)) found.add(key);
  }
  for (const page of pages)
    if (graph.sharers(page) <= MAX_SHARERS) for (const key of graph.linking(page)) found.add(key);
  return found;
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

/** Persons of components, beside those that their accounts are of until now. */
class Resolution {
  readonly members = new Map<string, MemberRow>();
  readonly people = new Map<string, PersonRow>();
  readonly former = new Map<string, FormerPerson>();
  readonly seeds = new Set<string>();
  readonly #db: Queryable;
  readonly #schema: string;
  readonly #graph: Neighborhood;
  readonly #links: Links;

  constructor(db: Queryable, schema: string, graph: Neighborhood) {
    this.#db = db;
    this.#schema = schema;
    this.#graph = graph;
    this.#links = remembered(graph);
  }

  add(components: readonly Component[]): void {
    const [graph, links] = [this.#graph, this.#links];
    for (const { accounts, crowding } of components) {
      const all = accounts.flatMap((key) => graph.account(key)?.candidate ?? []);
      for (const group of clusterOf(all, links, MODEL).groups) {
        const row = personRow(group, { links, model: MODEL, all }, graph);
        this.people.set(row.person, row);
        for (const { key: account } of group)
          this.members.set(account, { account, person: row.person, crowding });
      }
    }
  }

  /** Adds accounts, and all that are of one person with one of these until now, to those that are resolved. */
  async seed(keys: Iterable<string>): Promise<ReadonlySet<string>> {
    const fresh = new Set([...keys].filter((key) => !this.seeds.has(key)));
    await this.#graph.loadAccounts(fresh);
    const persons = new Set([...fresh].flatMap((key) => this.#graph.memberOf(key)?.person ?? []));
    const unread = [...persons].filter((person) => !this.former.has(person));
    for (const row of await loadPersons(this.#db, this.#schema, unread)) {
      this.former.set(row.person, row);
      for (const key of row.accounts) if (!this.seeds.has(key)) fresh.add(key);
    }
    await this.#graph.loadAccounts(fresh);
    for (const key of fresh) this.seeds.add(key);
    return fresh;
  }

  /** Accounts that are no more: those that have shown a native ID have another key. */
  gone(): readonly string[] {
    return [...this.seeds].filter((key) => !this.members.has(key) && this.#graph.memberOf(key) !== null);
  }
}

/**
 * Resolves the components of seeds, and with them those of every account that was of one person with one of these: none is
 * left with a person that is no more.
 */
const resolve = async (
  db: Queryable,
  schema: string,
  graph: Neighborhood,
  from: ReadonlySet<string>,
): Promise<Resolution> => {
  const edges = new Edges(graph);
  const resolution = new Resolution(db, schema, graph);
  for (let wanted: Iterable<string> = from; ; wanted = resolution.members.keys()) {
    const known = new Set(resolution.members.keys());
    const seeds = [...(await resolution.seed(wanted))].filter((key) => !known.has(key));
    if (seeds.length === 0) return resolution;
    const components = await componentsAround(edges, new Set(seeds));
    const accounts = components.flatMap((component) => component.accounts);
    await graph.loadBearers(accounts.flatMap((key) => graph.account(key)?.row.name_key ?? []));
    resolution.add(components);
  }
};

/** Writes whose accounts are now, and removes persons and accounts that are no more. */
const write = async (
  db: Queryable,
  schema: string,
  graph: Neighborhood,
  resolution: Resolution,
): Promise<void> => {
  const { former, people } = resolution;
  const goneAccounts = resolution.gone();
  const gonePeople = [...former.keys()].filter((person) => !people.has(person));
  if (goneAccounts.length + gonePeople.length > 0)
    await db.query(sql.named(`remove people of ${schema}`)`
      with gone as (delete from ${ident(schema)}.members where account = any(${goneAccounts}))
      delete from ${ident(schema)}.people where person = any(${gonePeople})`);
  const moved = [...resolution.members.values()].filter(({ account, person, crowding }) => {
    const row = graph.memberOf(account);
    return row?.person !== person || row.crowding !== crowding;
  });
  const changed = [...people.values()].filter(
    ({ person, fingerprint }) => former.get(person)?.fingerprint !== fingerprint,
  );
  const words = wordChanges(former, people);
  await deleteRows(db, schema, wordTable, words.removed);
  await writeAll(db, schema, [
    upserts(memberTable, moved),
    upserts(personTable, changed),
    upserts(wordTable, words.added),
  ]);
};

/**
 * Resolves the components that changed rows touch. The rows are written: what persons are is a function of them alone,
 * whatever the order was in which they were written.
 */
export const resolvePeople = async (
  db: Queryable,
  schema: string,
  { changes, accounts }: Omit<Task, 'seeds'>,
): Promise<void> => {
  const crossed = await crossedBy(db, schema, changes);
  const longest = Math.max(changes.length, accounts.length, crossed.length);
  for (let from = 0; from < longest; from += CHUNK) {
    const to = from + CHUNK;
    const graph = new Neighborhood(db, schema);
    const seeds = await seedsOf(graph, {
      changes: changes.slice(from, to),
      accounts: accounts.slice(from, to),
      seeds: crossed.slice(from, to),
    });
    await write(db, schema, graph, await resolve(db, schema, graph, seeds));
  }
};

/** A row that a batch changed; `after` is undefined if another row has taken its position. */
export interface Changed {
  readonly before: AccountRow | undefined;
  readonly after: AccountRow | undefined;
}

const accountsIn = (changes: readonly Changed[]): ReadonlySet<string> =>
  new Set(changes.flatMap(({ before, after }) => [before?.account ?? [], after?.account ?? []].flat()));

const targetsIn = (changes: readonly Changed[]): ReadonlySet<Target> =>
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
const crossedBy = async (
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
