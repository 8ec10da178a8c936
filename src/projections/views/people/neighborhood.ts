/** The accounts around those that changed, and the components that they form. */

import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../../kernel/postgres/statement.ts';
import { handleIn } from '../../../platforms/index.ts';
import {
  type Candidate,
  isPage,
  type Links,
  MAX_SHARERS,
  type Target,
  VERY_COMMON,
} from '../../../write/people/account.ts';
import { type Edge, edgeBetween, MAX_COMPONENT } from '../../../write/people/signals.ts';
import { type DriverRow, driverReader } from '../../table/table.ts';
import { type AccountRow, accountTable, candidateIn, type MemberRow, tenuresOf } from './tables.ts';

const accountOfRow = driverReader(accountTable);

/** An account that so many link to is a hub, as a star with its fans: only those that it links to as well count. */
export const MAX_LINKING = 200;

/** An account with what it showed last, under whichever name, and the targets of links that mean it. */
export interface Account {
  readonly row: AccountRow;
  readonly candidate: Candidate;
  readonly meant: readonly Target[];
  /** Targets of everything that it showed last under any name, each with when it began to link to it. */
  readonly everLinked: ReadonlyMap<Target, string>;
}

type Membership = Pick<MemberRow, 'person' | 'crowding'>;

/** A key that was asked for, and whose its account is. */
type LoadedMember = { readonly key: string; readonly person: string | null; readonly crowding: number };

/** Who had a name, and from when on. */
type Tenure = Pick<AccountRow, 'platform' | 'name' | 'account' | 'since'>;

type LastSeen = Pick<AccountRow, 'name' | 'seen_at' | 'identified_at'>;

/** As `LAST_TENURE`. */
export const isLater = (a: LastSeen, b: LastSeen): boolean => {
  if (a.identified_at !== b.identified_at) return a.identified_at > b.identified_at;
  return a.seen_at === b.seen_at ? a.name < b.name : a.seen_at > b.seen_at;
};

/** Whether a target is an account by its native ID: it means that account, whatever names there are. */
const isId = (target: Target): boolean => target.includes(':id:');
const isName = (target: Target): boolean => !isPage(target) && !isId(target);

const nameTarget = ({ platform, name }: Pick<AccountRow, 'platform' | 'name'>): Target =>
  `${platform}:${name}`;

/** An account that has another name links as before: a link is as old as under any of its names. */
const everLinkedIn = (rows: readonly AccountRow[]): ReadonlyMap<Target, string> => {
  const since = new Map<Target, string>();
  for (const { targets, targets_at } of rows)
    for (const [n, target] of targets.entries()) {
      const [at, known] = [targets_at[n] as string, since.get(target)];
      if (known === undefined || at < known) since.set(target, at);
    }
  return since;
};

const accountOf = (rows: readonly AccountRow[]): Account => {
  const row = rows.reduce((a, b) => (isLater(b, a) ? b : a));
  return {
    row,
    candidate: candidateIn(row, handleIn(row.platform, row.name)),
    meant: [...new Set([...rows.map(nameTarget), row.account])],
    everLinked: everLinkedIn(rows),
  };
};

/**
 * Accounts around those that changed, read from the rows of a build as they are needed. Its statements look each key up
 * (`lateral`, and `offset 0` keeps that): from some hundred keys on the planner would read tables of medium size whole.
 */
export class Neighborhood implements Links {
  readonly #db: Queryable;
  readonly #schema: string;
  readonly #accounts = new Map<string, Account | null>();
  readonly #members = new Map<string, Membership>();
  readonly #tenures = new Map<Target, readonly Tenure[]>();
  readonly #linking = new Map<Target, readonly string[]>();
  readonly #counted = new Set<Target>();
  readonly #hubs = new Set<Target>();
  readonly #bearers = new Map<string, number>();

  constructor(db: Queryable, schema: string) {
    this.#db = db;
    this.#schema = schema;
  }

  /** An account that was loaded; undefined if there is none. */
  account(key: string): Account | undefined {
    return this.#accounts.get(key) ?? undefined;
  }

