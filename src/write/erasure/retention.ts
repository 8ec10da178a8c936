/** Removes from the log in Postgres what is not kept any longer. Nothing is refused from then on: who returns is read again. */

import { type Db, inTransaction, type Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { emptyProfile, type Profile } from '../accounts/profile.ts';
import { type ArchiveFile, listArchives, rewriteArchive } from '../log/archive.ts';
import type { ArchiveStore } from '../log/archive-store.ts';
import type { EventLog, RecordedEvent } from '../log/port.ts';
import { type ForgetOptions, residueOf } from './forget-log.ts';

/** What is not kept, as `RetentionBegun` says it. */
export interface Limits {
  /** Accounts that expired after this position. */
  readonly expiredAfter: bigint;
  readonly posts: bigint;
  readonly edges: bigint;
  readonly history: bigint;
}

/** Types that say something of the account of their stream, but for those that say that it is gone: schedules rest on these. */
const OF_ACCOUNTS = [
  'AccountSighted',
  'AccountUnchanged',
  'PostsSighted',
  'FollowsSighted',
  'CompanySighted',
  'DecisionMakerSighted',
];

/** How an event goes: with all that it says, or with its values alone, since later events rest on what it is of. */
type Way = 'erased' | 'emptied';

/**
 * Positions of a range that are not kept. Values go before the last full profile: on it rests what is known now.
 * @param after the range begins behind it.
 */
const dueIn = async (
  db: Queryable,
  after: bigint,
  to: bigint,
  { expiredAfter, posts, edges, history }: Limits,
): Promise<ReadonlyMap<bigint, Way>> => {
  const { rows } = await db.query<{ position: string; way: Way }>(sql`
    select position::text, way from (
      select e.position, case
        when e.type = 'PostsSighted' and e.position <= ${String(posts)}::bigint
          or e.type = 'FollowsSighted' and e.position <= ${String(edges)}::bigint
          or e.type = any(${OF_ACCOUNTS}) and exists (
            select from log.events x where x.stream = e.stream and x.revision > e.revision and x.type = 'AccountExpired'
              and x.position > ${String(expiredAfter)}::bigint and (x.data ->> 'from')::bigint <= e.revision
              and (x.data ->> 'through')::bigint >= e.revision)
          then 'erased'
        when e.type in ('AccountSighted', 'AccountUnchanged') and e.metadata -> 'emptied' is null
          and e.position <= ${String(history)}::bigint and exists (
            select from log.events b where b.stream = e.stream and b.revision > e.revision and b.type = 'AccountSighted'
              and b.position <= ${String(history)}::bigint and b.metadata -> 'erased' is null)
          then 'emptied'
        end as way
      from log.events e
      where e.position > ${String(after)}::bigint and e.position <= ${String(to)}::bigint
        and e.metadata -> 'erased' is null) d
    where way is not null`);
  return new Map(rows.map(({ position, way }) => [BigInt(position), way]));
};

/** An event without the values of its account, but for what tells it from others: its ID and its handle. */
const emptied = ({ type, data }: RecordedEvent): unknown => {
  const { kept: _, ...rest } = data as { readonly kept?: unknown; readonly profile: Profile };
  if (type === 'AccountUnchanged') return { ...rest, moved: {} };
  const { id, handle } = rest.profile;
  return { ...rest, profile: { ...emptyProfile(handle), id } };
};

interface Change {
  readonly position: bigint;
  readonly type: string;
  readonly data: unknown;
  readonly way: Way;
}

const changeOf = (event: RecordedEvent, way: Way | undefined): Change | null => {
  if (way === undefined) return null;
  const { position, type, data } = event;
  return { position, type, way, data: way === 'erased' ? residueOf(data) : emptied(event) };
};

const write = (db: Db, changes: readonly Change[]): Promise<void> =>
  inTransaction(db, async (client) => {
    await client.query(sql`
      update log.events e set
        data = case when e.data is null then null else v.data::json end,
        metadata = (e.metadata::jsonb || jsonb_build_object(v.way, true))::json
      from unnest(${changes.map(({ position }) => String(position))}::bigint[],
        ${changes.map(({ data }) => JSON.stringify(data))}::text[], ${changes.map(({ way }) => way)}::text[])
        as v(position, data, way)
      where e.position = v.position`);
  });

/** Events that are looked at together, outside of the archive. */
const RANGE = 5_000n;

/** What is looked at one after the other: files of the archive, and what is behind them. */
function* rangesOf(
  files: readonly ArchiveFile[],
  to: bigint,
): Generator<{ readonly after: bigint; readonly to: bigint; readonly file: ArchiveFile | null }> {
  for (const file of files) yield { after: file.first - 1n, to: file.last, file };
  for (let after = files.at(-1)?.last ?? 0n; after < to; after += RANGE)
    yield { after, to: after + RANGE < to ? after + RANGE : to, file: null };
}

/**
 * Goes through the log once. An aborted or killed run has removed a part, and the next one goes on: what is removed stays so.
 * @param log the log in Postgres with its archive, without the codec.
 * @param exclusively runs one step while nobody else rewrites the log.
 * @returns how many events of which types went.
 */
export const removeExpired = async (
  {
    db,
    log,
    store,
    exclusively,
  }: {
    readonly db: Db;
    readonly log: EventLog;
    /** Where the archive files are; null if there are none. */
    readonly store: ArchiveStore | null;
    readonly exclusively: (step: () => Promise<void>) => Promise<void>;
  },
  limits: Limits,
  { signal, onProgress }: ForgetOptions,
): Promise<ReadonlyMap<string, number>> => {
  const head = await log.head();
  const counts = new Map<string, number>();
  const remove = async (after: bigint, to: bigint, of: ArchiveFile | null): Promise<void> => {
    const due = await dueIn(db, after, to, limits);
    if (due.size === 0) return;
    const events: RecordedEvent[] = [];
    const changes: Change[] = [];
    for await (const page of log.readAll(after, { to })) {
      for (const event of page.events) {
        const change = changeOf(event, due.get(event.position));
        if (change !== null) changes.push(change);
        if (of !== null) events.push({ ...event, data: change === null ? event.data : change.data });
      }
    }
    if (of !== null) await rewriteArchive(db, store as ArchiveStore, of, events);
    await write(db, changes);
    for (const { type } of changes) counts.set(type, (counts.get(type) ?? 0) + 1);
  };
  const files = store === null ? [] : await listArchives(db);
  for (const { after, to, file } of rangesOf(files, head)) {
    signal.throwIfAborted();
    // Most ranges have nothing, and need not be waited for.
    if ((await dueIn(db, after, to, limits)).size > 0)
      await exclusively(async () => {
        // An erasure may have written the file anew.
        const now = file === null ? null : (await listArchives(db)).find(({ last }) => last === file.last);
        await remove(after, to, now ?? null);
      });
    onProgress(Number(to), Number(head));
  }
  signal.throwIfAborted();
  return counts;
};
