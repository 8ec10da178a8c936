/** Accounts and their links, read from the rows of a build. */

import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, sql } from '../../../kernel/postgres/statement.ts';
import { handleIn } from '../../../platforms/index.ts';
import {
  type Candidate,
  isId,
  isPage,
  nameMeant,
  type Pointer,
  type Target,
} from '../../../write/people/account.ts';
import type { Graph } from '../../../write/people/components.ts';
import { type DriverRow, driverReader } from '../../table/table.ts';
import {
  type AccountRow,
  accountTable,
  candidateIn,
  isLater,
  type MemberRow,
  type PageRow,
  pageTable,
  tenuresOf,
} from './tables.ts';

const accountOfRow = driverReader(accountTable);
const pageOfRow = driverReader(pageTable);

/** When a link was first seen, and whether it was not there before: links of a first reading may be older. */
interface Seen {
  readonly at: string;
  readonly isNew: boolean;
}
type Dated = ReadonlyMap<Target, Seen>;

/** An account with what it showed last, under whichever name. */
export interface Account {
  readonly row: AccountRow;
  readonly candidate: Candidate;
  /** Targets of everything that it showed last under any name. */
  readonly everLinked: Dated;
}

type Membership = Pick<MemberRow, 'person' | 'crowding'>;

/** A key that was asked for, and whose its account is. */
type LoadedMember = { readonly key: string; readonly person: string | null; readonly crowding: number };

/** Who had a name, and from when on. */
type Tenure = Pick<AccountRow, 'platform' | 'name' | 'account' | 'since'>;

const nameTarget = ({ platform, name }: Pick<AccountRow, 'platform' | 'name'>): Target =>
  `${platform}:${name}`;

/** An account that has another name links as before: a link is as old as under any of its names. */
const everLinkedIn = (rows: readonly AccountRow[]): Dated => {
  const first = rows.reduce((least, { since }) => (since < least ? since : least), '9');
  const since = new Map<Target, string>();
  for (const { targets, targets_at } of rows)
    for (const [n, target] of targets.entries()) {
      const [at, known] = [targets_at[n] as string, since.get(target)];
      if (known === undefined || at < known) since.set(target, at);
    }
  return new Map([...since].map(([target, at]) => [target, { at, isNew: at > first }]));
};

const accountOf = (rows: readonly AccountRow[]): Account => {
  const row = rows.reduce((a, b) => (isLater(b, a) ? b : a));
  return {
    row,
    candidate: candidateIn(row, handleIn(row.platform, row.name)),
    everLinked: everLinkedIn(rows),
  };
};

const datedIn = ({ targets, targets_at, since }: PageRow): Dated =>
  new Map(
    targets.map((target, n) => {
      const at = targets_at[n] as string;
      return [target, { at, isNew: since !== null && at > since }];
    }),
  );

/**
 * Accounts around those that changed, read from the rows of a build as they are needed. Its statements look each key up
 * (`lateral`, and `offset 0` keeps that): from some hundred keys on the planner would read tables of medium size whole.
 */
export class Neighborhood implements Graph {
  readonly #db: Queryable;
  readonly #schema: string;
  readonly #accounts = new Map<string, Account | null>();
  readonly #members = new Map<string, Membership>();
  readonly #tenures = new Map<Target, readonly Tenure[]>();
  readonly #pages = new Map<Target, Dated>();
  readonly #out = new Map<string, ReadonlyMap<string, Pointer>>();

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
    const found = rows.flatMap(({ key, person, crowding, ...account }) => {
      if (person !== null) this.#members.set(key, { person, crowding });
      return account.account === null ? [] : [{ key, account: accountOfRow<AccountRow>(account) }];
    });
    for (const [key, tenures] of Map.groupBy(found, (each) => each.key))
      this.#accounts.set(key, accountOf(tenures.map(({ account }) => account)));
  }

  async load(keys: readonly string[]): Promise<void> {
    await this.loadAccounts(keys);
    const linked = keys.flatMap((key) => [...(this.account(key)?.row.targets ?? [])]);
    const pages = await this.loadPages(linked);
    await this.loadTenures([...linked, ...pages.flatMap((page) => [...page.keys()])]);
  }

  candidate(key: string): Candidate | undefined {
    return this.account(key)?.candidate;
  }

  crowding(key: string): number {
    return this.memberOf(key)?.crowding ?? 0;
  }

  /** Who had the names that are linked to. */
  async loadTenures(targets: Iterable<Target>): Promise<void> {
    const names = [...targets].flatMap((target) => nameMeant(target) ?? []);
    const wanted = [...new Set(names)].filter((target) => !this.#tenures.has(target));
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

  /** Everyone who ever had the name that a target means. */
  holders(target: Target): readonly string[] {
    if (isId(target)) return [target];
    const name = nameMeant(target);
    return name === null ? [] : (this.#tenures.get(name) ?? []).map(({ account }) => account);
  }

  out(key: string): ReadonlyMap<string, Pointer> {
    const pointers = this.#out.get(key) ?? this.#pointersOf(key);
    this.#out.set(key, pointers);
    return pointers;
  }

  /** What link pages list, of those among some targets that have been read. */
  async loadPages(targets: readonly Target[]): Promise<readonly Dated[]> {
    const pages = [...new Set(targets)].filter(isPage);
    const wanted = pages.filter((page) => !this.#pages.has(page));
    if (wanted.length > 0) {
      for (const page of wanted) this.#pages.set(page, new Map());
      const { rows } = await this.#db.query<DriverRow<PageRow>>(sql.named(`pages of ${this.#schema}`)`
        select p.* from unnest(${wanted}::text[]) as k(page) cross join lateral
          (select * from ${ident(this.#schema)}.pages where page = k.page offset 0) p`);
      for (const row of rows) {
        const page = pageOfRow<PageRow>(row);
        this.#pages.set(page.page, datedIn(page));
      }
    }
    return pages.flatMap((page) => this.#pages.get(page) ?? []);
  }

  #pointersOf(key: string): ReadonlyMap<string, Pointer> {
    const found = new Map<string, Pointer>();
    const from = this.account(key);
    if (from === undefined) return found;
    for (const target of from.row.targets) {
      for (const to of this.#ownPage(target, key)) if (!found.has(to)) found.set(to, 'page');
      const meant = this.#meant(target, from.everLinked.get(target));
      if (meant !== null && found.get(meant.key) !== 'dated') found.set(meant.key, meant.pointer);
    }
    found.delete(key);
    return found;
  }

  /** Whom a page lists that lists the account too: it is its own. */
  #ownPage(target: Target, key: string): readonly string[] {
    const listed = [...(this.#pages.get(target) ?? [])].flatMap(
      ([each, at]) => this.#meant(each, at)?.key ?? [],
    );
    return listed.includes(key) ? listed : [];
  }

  /** Whom a link means: who had the name when it was first seen, or else who was the first to have it. */
  #meant(target: Target, seen?: Seen): { readonly key: string; readonly pointer: Pointer } | null {
    if (isId(target)) return { key: target, pointer: 'dated' };
    const name = nameMeant(target);
    const tenures = name === null ? [] : (this.#tenures.get(name) ?? []);
    const holder = seen && tenures.findLast(({ since }) => since <= seen.at);
    const meant = holder ?? tenures[0];
    if (meant === undefined) return null;
    return { key: meant.account, pointer: holder !== undefined && seen?.isNew ? 'dated' : 'undated' };
  }
}