  /** Whose an account that was loaded is until now; null if it is none's. */
  memberOf(key: string): Membership | null {
    return this.#members.get(key) ?? null;
  }

  async loadAccounts(keys: Iterable<string>): Promise<void> {
    const wanted = [...new Set(keys)].filter((key) => !this.#accounts.has(key));
    if (wanted.length === 0) return;
    for (const key of wanted) this.#accounts.set(key, null);
    const { rows } = await this.#db.query<DriverRow<AccountRow> & LoadedMember>(sql.named(
      `accounts of ${this.#schema}`,
    )`
      select a.*, k.key, m.person, m.crowding from unnest(${wanted}::text[]) as k(key)
      left join lateral (select * from ${ident(this.#schema)}.accounts where account = k.key offset 0) a on true
      left join lateral (select person, crowding from ${ident(this.#schema)}.members
        where account = k.key offset 0) m on true`);
    const found = new Map<string, AccountRow[]>();
    for (const row of rows) {
      const { key, person, crowding, ...account } = row;
      if (person !== null) this.#members.set(key, { person, crowding });
      if (account.account !== null)
        found.getOrInsertComputed(key, () => []).push(accountOfRow<AccountRow>(account));
    }
    for (const [key, tenures] of found) this.#accounts.set(key, accountOf(tenures));
  }

  /** Who had the names that are linked to. */
  async loadTenures(targets: Iterable<Target>): Promise<void> {
    const wanted = [...new Set(targets)].filter((target) => isName(target) && !this.#tenures.has(target));
    if (wanted.length === 0) return;
    for (const target of wanted) this.#tenures.set(target, []);
    const { rows } = await this.#db.query<Tenure>(
      tenuresOf(this.#schema, 'platform, name, account, since', {
        platforms: wanted.map((target) => target.slice(0, target.indexOf(':'))),
        names: wanted.map((target) => target.slice(target.indexOf(':') + 1)),
      }).with({ name: `tenures of ${this.#schema}` }),
    );
    for (const [target, tenures] of Map.groupBy(rows, nameTarget))
      this.#tenures.set(
        target,
        tenures.toSorted((a, b) =>
          a.since === b.since ? (a.account < b.account ? -1 : 1) : a.since < b.since ? -1 : 1,
        ),
      );
  }

  /** Who links to each target, but for hubs; of more targets whether they are hubs. */
  async loadLinking(targets: Iterable<Target>, counted: Iterable<Target> = []): Promise<void> {
    const wanted = [...new Set(targets)].filter((target) => !this.#linking.has(target));
    for (const target of wanted) this.#linking.set(target, []);
    const more = [...new Set(counted)].filter(
      (target) => !this.#linking.has(target) && !this.#counted.has(target),
    );
    for (const target of [...wanted, ...more]) this.#counted.add(target);
    if (wanted.length + more.length === 0) return;
    const { rows } = await this.#db.query<{ target: Target; account: string | null }>(sql.named(
      `linking of ${this.#schema}`,
    )`
      select t.target, l.account from unnest(${wanted}::text[]) as t(target)
      cross join lateral (select account from ${ident(this.#schema)}.links where target = t.target
        limit ${raw(MAX_LINKING + 1)}) l
      union all
      select t.target, null from unnest(${more}::text[]) as t(target)
      cross join lateral (select from ${ident(this.#schema)}.links
        where target = t.target offset ${raw(MAX_LINKING)} limit 1) l`);
    const found = new Map<Target, string[]>();
    for (const { target, account } of rows) {
      if (account === null) this.#hubs.add(target);
      else found.getOrInsertComputed(target, () => []).push(account);
    }
    for (const [target, accounts] of found) {
      if (accounts.length > MAX_LINKING) this.#hubs.add(target);
      else this.#linking.set(target, [...new Set(accounts)]);
    }
  }

  async loadBearers(nameKeys: Iterable<string>): Promise<void> {
    const wanted = [...new Set(nameKeys)].filter((key) => !this.#bearers.has(key));
    if (wanted.length === 0) return;
    for (const key of wanted) this.#bearers.set(key, 0);
    const { rows } = await this.#db.query<{ name_key: string; n: string }>(sql.named(
      `bearers of ${this.#schema}`,
    )`
      select name_key, least(n, ${raw(VERY_COMMON)}) as n from ${ident(this.#schema)}.bearers
        where name_key = any(${wanted})`);
    for (const { name_key, n } of rows) this.#bearers.set(name_key, Number(n));
  }

  bearers(nameKey: string): number {
    return this.#bearers.get(nameKey) ?? 0;
  }

  sharers(page: Target): number {
    return this.isHub(page) ? MAX_LINKING + 1 : this.linking(page).length;
  }

  isHub(target: Target): boolean {
    return this.#hubs.has(target);
  }

  linking(target: Target): readonly string[] {
    return this.#linking.get(target) ?? [];
  }

  /** Everyone who ever had the name that a target means. */
  holders(target: Target): readonly string[] {
    return isId(target) ? [target] : (this.#tenures.get(target) ?? []).map(({ account }) => account);
  }

  out(key: string): ReadonlySet<string> {
    const from = this.account(key);
    const found = new Set<string>();
    if (from === undefined) return found;
    for (const target of from.row.targets) {
      const to = this.#meant(target, from);
      if (to === null) continue;
      if (!this.isHub(target) || this.#linksBack(to, from)) found.add(to);
    }
    return found;
  }

  /** Keys of the accounts that may have an edge with an account. */
  around(key: string): ReadonlySet<string> {
    const own = this.account(key);
    const found = new Set<string>();
    if (own === undefined) return found;
    for (const target of own.row.targets) {
      if (isPage(target)) {
        if (this.sharers(target) <= MAX_SHARERS) for (const other of this.linking(target)) found.add(other);
      } else {
        const to = this.#meant(target, own);
        if (to !== null) found.add(to);
      }
    }
    for (const target of own.meant) {
      if (!this.isHub(target)) for (const other of this.linking(target)) found.add(other);
    }
    found.delete(key);
    return found;
  }

  /** Whom a link means: who had the name when the link was made, or who was the first to have it. */
  #meant(target: Target, { everLinked }: Account): string | null {
    if (isPage(target)) return null;
    if (isId(target)) return target;
    const at = everLinked.get(target) ?? '';
    const tenures = this.#tenures.get(target) ?? [];
    return (tenures.findLast(({ since }) => since <= at) ?? tenures[0])?.account ?? null;
  }

  #linksBack(key: string, to: Account): boolean {
    const from = this.account(key);
    return (
      from?.row.targets.some(
        (target) => to.meant.includes(target) && this.#meant(target, from) === to.row.account,
      ) ?? false
    );
  }
}

