/** The view of follower lists: its fold, the rows of a batch, and sweeps. */

import { type Platform, platformSchema, versionPerPlatform } from '../../../kernel/platform.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../../kernel/postgres/statement.ts';
import { FOLLOW_DIRECTIONS, type FollowDirection, type FollowsMember } from '../../../write/follows.ts';
import { type ErasedAccount, type ErasedAccounts, loadErased } from '../../erased-accounts.ts';
import {
  type AppliedEvent,
  dispatch,
  type Fold,
  type Handlers,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { directionCode, hasNumericIds, numericEdges, numericMembers, secondsOf, tables } from './tables.ts';

const handlers = {
  FollowsSighted: (batch, { stream, data }) => {
    const { platform, handle } = listOf(stream);
    const { direction, owner, members, page, done, capped } = data;
    const atS = secondsOf(data.observed_at);
    const key = { platform, direction, owner };
    batch.edges(key, members, atS);
    const before = batch.sweepsOf(stream, direction);
    const { open, doneSinceS } = withPart(before, { id: data.sweep, page, atS, done, capped });
    if (open !== before) batch.setSweeps(stream, direction, open);
    batch.list(
      key,
      { handle, seenS: atS },
      { doneSinceS, doneS: doneSinceS === null ? null : atS, cappedS: capped ? atS : null },
    );
  },
  FollowsErased: (batch, { stream, data: { subject, through, since } }) => {
    batch.erase(subject);
    // The stream may have lists of others only: then the account has places in them.
    if (through < 0) return;
    for (const direction of FOLLOW_DIRECTIONS) {
      const open = batch.sweepsOf(stream, direction);
      const left = open.filter(({ startS }) => since !== null && startS >= secondsOf(since));
      if (left.length < open.length) batch.setSweeps(stream, direction, left);
    }
  },
} satisfies Handlers<Batch>;

const apply = dispatch(handlers);

/** Edges that a new build buffers. */
const MAX_BUFFERED = 200_000;

const open = (schema: string): Fold => {
  let batch = new Batch();
  return {
    load: async (db, events) => {
      await batch.load(db, schema, [...new Set(events.map(({ stream }) => stream))]);
      await batch.loadErased(db, events);
    },
    apply: (event) => apply(batch, event),
    store: (db) => batch.write(db, schema),
    building: { flush: async () => undefined, isFull: () => batch.size > MAX_BUFFERED },
    reset: () => {
      batch = new Batch();
    },
  };
};

/** Who follows whom: the edges of the lists that were read, with the times of their first and last sighting. */
export const follows: Projection = {
  name: 'follows',
  version: versionPerPlatform(2),
  order: 'stream',
  types: typesOf(handlers),
  forgets: handlers.FollowsErased,
  streamPrefixes: ['follows-'],
  parks: ['follows-'],
  tables,
  indexes: () => '',
  open,
};

/** The stream of a list, by what its name says. */
const listOf = (stream: string): { readonly platform: Platform; readonly handle: string } => {
  const colon = stream.indexOf(':');
  return {
    platform: platformSchema.parse(stream.slice('follows-'.length, colon)),
    handle: stream.slice(colon + 1),
  };
};

export interface ListKey {
  readonly platform: Platform;
  readonly direction: FollowDirection;
  readonly owner: string;
}

interface Edge {
  readonly list: ListKey;
  readonly member: string;
  firstS: number;
  lastS: number;
}

interface Sight {
  readonly handle: string;
  readonly seenS: number;
}

/** How readings of a list ended; null if none ended so. */
export interface ListEnds {
  /** Start and end of the last whole reading. */
  readonly doneSinceS: number | null;
  readonly doneS: number | null;
  /** End of the last reading that stopped although the list continued. */
  readonly cappedS: number | null;
}

interface ListRow extends Sight, ListEnds {
  readonly key: ListKey;
}

const latest = (a: number | null | undefined, b: number | null): number | null =>
  a == null || b === null ? (a ?? b) : Math.max(a, b);

const MAX_NUMBER = 2n ** 63n - 1n;

/** Whether an ID is a number in its only spelling: any other is held as text, so that nothing is lost. */
const isNumber = (platform: Platform, id: string): boolean =>
  hasNumericIds(platform) && /^[1-9]\d{0,18}$/.test(id) && BigInt(id) <= MAX_NUMBER;

const later = (a: Sight | undefined, b: Sight): Sight =>
  a === undefined || b.seenS > a.seenS || (b.seenS === a.seenS && b.handle > a.handle) ? b : a;

const MAX_ROWS = 5_000;

/**
 * What a batch adds. Every row merges by minimum, maximum or newest, so the same rows result in whatever order streams
 * are applied and however many writers apply them; only the sweeps of a stream depend on its order.
 */
class Batch {
  readonly #edges = new Map<string, Edge>();
  readonly #members = new Map<string, Sight & { readonly platform: Platform; readonly id: string }>();
  readonly #lists = new Map<string, ListRow>();
  readonly #sweeps = new Map<string, readonly OpenSweep[]>();
  readonly #changed = new Set<string>();
  /** Accounts that events erase, and those that were by now. */
  #subjects: ErasedAccounts = new Map();
  readonly #erased = new Set<ErasedAccount>();

  get size(): number {
    return this.#edges.size;
  }

  edges(list: ListKey, members: readonly FollowsMember[], atS: number): void {
    const prefix = `${list.platform} ${list.direction} ${list.owner} `;
    for (const { id, handle } of members) {
      const key = `${prefix}${id}`;
      const edge = this.#edges.get(key);
      if (edge === undefined) this.#edges.set(key, { list, member: id, firstS: atS, lastS: atS });
      else {
        edge.firstS = Math.min(edge.firstS, atS);
        edge.lastS = Math.max(edge.lastS, atS);
      }
      if (handle === null) continue;
      const name = `${list.platform} ${id}`;
      const seen = later(this.#members.get(name), { handle, seenS: atS });
      this.#members.set(name, { platform: list.platform, id, ...seen });
    }
  }

  list(key: ListKey, sight: Sight, ends: ListEnds): void {
    const name = `${key.platform} ${key.direction} ${key.owner}`;
    const before = this.#lists.get(name);
    const { handle, seenS } = later(before, sight);
    this.#lists.set(name, {
      key,
      handle,
      seenS,
      doneSinceS: latest(before?.doneSinceS, ends.doneSinceS),
      doneS: latest(before?.doneS, ends.doneS),
      cappedS: latest(before?.cappedS, ends.cappedS),
    });
  }

  /** Forgets an account: its lists, and its places in those of others. */
  erase(subject: string): void {
    const account = this.#subjects.get(subject);
    if (account === undefined) return;
    this.#erased.add(account);
    const isOf = (platform: Platform, id: string) =>
      platform === account.platform && idsOf(account).includes(id);
    for (const [key, { list, member }] of this.#edges)
      if (isOf(list.platform, list.owner) || isOf(list.platform, member)) this.#edges.delete(key);
    for (const [key, { platform, id }] of this.#members) if (isOf(platform, id)) this.#members.delete(key);
    for (const [name, { key }] of this.#lists) if (isOf(key.platform, key.owner)) this.#lists.delete(name);
  }

  async loadErased(db: Queryable, events: readonly AppliedEvent[]): Promise<void> {
    this.#subjects = await loadErased(db, events);
  }

  sweepsOf(stream: string, direction: FollowDirection): readonly OpenSweep[] {
    return this.#sweeps.get(`${direction} ${stream}`) ?? [];
  }

  setSweeps(stream: string, direction: FollowDirection, open: readonly OpenSweep[]): void {
    this.#sweeps.set(`${direction} ${stream}`, open);
    this.#changed.add(`${direction} ${stream}`);
  }

  /** Loads the open sweeps of streams. */
  async load(db: Queryable, schema: string, streams: readonly string[]): Promise<void> {
    const missing = streams.filter((stream) => !this.#sweeps.has(`${FOLLOW_DIRECTIONS[0]} ${stream}`));
    if (missing.length === 0) return;
    for (const stream of missing) {
      for (const direction of FOLLOW_DIRECTIONS) this.#sweeps.set(`${direction} ${stream}`, []);
    }
    const lists = missing.map(listOf);
    const { rows } = await db.query<{
      platform: string;
      handle: string;
      direction: number;
      open: readonly (readonly [string, number, number])[];
    }>(sql.named(`load ${schema}.sweeps`)`
      select * from ${ident(schema)}.sweeps where (platform, handle) in (select *
        from unnest(${lists.map(({ platform }) => platform)}::text[], ${lists.map(({ handle }) => handle)}::text[]))`);
    for (const { platform, handle, direction, open } of rows) {
      const name = FOLLOW_DIRECTIONS.find((each) => directionCode(each) === direction);
      this.#sweeps.set(
        `${name} follows-${platform}:${handle}`,
        open.map(([id, startS, parts]) => ({ id, startS, parts })),
      );
    }
  }

  async write(db: Queryable, schema: string): Promise<void> {
    for (const account of this.#erased) await deleteAccount(db, schema, account);
    await this.#writeEdges(db, schema);
    await this.#writeMembers(db, schema);
    await this.#writeLists(db, schema);
    await this.#writeSweeps(db, schema);
    this.#edges.clear();
    this.#members.clear();
    this.#lists.clear();
    this.#sweeps.clear();
    this.#changed.clear();
    this.#erased.clear();
  }

  async #writeEdges(db: Queryable, schema: string): Promise<void> {
    const byTable = Map.groupBy(this.#edges.values(), ({ list: { platform, direction, owner }, member }) =>
      isNumber(platform, owner) && isNumber(platform, member) ? numericEdges(platform, direction) : 'edges',
    );
    for (const [table, edges] of byTable) {
      const isText = table === 'edges';
      const type = raw(isText ? 'text' : 'bigint');
      const key = raw(isText ? 'platform, direction, owner, member' : 'owner, member');
      await inChunks(sorted(edges, edgeKey), (chunk) => {
        const lists = chunk.map(({ list }) => list);
        const further = sql`
          , ${lists.map((list) => list.platform)}::text[],
            ${lists.map((list) => directionCode(list.direction))}::smallint[]`;
        return db.query(sql.named(`merge ${schema}.${table}`)`
          insert into ${ident(schema)}.${ident(table)} as t (owner, member, first_seen_s,
            last_seen_s${raw(isText ? ', platform, direction' : '')})
          select * from unnest(${lists.map((list) => list.owner)}::${type}[],
            ${chunk.map(({ member }) => member)}::${type}[],
            ${chunk.map(({ firstS }) => firstS)}::int[],
              ${chunk.map(({ lastS }) => lastS)}::int[]${isText ? further : raw('')})
          on conflict (${key}) do update set
            first_seen_s = least(t.first_seen_s, excluded.first_seen_s),
            last_seen_s = greatest(t.last_seen_s, excluded.last_seen_s)
          where excluded.first_seen_s < t.first_seen_s or excluded.last_seen_s > t.last_seen_s`);
      });
    }
  }

  async #writeMembers(db: Queryable, schema: string): Promise<void> {
    const byTable = Map.groupBy(this.#members.values(), ({ platform, id }) =>
      isNumber(platform, id) ? numericMembers(platform) : 'members',
    );
    for (const [table, members] of byTable) {
      const isText = table === 'members';
      await inChunks(
        sorted(members, ({ platform, id }) => `${platform} ${id}`),
        (chunk) =>
          db.query(sql.named(`merge ${schema}.${table}`)`
            insert into ${ident(schema)}.${ident(table)} as t (id, handle, seen_s${raw(isText ? ', platform' : '')})
            select * from unnest(${chunk.map(({ id }) => id)}::${raw(isText ? 'text' : 'bigint')}[],
              ${chunk.map(({ handle }) => handle)}::text[],
              ${chunk.map(({ seenS }) => seenS)}::int[]${isText ? sql`, ${chunk.map(({ platform }) => platform)}::text[]` : raw('')})
            on conflict (${raw(isText ? 'platform, id' : 'id')}) do update set handle = excluded.handle,
              seen_s = excluded.seen_s
            where (excluded.seen_s, excluded.handle) > (t.seen_s, t.handle)`),
      );
    }
  }

  async #writeLists(db: Queryable, schema: string): Promise<void> {
    const lists = sorted([...this.#lists], ([name]) => name).map(([, row]) => row);
    await inChunks(lists, (chunk) =>
      db.query(sql.named(`merge ${schema}.lists`)`
        insert into ${ident(schema)}.lists as t
          (platform, direction, owner, handle, seen_s, done_since_s, done_s, capped_s)
        select * from unnest(${chunk.map(({ key }) => key.platform)}::text[],
          ${chunk.map(({ key }) => directionCode(key.direction))}::smallint[],
          ${chunk.map(({ key }) => key.owner)}::text[], ${chunk.map(({ handle }) => handle)}::text[],
          ${chunk.map(({ seenS }) => seenS)}::int[], ${chunk.map(({ doneSinceS }) => doneSinceS)}::int[],
          ${chunk.map(({ doneS }) => doneS)}::int[], ${chunk.map(({ cappedS }) => cappedS)}::int[])
        on conflict (platform, direction, owner) do update set
          handle = case when (excluded.seen_s, excluded.handle) > (t.seen_s,
            t.handle) then excluded.handle else t.handle end,
          seen_s = greatest(t.seen_s, excluded.seen_s),
          done_since_s = greatest(t.done_since_s, excluded.done_since_s),
          done_s = greatest(t.done_s, excluded.done_s),
          capped_s = greatest(t.capped_s, excluded.capped_s)`),
    );
  }

  async #writeSweeps(db: Queryable, schema: string): Promise<void> {
    const changed = [...this.#changed].map((name) => {
      const space = name.indexOf(' ');
      return {
        ...listOf(name.slice(space + 1)),
        direction: name.slice(0, space) as FollowDirection,
        open: this.#sweeps.get(name) ?? [],
      };
    });
    // Whoever has no open sweep has no row, whatever there was before.
    const closed = changed.filter(({ open }) => open.length === 0);
    await inChunks(closed, (chunk) =>
      db.query(sql.named(`close ${schema}.sweeps`)`
        delete from ${ident(schema)}.sweeps where (platform, handle, direction) in (select *
          from unnest(${chunk.map(({ platform }) => platform)}::text[], ${chunk.map(({ handle }) => handle)}::text[],
            ${chunk.map(({ direction }) => directionCode(direction))}::smallint[]))`),
    );
    const opened = changed.filter(({ open }) => open.length > 0);
    await inChunks(opened, (chunk) =>
      db.query(sql.named(`put ${schema}.sweeps`)`
        insert into ${ident(schema)}.sweeps (platform, handle, direction, open)
        select p, h, d, o::jsonb from unnest(${chunk.map(({ platform }) => platform)}::text[],
          ${chunk.map(({ handle }) => handle)}::text[],
          ${chunk.map(({ direction }) => directionCode(direction))}::smallint[],
          ${chunk.map(({ open }) => JSON.stringify(open.map(({ id, startS, parts }) => [id, startS, parts])))}::text[]) as v(p, h, d, o)
        on conflict (platform, handle, direction) do update set open = excluded.open`),
    );
  }
}

/** The IDs by which lists have an account. */
const idsOf = ({ native_id, handles }: ErasedAccount): readonly string[] =>
  native_id === null ? handles : [native_id];

/** Deletes an account's lists, and its places in those of others, which are found by reading all of them. */
const deleteAccount = async (db: Queryable, schema: string, account: ErasedAccount): Promise<void> => {
  const { platform } = account;
  const ids = idsOf(account);
  const numbers = ids.filter((id) => isNumber(platform, id));
  const at = (table: string) => sql`${ident(schema)}.${ident(table)}`;
  if (numbers.length > 0) {
    for (const direction of FOLLOW_DIRECTIONS)
      await db.query(sql`
        delete from ${at(numericEdges(platform, direction))}
          where owner = any(${numbers}::bigint[]) or member = any(${numbers}::bigint[])`);
    await db.query(sql`delete from ${at(numericMembers(platform))} where id = any(${numbers}::bigint[])`);
  }
  await db.query(sql`
    delete from ${at('edges')} where platform = ${platform} and (owner = any(${ids}) or member = any(${ids}))`);
  await db.query(sql`delete from ${at('members')} where platform = ${platform} and id = any(${ids})`);
  await db.query(sql`delete from ${at('lists')} where platform = ${platform} and owner = any(${ids})`);
};

const edgeKey = ({ list, member }: Edge): string =>
  `${list.platform} ${list.direction} ${list.owner} ${member}`;

/** In order of keys: concurrent writers lock rows in the same order and can't deadlock. */
const sorted = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): readonly Row[] =>
  rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ row }) => row);

