/** Resolves persons after a batch: which components changed, and the rows that follow. */

import { createHash } from 'node:crypto';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, sql } from '../../../kernel/postgres/statement.ts';
import { isInDirectory } from '../../../platforms/index.ts';
import type { Candidate, Target } from '../../../write/people/account.ts';
import {
  type Context,
  clusterOf,
  evidenceOf,
  membershipOf,
  personIdOf,
} from '../../../write/people/cluster.ts';
import { type Component, componentsAround } from '../../../write/people/components.ts';
import { searchedKeys, searchedWords } from '../../../write/people/names.ts';
import { MODEL } from '../../../write/people/signals.ts';
import { deleteRows, upserts, writeAll } from '../../table/bulk.ts';
import { Neighborhood } from './neighborhood.ts';
import {
  type AccountRow,
  isLater,
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
  /** Targets that link pages began or ceased to list. */
  readonly listed: readonly Target[];
}

/**
 * Accounts whose person may have become another one: those that changed, and whom they, or pages that changed, point at or did. Who
 * else may be of one person with these is found from them, or was of one person with one of them.
 */
const seedsOf = async (
  graph: Neighborhood,
  { changes, accounts, listed }: Task,
): Promise<ReadonlySet<string>> => {
  const found = new Set([...accountsIn(changes), ...accounts]);
  const changed = [...targetsIn(changes)];
  const onPages = (await graph.loadPages(changed)).flatMap((page) => [...page.keys()]);
  const linked = new Set([...changed, ...onPages, ...listed]);
  await graph.loadTenures(linked);
  for (const target of linked) for (const key of graph.holders(target)) found.add(key);
  return found;
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

  constructor(db: Queryable, schema: string, graph: Neighborhood) {
    this.#db = db;
    this.#schema = schema;
    this.#graph = graph;
  }

  add(components: readonly Component[]): void {
    const graph = this.#graph;
    for (const { accounts, crowding } of components) {
      const all = accounts.flatMap((key) => graph.account(key)?.candidate ?? []);
      for (const group of clusterOf(all, graph, MODEL).groups) {
        const row = personRow(group, { links: graph, model: MODEL }, graph);
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
  const resolution = new Resolution(db, schema, graph);
  for (let wanted: Iterable<string> = from; ; wanted = resolution.members.keys()) {
    const known = new Set(resolution.members.keys());
    const seeds = [...(await resolution.seed(wanted))].filter((key) => !known.has(key));
    if (seeds.length === 0) return resolution;
    const components = await componentsAround(graph, new Set(seeds));
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
  { changes, accounts, listed }: Task,
): Promise<void> => {
  const longest = Math.max(changes.length, accounts.length, listed.length);
  for (let from = 0; from < longest; from += CHUNK) {
    const to = from + CHUNK;
    const graph = new Neighborhood(db, schema);
    const seeds = await seedsOf(graph, {
      changes: changes.slice(from, to),
      accounts: accounts.slice(from, to),
      listed: listed.slice(from, to),
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
