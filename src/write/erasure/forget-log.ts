/** Removes from the log in Postgres what it says of erased accounts. */

import type { Platform } from '../../kernel/platform.ts';
import { type Db, inTransaction } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { companyStream, decisionMakerStream } from '../leads.ts';
import type { ArchiveFile } from '../log/archive.ts';
import { listArchives, rewriteArchive } from '../log/archive.ts';
import type { ArchiveStore } from '../log/archive-store.ts';
import type { EventDecoder } from '../log/codec.ts';
import type { EventLog, RecordedEvent } from '../log/port.ts';
import { platformOf } from '../stream-platform.ts';
import { cleansed } from './cleanse.ts';
import type { Names, Refused } from './fence.ts';
import { VOIDING } from './subject.ts';
import { type Whose, whoseNext } from './tenures.ts';

/** Fields that name nobody. Pools, outcomes and durations stand in events of engines, which name no account. */
const RESIDUE = new Set(['at', 'observed_at', 'source', 'surface', 'status', 'direction']);

export const residueOf = (data: unknown): unknown =>
  Object.fromEntries(Object.entries(data as object).filter(([name]) => RESIDUE.has(name)));

/** How an event changes. */
interface Change {
  readonly event: RecordedEvent;
  readonly data: unknown;
  readonly isErased: boolean;
}

const OF_ACCOUNTS = 'account-';

/** Decides on events in the order of the log. */
export const createJudge = (fence: Pick<Refused, 'asOf'>, decoder: Pick<EventDecoder, 'decode'>) => {
  /** Whose each stream is that had an erased account. All others are not remembered. */
  const owners = new Map<string, Whose>();
  return {
    /** Streams that had an erased account. */
    streams: (): readonly string[] => [...owners.keys()],
    judge: (event: RecordedEvent): Change | null => {
      const { stream } = event;
      const known = decoder.decode(event);
      if (known === null) return null;
      const names = fence.asOf(event.position);
      // Named after the account, even if it has nothing else of it.
      if (VOIDING.has(event.type) && !owners.has(stream)) owners.set(stream, 'nobody');
      if (stream.startsWith(OF_ACCOUNTS)) {
        const whose = whoseNext(names, owners.get(stream) ?? 'nobody', stream, known);
        if (whose === 'erased' || owners.has(stream)) owners.set(stream, whose);
        if (whose === 'erased' && !VOIDING.has(event.type))
          return { event, data: residueOf(event.data), isErased: true };
      }
      const data = cleansed(names, known);
      if (data === null) {
        owners.set(stream, 'erased');
        return { event, data: residueOf(event.data), isErased: true };
      }
      // Cleansing makes new objects: only other contents are news.
      return data === known.data || JSON.stringify(data) === JSON.stringify(known.data)
        ? null
        : { event, data, isErased: false };
    },
  };
};

/** Writes changes, and counts them in the same transaction: a run that ends in between has counted what it wrote. */
const write = async (db: Db, subjects: readonly string[], changes: readonly Change[]): Promise<void> => {
  if (changes.length === 0) return;
  const events = changes.filter(({ isErased }) => isErased).length;
  await inTransaction(db, async (client) => {
    await client.query(sql`
      update erasure.open set events = events + ${events}, refs = refs + ${changes.length - events}
      where subject = any(${subjects})`);
    await client.query(sql`
    update log.events e set
      data = case when e.data is null then null else v.data::json end,
      metadata = case when v.erased then (e.metadata::jsonb || '{"erased": true}')::json else e.metadata end
    from unnest(${changes.map(({ event }) => String(event.position))}::bigint[],
      ${changes.map(({ data }) => JSON.stringify(data))}::text[], ${changes.map(({ isErased }) => isErased)}::bool[])
      as v(position, data, erased)
    where e.position = v.position`);
  });
};

