import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { RAW_TYPES } from '../../../kernel/postgres/raw-types.ts';
import { handleIn } from '../../../write/accounts/handle.ts';
import { type Candidate, candidateOf, decadeOf } from '../../../write/people/account.ts';
import { type Links, MAX_SHARERS, VERY_COMMON } from '../../../write/people/links.ts';
import { isPage, type Target } from '../../../write/people/targets.ts';
import { pairCondition } from '../../table/bulk-upsert.ts';
import { textReader } from '../../table/rows.ts';
import { columnsExcept } from '../../table/table.ts';
import { type AccountRow, accountTable } from './tables.ts';

const TENURE = textReader(accountTable, ['platform', 'name', 'account', 'since']);
const ACCOUNT = textReader(accountTable, columnsExcept(accountTable, []));

/** An account that so many link to is a hub, as a star with its fans: only those that it links to as well count. */
export const MAX_LINKING = 200;

/** An account with what it showed last, under whichever name, and the targets of links that mean it. */
export interface Account {
  readonly row: AccountRow;
  readonly candidate: Candidate;
  readonly meant: readonly Target[];
  /** Targets of everything that it showed last under any name. */
  readonly everLinked: readonly Target[];
}

/** Who had a name, and from when on. */
type Tenure = Pick<AccountRow, 'platform' | 'name' | 'account' | 'since'>;

/** As `LAST_TENURE`. */
const isLater = (a: AccountRow, b: AccountRow): boolean => {
  if (a.identified_at !== b.identified_at) return a.identified_at > b.identified_at;
  return a.seen_at === b.seen_at ? a.name < b.name : a.seen_at > b.seen_at;
};

const nameTarget = ({ platform, name }: Pick<AccountRow, 'platform' | 'name'>): Target =>
  `${platform}:${name}`;

const accountOf = (rows: readonly AccountRow[]): Account => {
  const row = rows.reduce((a, b) => (isLater(b, a) ? b : a));
  const { account: key, platform, name } = row;
  return {
    row,
    candidate: candidateOf(
      { key, platform, handle: handleIn(platform, name) },
      {
        displayName: row.display_name,
        intro: row.intro,
        picture: row.picture,
        targets: row.targets,
        isDisclaimed: row.is_disclaimed,
        decade: decadeOf(row.followers),
      },
    ),
    meant: [...new Set([...rows.map(nameTarget), key])],
    everLinked: rows.flatMap(({ targets }) => targets),
  };
};

/** Accounts around those that changed, read from the rows of a build as they are needed. */
export class Neighborhood implements Links {
  readonly #db: Queryable;
  readonly #schema: string;
  readonly #accounts = new Map<string, Account | null>();
  readonly #tenures = new Map<Target, readonly Tenure[]>();
  readonly #linking = new Map<Target, readonly string[]>();
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

  async loadAccounts(keys: Iterable<string>): Promise<void> {
    const wanted = [...new Set(keys)].filter((key) => !this.#accounts.has(key));
    if (wanted.length === 0) return;
    for (const key of wanted) this.#accounts.set(key, null);
    const { rows } = await this.#db.query<readonly (string | null)[]>({
      name: `accounts of ${this.#schema}`,
      text: `select ${ACCOUNT.columns} from ${this.#schema}.accounts where account = any($1)`,
      values: [wanted],
      rowMode: 'array',
      types: RAW_TYPES,
    } as never);
    const found = Map.groupBy(rows.map(ACCOUNT.read), ({ account }) => account);
    for (const [key, tenures] of found) this.#accounts.set(key, accountOf(tenures));
  }

  /** Who had the names that are linked to. */
  async loadTenures(targets: Iterable<Target>): Promise<void> {
    const wanted = [...new Set(targets)].filter((target) => !isPage(target) && !this.#tenures.has(target));
    if (wanted.length === 0) return;
    for (const target of wanted) this.#tenures.set(target, []);
    const { rows } = await this.#db.query<readonly (string | null)[]>({
      name: `tenures of ${this.#schema}`,
      text: `select ${TENURE.columns} from ${this.#schema}.accounts where ${pairCondition('platform', 'name', 1)}`,
      values: [
        wanted.map((target) => target.slice(0, target.indexOf(':'))),
        wanted.map((target) => target.slice(target.indexOf(':') + 1)),
      ],
      rowMode: 'array',
      types: RAW_TYPES,
    } as never);
    for (const [target, tenures] of Map.groupBy(rows.map(TENURE.read), nameTarget))
      this.#tenures.set(
        target,
        tenures.toSorted((a, b) =>
          a.since === b.since ? (a.account < b.account ? -1 : 1) : a.since < b.since ? -1 : 1,
        ),
      );
  }

  /** Who links to each target, of hubs some. */
  async loadLinking(targets: Iterable<Target>): Promise<void> {
    const wanted = [...new Set(targets)].filter((target) => !this.#linking.has(target));
    if (wanted.length === 0) return;
    for (const target of wanted) this.#linking.set(target, []);
    const { rows } = await this.#db.query<{ target: string; links: string; accounts: string[] }>({
      name: `linking of ${this.#schema}`,
      text: `select t.target, count(*) as links, array_agg(distinct l.account) as accounts from unnest($1::text[]) as t(target)
             cross join lateral (
               select account from ${this.#schema}.links where target = t.target limit ${MAX_LINKING + 1}
             ) l group by t.target`,
      values: [wanted],
    });
    for (const { target, links, accounts } of rows) {
      this.#linking.set(target, accounts);
      if (Number(links) > MAX_LINKING) this.#hubs.add(target);
    }
  }

  async loadBearers(nameKeys: Iterable<string>): Promise<void> {
    const wanted = [...new Set(nameKeys)].filter((key) => !this.#bearers.has(key));
    if (wanted.length === 0) return;
    for (const key of wanted) this.#bearers.set(key, 0);
    const { rows } = await this.#db.query<{ name_key: string; n: string }>({
      name: `bearers of ${this.#schema}`,
      text: `select name_key, least(n, ${VERY_COMMON}) as n from ${this.#schema}.bearers where name_key = any($1)`,
      values: [wanted],
    });
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
    return target.includes(':id:')
      ? [target]
      : (this.#tenures.get(target) ?? []).map(({ account }) => account);
  }

  out(key: string): ReadonlySet<string> {
    const from = this.account(key);
    const found = new Set<string>();
    for (const target of from?.row.targets ?? []) {
      const to = this.#meant(target, (from as Account).row.targets_at);
      if (to === null) continue;
      if (!this.isHub(target) || this.#linksBack(to, from as Account)) found.add(to);
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
        const to = this.#meant(target, own.row.targets_at);
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
  #meant(target: Target, at: string): string | null {
    if (isPage(target)) return null;
    if (target.includes(':id:')) return target;
    const tenures = this.#tenures.get(target) ?? [];
    return (tenures.findLast(({ since }) => since <= at) ?? tenures[0])?.account ?? null;
  }

  #linksBack(key: string, to: Account): boolean {
    const from = this.account(key);
    return (
      from?.row.targets.some(
        (target) => to.meant.includes(target) && this.#meant(target, from.row.targets_at) === to.row.account,
      ) ?? false
    );
  }
}
