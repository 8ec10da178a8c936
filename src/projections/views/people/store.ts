import type { Platform } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { accountOf } from '../../../write/accounts/events.ts';
import type { RecordedEvent } from '../../../write/log/port.ts';
import { personIdOf } from '../../../write/people/person-id.ts';
import { pairCondition, sums, upserts, writeAll } from '../../table/bulk-upsert.ts';
import { type DriverRow, driverReader } from '../../table/rows.ts';
import { resolvePeople } from './resolve-people.ts';
import { type AccountRow, accountTable, anchorTable, bearerTable, linkTable } from './tables.ts';
import { type Change, isOfIdentity, type Tenures } from './tenures.ts';
import type { Touched } from './touched.ts';

const accountOfRow = driverReader(accountTable);

/** Names whose rows are cached between batches, and rows that a new build buffers. */
const MAX_CACHED = 100_000;
const MAX_BUFFERED = 50_000;

const NONE: Tenures = [];

const streamKey = (platform: string, name: string): string => `${platform}:${name}`;
const rowKey = ({ platform, name, native_id }: AccountRow): string => `${platform}:${name} ${native_id}`;

/** The accounts of a batch: a unit of work. */
export class Store {
  readonly #schema: string;
  readonly #cache = new Map<string, Tenures>();
  /** Changed rows: as they were before the batch, and as they are. */
  readonly #before = new Map<string, AccountRow | undefined>();
  readonly #after = new Map<string, AccountRow>();
  readonly #touched = new Map<string, AccountRow>();
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
    // Which of several accounts has the name may have changed.
    if (isOfIdentity(change)) this.#touched.set(key, after);
    if (others.length > 0) for (const row of [after, ...others]) this.#touched.set(rowKey(row), row);
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
    const { rows } = await db.query<DriverRow<AccountRow>>({
      name: `load ${this.#schema}.accounts`,
      text: `select * from ${this.#schema}.accounts where ${pairCondition('platform', 'name', 1)}`,
      values: [platforms, names],
    });
    for (const read of rows) {
      const row = accountOfRow(read);
      const key = streamKey(row.platform, row.name);
      this.#cache.set(key, [...(this.#cache.get(key) ?? NONE), row]);
    }
  }

  async write(db: Queryable): Promise<void> {
    const gone = [...this.#before].flatMap(([key, row]) =>
      row !== undefined && !this.#after.has(key) ? [row] : [],
    );
    await this.#writeAccounts(db, gone);
    const touched: Touched[] = [...this.#touched].flatMap(([key]) => {
      const after = this.#after.get(key) ?? this.#touched.get(key);
      return after === undefined ? [] : [{ before: this.#before.get(key), after }];
    });
    const all = [...touched, ...gone.map((before) => ({ before, after: undefined }))];
    await resolvePeople(db, this.#schema, all, [...this.#after.values()]);
    for (const map of [this.#before, this.#after, this.#touched, this.#anchors]) map.clear();
  }

  async #writeAccounts(db: Queryable, gone: readonly AccountRow[]): Promise<void> {
    const changed = [...this.#after].map(([key, after]) => ({ before: this.#before.get(key), after }));
    const relinked = changed.filter(({ before, after }) => before?.targets !== after.targets);
    const unlinked = [...gone, ...relinked.flatMap(({ before }) => before ?? [])].filter(
      ({ targets }) => targets.length > 0,
    );
    await this.#deleteRows(db, 'links', unlinked);
    await this.#deleteRows(db, 'accounts', gone);
    const bearers = new Map<string, { name_key: string; n: number }>();
    const count = (name_key: string | null | undefined, n: number): void => {
      if (name_key == null) return;
      const row = bearers.get(name_key) ?? { name_key, n: 0 };
      row.n += n;
      bearers.set(name_key, row);
    };
    for (const { before, after } of changed) {
      count(before?.name_key, -1);
      count(after.name_key, 1);
    }
    for (const { name_key } of gone) count(name_key, -1);
    const links = relinked.flatMap(({ after: { platform, name, native_id, account, targets } }) =>
      targets.map((target) => ({ target, platform, name, native_id, account })),
    );
    const anchors = [...this.#anchors].map(([from, account]) => ({ person: personIdOf(from), account }));
    await writeAll(db, this.#schema, [
      upserts(
        accountTable,
        changed.map(({ after }) => after),
      ),
      upserts(linkTable, links),
      upserts(anchorTable, anchors),
      sums(bearerTable, [...bearers.values()]),
    ]);
  }

  async #deleteRows(db: Queryable, table: 'links' | 'accounts', rows: readonly AccountRow[]): Promise<void> {
    if (rows.length === 0) return;
    await db.query({
      name: `delete ${this.#schema}.${table}`,
      text: `delete from ${this.#schema}.${table} where (platform, name, native_id) in
             (select * from unnest($1::text[], $2::text[], $3::text[]))`,
      values: [
        rows.map(({ platform }) => platform),
        rows.map(({ name }) => name),
        rows.map(({ native_id }) => native_id),
      ],
    });
  }
}