/** The account that a stream is named after: `account-x:nasa`, `decisionmaker-ada`. */
const namedIn = (
  stream: string,
): { readonly category: string; readonly platform: Platform | null; readonly name: string } => {
  const category = stream.slice(0, stream.indexOf('-') + 1);
  const name = stream.slice(category.length);
  if (category === companyStream('')) return { category, platform: 'linkedin', name: `company:${name}` };
  if (category === decisionMakerStream('')) return { category, platform: 'linkedin', name };
  const colon = name.indexOf(':') + 1;
  return {
    category: category + name.slice(0, colon),
    platform: platformOf(stream) ?? null,
    name: name.slice(colon),
  };
};

/** A stream without the name that is erased. */
export const renamed = (fence: Names, stream: string): string | null => {
  const { category, platform, name } = namedIn(stream);
  if (platform === null) return null;
  const mask = fence.maskOf(platform, 'handle', name) ?? fence.maskOf(platform, 'id', name);
  return mask === null ? null : category + mask;
};

/**
 * Renames streams that nobody else has events in, and removes what is left of them: what was read of the name before anybody was
 * seen to have it.
 */
const renameStreams = async (db: Db, fence: Refused, streams: readonly string[]): Promise<void> => {
  for (const stream of streams) {
    const name = renamed(fence, stream);
    if (name === null) continue;
    await inTransaction(db, async (client) => {
      const { rows } = await client.query<{ n: string }>(sql`
        select count(*) as n from log.events where stream = ${stream} and type in ('AccountSighted', 'FollowsSighted')
          and metadata::jsonb -> 'erased' is null`);
      if (rows[0]?.n !== '0') return;
      await client.query(sql`
        update log.events set stream = ${name},
          metadata = case when type = any(${[...VOIDING]}) then metadata else (metadata::jsonb || '{"erased": true}')::json end
        where stream = ${stream}`);
    });
  }
};

export interface ForgetOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Goes through the log once, for all accounts that the fence has. An aborted or killed run has forgotten a part, and the next one goes
 * through it again: what is forgotten stays so.
 * @param log the log in Postgres with its archive, without the codec.
 * @param store where the archive files are; null if there are none.
 */
export const forgetInLog = async (
  {
    db,
    log,
    decoder,
    fence,
    subjects,
    store,
  }: {
    readonly db: Db;
    readonly log: EventLog;
    /** One that lets everything pass. */
    readonly decoder: Pick<EventDecoder, 'decode'>;
    readonly fence: Refused;
    /** What is counted is counted for these. */
    readonly subjects: readonly string[];
    readonly store: ArchiveStore | null;
  },
  { signal, onProgress }: ForgetOptions,
): Promise<void> => {
  const { judge, streams } = createJudge(fence, decoder);
  const files = store === null ? [] : await listArchives(db);
  const head = await log.head();
  const archived = async (file: ArchiveFile, from: ArchiveStore): Promise<void> => {
    const events: RecordedEvent[] = [];
    const changes: Change[] = [];
    let isNamed = false;
    for await (const page of log.readAll(file.first - 1n, { to: file.last })) {
      for (const event of page.events) {
        const change = judge(event);
        if (change !== null) changes.push(change);
        // Readers take the name from the row: the file says a refused one no more, whoever's the stream is.
        const stream = renamed(fence, event.stream) ?? event.stream;
        isNamed ||= stream !== event.stream;
        events.push({ ...event, stream, ...(change === null ? {} : { data: change.data }) });
      }
    }
    if (changes.length === 0 && !isNamed) return;
    await rewriteArchive(db, from, file, events);
    await write(db, subjects, changes);
  };
  for (const file of files) {
    signal.throwIfAborted();
    await archived(file, store as ArchiveStore);
    onProgress(Number(file.last), Number(head));
  }
  for await (const page of log.readAll(files.at(-1)?.last ?? 0n, { to: head })) {
    signal.throwIfAborted();
    const changes = page.events.flatMap((event) => judge(event) ?? []);
    await write(db, subjects, changes);
    onProgress(Number(page.endPosition), Number(head));
  }
  await renameStreams(db, fence, streams());
};
