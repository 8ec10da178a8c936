import type { Platform } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, sql } from '../../../kernel/postgres/statement.ts';
import { accountOf } from '../../../write/accounts/events.ts';
import type { RecordedEvent } from '../../../write/log/port.ts';
import { personIdOf } from '../../../write/people/person-id.ts';
import { updateRows } from '../../table/bulk-update.ts';
import { sums, upserts, writeAll } from '../../table/bulk-upsert.ts';
import { type DriverRow, driverReader } from '../../table/rows.ts';
import { type Changed, renamedIn } from './changes.ts';
import { resolvePeople } from './resolve-people.ts';
import {
  type AccountRow,
  accountTable,
  anchorTable,
  bearerTable,
  type LinkedRow,
  type LinkRow,
  linkedTable,
  linkTable,
  tenuresOf,
} from './tables.ts';
import { type Change, isMove, isOfIdentity, isOfTenure, MOVED, type Tenures } from './tenures.ts';

interface LinkChanges {
  readonly added: readonly LinkRow[];
  readonly removed: readonly LinkRow[];
  /** What the changes add to the links of each target. */
  readonly linked: readonly LinkedRow[];
}

/** Links of one row that another one has not. */
const linksOf = (row: AccountRow | undefined, other: AccountRow | undefined): readonly LinkRow[] => {
  if (row === undefined) return [];
  const { platform, name, native_id, account } = row;
  return row.targets
    .filter((target) => other?.targets.includes(target) !== true)
    .map((target) => ({ target, platform, name, native_id, account }));
};

const linkChanges = (changes: readonly Changed[]): LinkChanges => {
  const relinked = changes.filter(({ before, after }) => before?.targets !== after?.targets);
  const added = relinked.flatMap(({ before, after }) => linksOf(after, before));
  const removed = relinked.flatMap(({ before, after }) => linksOf(before, after));
  const linked = new Map<string, number>();
  for (const { target } of added) linked.set(target, (linked.get(target) ?? 0) + 1);
  for (const { target } of removed) linked.set(target, (linked.get(target) ?? 0) - 1);
  return { added, removed, linked: [...linked].map(([target, n]) => ({ target, n })) };
};

const removeLinks = async (db: Queryable, schema: string, removed: readonly LinkRow[]): Promise<void> => {
  if (removed.length === 0) return;
  await db.query(sql.named(`delete ${schema}.links`)`
    delete from ${ident(schema)}.links where ctid = any(array(
    select l.ctid from unnest(${removed.map(({ target }) => target)}::text[],
      ${removed.map(({ platform }) => platform)}::text[], ${removed.map(({ name }) => name)}::text[],
      ${removed.map(({ native_id }) => native_id)}::text[]) as k(target, platform, name, native_id)
    cross join lateral (select ctid from ${ident(schema)}.links where target = k.target and platform = k.platform
      and name = k.name and native_id = k.native_id offset 0) l))`);
};

const accountOfRow = driverReader(accountTable);

/** Names whose rows are cached between batches: more cost the collection of garbage more than the few that come again save. */
const MAX_CACHED = 10_000;
/** Rows that a new build buffers. */
const MAX_BUFFERED = 50_000;

const NONE: Tenures = [];

const streamKey = (platform: string, name: string): string => `${platform}:${name}`;
const rowKey = ({ platform, name, native_id }: AccountRow): string => `${platform}:${name} ${native_id}`;

const removeAccounts = async (db: Queryable, schema: string, rows: readonly AccountRow[]): Promise<void> => {
  if (rows.length === 0) return;
  await db.query(sql.named(`delete ${schema}.accounts`)`
    delete from ${ident(schema)}.accounts where (platform, name, native_id) in
    (select * from unnest(${rows.map(({ platform }) => platform)}::text[], ${rows.map(({ name }) => name)}::text[],
      ${rows.map(({ native_id }) => native_id)}::text[]))`);
};

/** The accounts of a batch: a unit of work. */
export class Store {
  readonly #schema: string;
  readonly #cache = new Map<string, Tenures>();
  /** Changed rows: as they were before the batch, and as they are. */
  readonly #before = new Map<string, AccountRow | undefined>();
  readonly #after = new Map<string, AccountRow>();
  /** Accounts with a name that has another account now, too: links to it may mean others. */
  readonly #beside = new Set<string>();
  /** Accounts that IDs of persons are made of, and what these accounts are now: one that shows an ID has another key. */
  readonly #anchors = new Map<string, string>();