/** Accounts that are resolved together. */
export interface Component {
  readonly accounts: readonly string[];
  /**
   * 0 usually; 1 if it is a part of one with too many accounts, in which links in both directions count alone; 2 if even
   * these connect too many.
   */
  readonly crowding: number;
}

interface Near {
  readonly key: string;
  readonly edge: Exclude<Edge, null>;
}

/** Edges of accounts, found in waves: each wave reads what all of its accounts need together. */
export class Edges {
  readonly #graph: Neighborhood;
  readonly #near = new Map<string, readonly Near[]>();

  constructor(graph: Neighborhood) {
    this.#graph = graph;
  }

  crowding(key: string): number {
    return this.#graph.memberOf(key)?.crowding ?? 0;
  }

  of(key: string): readonly Near[] {
    return this.#near.get(key) ?? [];
  }

  async expand(keys: readonly string[]): Promise<void> {
    const fresh = keys.filter((key) => !this.#near.has(key));
    if (fresh.length === 0) return;
    const graph = this.#graph;
    await graph.loadAccounts(fresh);
    const known = fresh.flatMap((key) => graph.account(key) ?? []);
    const targets = known.flatMap(({ row }) => row.targets);
    const meant = known.flatMap((account) => account.meant);
    await graph.loadTenures([...targets, ...meant]);
    await graph.loadLinking([...targets.filter(isPage), ...meant], targets);
    await graph.loadAccounts(fresh.flatMap((key) => [...graph.around(key)]));
    for (const key of fresh) this.#near.set(key, this.#edgesOf(key));
  }

  #edgesOf(key: string): readonly Near[] {
    const own = this.#graph.account(key);
    if (own === undefined) return [];
    return [...this.#graph.around(key)].flatMap((other) => {
      const candidate = this.#graph.account(other)?.candidate;
      const edge = candidate === undefined ? null : edgeBetween(own.candidate, candidate, this.#graph);
      return edge === null ? [] : [{ key: other, edge }];
    });
  }
}

