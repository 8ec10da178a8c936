/**
 * The archive of a log in Postgres: what events say, in compressed files. Their rows stay, without data, so that IDs, revisions,
 * positions and types are exact for ever.
 */

import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { type Db, inTransaction, type Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import type { ArchiveStore } from './archive-store.ts';
import { type EventLog, type EventPage, LogUnavailableError, type RecordedEvent } from './port.ts';
import { ARCHIVED } from './postgres.ts';

/** An archive file: consecutive events of one month, a line each. */
export interface ArchiveFile {
  /** Positions of its first and its last event. */
  readonly first: bigint;
  readonly last: bigint;
  /** `2026-03/00000000000000000001.ndjson.zst`. */
  readonly name: string;
  readonly sha256: string;
  readonly bytes: number;
}

export const listArchives = async (db: Queryable): Promise<readonly ArchiveFile[]> => {
  const { rows } = await db.query<Record<'first' | 'last' | 'name' | 'sha256' | 'bytes', string>>(
    sql`select first, last, name, sha256, bytes from log.archives order by last`,
  );
  return rows.map(({ first, last, bytes, ...rest }) => ({
    ...rest,
    first: BigInt(first),
    last: BigInt(last),
    bytes: Number(bytes),
  }));
};

/** Files whose events are kept in memory: readers go through the log in order. */
const KEPT = 4;

/** A log whose events are whole, wherever they are. */
export const withArchive = (log: EventLog, db: Queryable, store: ArchiveStore | null): EventLog => {
  let files: readonly ArchiveFile[] = [];
  let current: ArchiveFile | undefined;
  const kept = new Map<string, Promise<ReadonlyMap<bigint, unknown>>>();

  const fileOf = async (position: bigint): Promise<ArchiveFile> => {
    const has = ({ first, last }: ArchiveFile) => first <= position && position <= last;
    if (current !== undefined && has(current)) return current;
    current = files.find(has);
    if (current !== undefined) return current;
    files = await listArchives(db);
    current = files.find(has);
    if (current === undefined) throw new Error(`no archive file has the event at position ${position}`);
    return current;
  };
  const contentOf = (from: ArchiveStore, file: ArchiveFile): Promise<ReadonlyMap<bigint, unknown>> => {
    // A file that was rewritten has another checksum.
    const key = `${file.name} ${file.sha256}`;
    const known = kept.get(key);
    kept.delete(key);
    const content = known ?? readArchive(from, file);
    kept.set(key, content);
    content.catch(() => kept.delete(key));
    for (const oldest of [...kept.keys()].slice(0, -KEPT)) kept.delete(oldest);
    return content;
  };
  const whole = async (event: RecordedEvent): Promise<RecordedEvent> => {
    if (event.data !== ARCHIVED) return event;
    if (store === null)
      throw new LogUnavailableError(
        `what the event at position ${event.position} says is in an archive file: set LOG_ARCHIVE and start again`,
      );
    const file = await fileOf(event.position);
    const content = await contentOf(store, file);
    if (!content.has(event.position))
      throw new Error(`${file.name} lacks the event at position ${event.position}`);
    return { ...event, data: content.get(event.position) };
  };
  const all = async (events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> => {
    if (!events.some(({ data }) => data === ARCHIVED)) return events;
    const found: RecordedEvent[] = [];
    for (const event of events) found.push(await whole(event));
    return found;
  };
  async function* pages(of: AsyncIterable<EventPage>): AsyncIterable<EventPage> {
    for await (const page of of) yield { ...page, events: await all(page.events) };
  }
  return {
    ...log,
    readStream: async (...args) => all(await log.readStream(...args)),
    readAll: (...args) => pages(log.readAll(...args)),
    subscribe: (...args) => pages(log.subscribe(...args)),
  };
};

/** Events of a file. */
const EVENTS = 5_000;

export interface ArchiveOptions {
  /** The last position that is archived, at the end of a month. */
  readonly to: bigint;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/**
 * Moves what events of whole months say into files. Each file is read back and compared before anything is removed. An aborted or
 * killed run has archived whole files, and the next one goes on.
 * @param log the log in Postgres, whose events of the range are not archived yet.
 * @returns the files that were made.
 */
export const archiveEvents = async (
  { db, log, store }: { readonly db: Db; readonly log: EventLog; readonly store: ArchiveStore },
  { to, signal, onProgress }: ArchiveOptions,
): Promise<readonly ArchiveFile[]> => {
  const from = (await listArchives(db)).at(-1)?.last ?? 0n;
  const made: ArchiveFile[] = [];
  let waiting: RecordedEvent[] = [];
  let done = 0;
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return;
    made.push(await archiveFile(db, store, waiting));
    done += waiting.length;
    waiting = [];
    onProgress(done, Number(to - from));
  };
  for await (const { events } of log.readAll(from, { to, raw: true })) {
    for (const event of events) {
      signal.throwIfAborted();
      const [first] = waiting;
      if (waiting.length >= EVENTS || (first !== undefined && monthOf(first) !== monthOf(event)))
        await flush();
      waiting.push(event);
    }
  }
  await flush();
  if (made.length > 0) await db.query(sql`vacuum (analyze) log.events`);
  return made;
};

const monthOf = ({ recorded_at }: RecordedEvent): string => recorded_at.slice(0, 7);

const compress = promisify(zstdCompress);
const decompress = promisify(zstdDecompress);
const digest = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

const archiveFile = async (
  db: Db,
  store: ArchiveStore,
  events: readonly RecordedEvent[],
): Promise<ArchiveFile> => {
  const [head] = events as readonly [RecordedEvent];
  const name = `${monthOf(head)}/${String(head.position).padStart(20, '0')}.ndjson.zst`;
  const file = await writeArchive(store, name, events);
  await inTransaction(db, async (client) => {
    await client.query(sql`
      insert into log.archives (first, last, name, sha256, bytes)
      values (${String(file.first)}, ${String(file.last)}, ${file.name}, ${file.sha256}, ${file.bytes})`);
    const { rowCount } = await client.query(sql`
      update log.events set data = null where position between ${String(file.first)} and ${String(file.last)}`);
    if (rowCount !== events.length) throw new Error(`${file.name} has not all events of its positions`);
  });
  return file;
};

/** Writes a file, and reads it back. */
const writeArchive = async (
  store: ArchiveStore,
  name: string,
  events: readonly RecordedEvent[],
): Promise<ArchiveFile> => {
  const [head, tail] = [events[0], events.at(-1)] as [RecordedEvent, RecordedEvent];
  const content = await compress(`${events.map(lineOf).join('\n')}\n`);
  const file: ArchiveFile = {
    first: head.position,
    last: tail.position,
    name,
    sha256: digest(content),
    bytes: content.length,
  };
  await store.write(file.name, content);
  const back = await readArchive(store, file);
  if (events.some(({ position, data }) => JSON.stringify(back.get(position)) !== JSON.stringify(data)))
    throw new Error(`${file.name} does not say what was written`);
  return file;
};

const REWRITTEN = /(?:~(\d+))?\.ndjson\.zst$/;

/**
 * Writes a file anew, with other contents, under another name, and removes it once the log knows the new one. A run that ends in
 * between leaves a file that nothing reads, which the next run writes over.
 * @param events all of its events.
 */
export const rewriteArchive = async (
  db: Db,
  store: ArchiveStore,
  file: ArchiveFile,
  events: readonly RecordedEvent[],
): Promise<void> => {
  const name = file.name.replace(REWRITTEN, (_, n = '0') => `~${Number(n) + 1}.ndjson.zst`);
  const { sha256, bytes } = await writeArchive(store, name, events);
  await db.query(sql`
    update log.archives set name = ${name}, sha256 = ${sha256}, bytes = ${bytes} where last = ${String(file.last)}`);
  await store.remove(file.name);
};

/** An event as one line. Positions and revisions are text: a JSON number holds no 64 bits. */
export const lineOf = (event: RecordedEvent): string =>
  JSON.stringify({ ...event, position: String(event.position), revision: String(event.revision) });

/** What the events of a file say, by position. @throws if the file was changed. */
const readArchive = async (
  store: ArchiveStore,
  { name, sha256 }: ArchiveFile,
): Promise<ReadonlyMap<bigint, unknown>> => {
  const content = await store.read(name);
  if (digest(content) !== sha256)
    throw new Error(`the archive file ${name} is damaged: put back a copy of it with the SHA-256 ${sha256}`);
  const lines = (await decompress(content)).toString('utf8').split('\n').filter(Boolean);
  return new Map(
    lines.map((line) => {
      const { position, data } = JSON.parse(line) as { position: string; data: unknown };
      return [BigInt(position), data];
    }),
  );
};