  constructor(schema: string) {
    this.#schema = schema;
  }

  tenures(platform: Platform, name: string): Tenures {
    return this.#cache.get(streamKey(platform, name)) ?? NONE;
  }

  put(change: Change): void {
    const { before, after } = change;
    const stream = streamKey(after.platform, after.name);
    const others = this.tenures(after.platform, after.name).filter((row) => row !== before);
    this.#cache.set(stream, [...others, after]);
    const key = rowKey(after);
    const replaced = before === undefined ? undefined : rowKey(before);
    if (!this.#before.has(key)) this.#before.set(key, replaced === key ? before : undefined);
    if (before?.account !== after.account) this.#anchors.set(after.account, after.account);
    // The row of an account without an ID that has shown one: it is another row now.
    if (before !== undefined && replaced !== undefined && replaced !== key) {
      this.#anchors.set(before.account, after.account);
      if (!this.#before.has(replaced)) this.#before.set(replaced, before);
      this.#after.delete(replaced);
    }
    this.#after.set(key, after);
    if (isOfTenure(change)) for (const { account } of others) this.#beside.add(account);
  }

  /** Whether rows are to be written before more are folded. */
  isFull(): boolean {
    return this.#after.size > MAX_BUFFERED;
  }

  async load(db: Queryable, events: readonly RecordedEvent[]): Promise<void> {
    if (this.#cache.size > MAX_CACHED && this.#after.size === 0) this.#cache.clear();
    const [platforms, names]: [string[], string[]] = [[], []];
    for (const { stream } of events) {
      const { platform, handle } = accountOf(stream);
      const key = streamKey(platform, handle);
      if (this.#cache.has(key)) continue;
      this.#cache.set(key, NONE);
      platforms.push(platform);
      names.push(handle);
    }
    if (names.length === 0) return;
    const { rows } = await db.query<DriverRow<AccountRow>>(
      tenuresOf(this.#schema, '*', { platforms, names }).with({ name: `load ${this.#schema}.accounts` }),
    );
    for (const row of rows.map((each) => accountOfRow(each))) {
      const key = streamKey(row.platform, row.name);
      this.#cache.set(key, [...(this.#cache.get(key) ?? NONE), row]);
    }
  }

  async write(db: Queryable): Promise<void> {
    const gone = [...this.#before].flatMap(([key, row]) =>
      row !== undefined && !this.#after.has(key) ? [row] : [],
    );
    const changed = [...this.#after].map(([key, after]) => ({ before: this.#before.get(key), after }));
    const removed = gone.map((before) => ({ before, after: undefined }));
    await this.#writeAccounts(db, changed, gone);
    await resolvePeople(db, this.#schema, {
      changes: [...changed.filter(isOfIdentity), ...removed],
      accounts: [...this.#beside, ...(await renamedIn(db, this.#schema, changed))],
    });
    for (const map of [this.#before, this.#after, this.#beside, this.#anchors]) map.clear();
  }

  async #writeAccounts(
    db: Queryable,
    changed: readonly Change[],
    gone: readonly AccountRow[],
  ): Promise<void> {
    const removed = gone.map((before) => ({ before, after: undefined }));
    const links = linkChanges([...changed, ...removed]);
    await removeLinks(db, this.#schema, links.removed);
    await removeAccounts(db, this.#schema, gone);
    const bearers = new Map<string, number>();
    const count = (name_key: string | null | undefined, n: number): void => {
      if (name_key != null) bearers.set(name_key, (bearers.get(name_key) ?? 0) + n);
    };
    for (const { before, after } of changed) {
      count(before?.name_key, -1);
      count(after.name_key, 1);
    }
    for (const { name_key } of gone) count(name_key, -1);
    const anchors = [...this.#anchors].map(([from, account]) => ({ person: personIdOf(from), account }));
    const [moved, others] = [changed.filter(isMove), changed.filter((change) => !isMove(change))];
    await updateRows(
      db,
      this.#schema,
      accountTable,
      MOVED,
      moved.map(({ after }) => after),
    );
    await writeAll(db, this.#schema, [
      upserts(
        accountTable,
        others.map(({ after }) => after),
      ),
      upserts(linkTable, links.added),
      upserts(anchorTable, anchors),
      sums(linkedTable, links.linked),
      sums(
        bearerTable,
        [...bearers].map(([name_key, n]) => ({ name_key, n })),
      ),
    ]);
  }
}