/** Sets of accounts that are known to be connected (Tarjan 1975). */
class Sets {
  readonly #parent = new Map<string, string>();
  readonly #members = new Map<string, string[]>();

  root(key: string): string {
    let at = key;
    for (let up = this.#parent.get(at); up !== undefined && up !== at; up = this.#parent.get(at)) at = up;
    if (at !== key) this.#parent.set(key, at);
    return at;
  }

  members(key: string): readonly string[] {
    const root = this.root(key);
    return this.#members.get(root) ?? [root];
  }

  join(a: string, b: string): void {
    const [one, other] = [this.root(a), this.root(b)];
    if (one === other) return;
    const [large, small] =
      this.members(one).length >= this.members(other).length ? [one, other] : [other, one];
    const members = [...this.members(large)];
    members.push(...this.members(small));
    this.#members.set(large, members);
    this.#members.delete(small);
    this.#parent.set(small, large);
  }
}

interface Reach {
  readonly kinds: readonly Edge[];
  /** How crowded an account has to be marked for its set to be followed no further than `MAX_COMPONENT`. */
  readonly crowding: number;
}

/**
 * Connected accounts, from some on. Sets larger than a component are followed only through accounts that are not marked as
 * in such a set yet, so that a huge one costs its newcomers alone.
 */
const connect = async (
  edges: Edges,
  from: Iterable<string>,
  { kinds, crowding }: Reach,
): Promise<{ readonly sets: Sets; readonly reached: ReadonlySet<string> }> => {
  const sets = new Sets();
  const reached = new Set(from);
  let wave = [...reached];
  while (wave.length > 0) {
    await edges.expand(wave);
    const next = new Set<string>();
    for (const key of wave)
      for (const { key: other, edge } of edges.of(key)) {
        if (!kinds.includes(edge)) continue;
        sets.join(key, other);
        if (!reached.has(other)) next.add(other);
      }
    wave = [...next].filter(
      (key) => edges.crowding(key) < crowding || sets.members(key).length <= MAX_COMPONENT,
    );
    for (const key of wave) reached.add(key);
  }
  return { sets, reached };
};

/**
 * The components that some accounts are in. One with more than `MAX_COMPONENT` accounts falls into those that links in
 * both directions form, which no stranger can add to; what of these is too large falls apart.
 */
export const componentsAround = async (
  edges: Edges,
  seeds: ReadonlySet<string>,
): Promise<readonly Component[]> => {
  const found: Component[] = [];
  const collect = (
    { sets, reached }: Awaited<ReturnType<typeof connect>>,
    crowding: number,
  ): readonly string[] => {
    const large: string[] = [];
    const done = new Set<string>();
    for (const key of reached) {
      const accounts = sets.members(key);
      if (accounts.length > MAX_COMPONENT) large.push(key);
      else if (!done.has(sets.root(key))) found.push({ accounts, crowding });
      done.add(sets.root(key));
    }
    return large;
  };
  const all = await connect(edges, seeds, { kinds: ['strong', 'weak'], crowding: 1 });
  const large = collect(all, 0);
  if (large.length === 0) return found;
  const mutual = await connect(edges, large, { kinds: ['strong'], crowding: 2 });
  for (const key of collect(mutual, 1)) found.push({ accounts: [key], crowding: 2 });
  return found;
};