const inChunks = async <Row>(
  rows: readonly Row[],
  write: (chunk: readonly Row[]) => Promise<unknown>,
): Promise<void> => {
  for (let from = 0; from < rows.length; from += MAX_ROWS) await write(rows.slice(from, from + MAX_ROWS));
};

/** A sweep that has not ended: where it started, and how many parts of it are known. */
export interface OpenSweep {
  readonly id: string;
  /** Time of its first part, in seconds of the view. */
  readonly startS: number;
  readonly parts: number;
}

/** Sweeps remembered for a list. A live read of a few pages never ends its sweep; the oldest are forgotten. */
const MAX_OPEN = 8;

/** A part of a sweep as an event has it. */
export interface SweepPart {
  readonly id: string;
  readonly page: number;
  readonly atS: number;
  readonly done: boolean;
  readonly capped: boolean;
}

/**
 * Sweeps after another part.
 * @returns `doneSinceS`: start of the sweep if this part ends it and none is missing; else null. Only such a sweep
 * proves that a member is gone.
 */
export const withPart = (
  open: readonly OpenSweep[],
  { id, page, atS, done, capped }: SweepPart,
): { readonly open: readonly OpenSweep[]; readonly doneSinceS: number | null } => {
  const known = open.find((sweep) => sweep.id === id);
  const others = open.filter((sweep) => sweep.id !== id);
  // A part that was appended twice.
  if (known !== undefined && page < known.parts) return { open, doneSinceS: null };
  const expected = known?.parts ?? 0;
  if (page !== expected) return { open: others, doneSinceS: null };
  const startS = known?.startS ?? atS;
  if (done) return { open: others, doneSinceS: startS };
  if (capped) return { open: others, doneSinceS: null };
  return { open: [...others, { id, startS, parts: page + 1 }].slice(-MAX_OPEN), doneSinceS: null };
};
