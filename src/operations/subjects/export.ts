/** Everything that is held about an account, for whom it belongs to. */

import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { listBuilds } from '../../projections/builds/builds.ts';
import { cleansed } from '../../write/erasure/cleanse.ts';
import { maskOf } from '../../write/erasure/subject.ts';
import type { Tenure } from '../../write/erasure/tenures.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import type { AccountName } from '../account-name.ts';
import type { OnProgress } from '../context.ts';
import { type ErasureContext, previewSubject } from './erase.ts';
import { type Names, wordsOf } from './holdings.ts';
import { only, type Subject } from './subject.ts';

/** Something that is held, and where it stands. */
export type Held =
  | {
      readonly held: 'account';
      readonly platform: string;
      readonly native_id: string | null;
      readonly handles: readonly string[];
    }
  /** An event that is about the account: what was read, from which source, and when. */
  | ({ readonly held: 'event'; readonly data: unknown } & Recorded)
  /** An event about somebody else: only its texts that name the account. */
  | ({ readonly held: 'mention'; readonly texts: readonly string[] } & Recorded)
  /** A row that follows from events, or that crawling keeps. */
  | { readonly held: 'row'; readonly table: string; readonly row: unknown };

interface Recorded {
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly recorded_at: string;
}

const recordedOf = ({ stream, revision, type, recorded_at }: RecordedEvent): Recorded => ({
  stream,
  revision: Number(revision),
  type,
  recorded_at,
});

/** The texts of a value that are other, or missing, in its cleansed form. */
const changedTexts = (before: unknown, after: unknown): readonly string[] => {
  if (typeof before === 'string') return before === after ? [] : [before];
  if (typeof before !== 'object' || before === null) return [];
  if (Array.isArray(before) && Array.isArray(after) && before.length !== after.length) {
    const kept = new Set(after.map((each) => JSON.stringify(each)));
    return before.filter((each) => !kept.has(JSON.stringify(each))).flatMap((each) => textsIn(each));
  }
  const others = (after ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(before).flatMap(([name, value]) => changedTexts(value, others[name]));
};

const textsIn = (value: unknown): readonly string[] => changedTexts(value, null);

const isIn = (tenures: readonly Tenure[] | undefined, { revision }: RecordedEvent): boolean =>
  (tenures ?? []).some(({ from, through }) => from <= Number(revision) && Number(revision) <= through);

/** Events about the account, and those of others that name it, in the order of the log. */
async function* heldInLog(
  { log, fence }: Pick<ErasureContext, 'log' | 'fence'>,
  subject: Subject,
  { signal, onProgress }: ExportOptions,
): AsyncGenerator<Held> {
  const own = Map.groupBy(subject.tenures, ({ stream }) => stream);
  const named = { ...only(subject), maskOf: () => maskOf(subject.digest) };
  const words = wordsOf(subject).map((word) => JSON.stringify(word.toLowerCase()).slice(1, -1));
  const head = await log.head();
  for await (const page of log.readAll(0n, { to: head, suppressed: true })) {
    signal.throwIfAborted();
    for (const event of page.events) {
      if (isIn(own.get(event.stream), event)) {
        yield { held: 'event', ...recordedOf(event), data: event.data };
        continue;
      }
      // What a suppressed account says is shown to nobody else.
      if (fence.isVoid(event)) continue;
      // Most events name somebody else: their text says so.
      const text = JSON.stringify(event.data).toLowerCase();
      if (!words.some((word) => text.includes(word))) continue;
      const texts = changedTexts(event.data, cleansed(named, event));
      if (texts.length > 0) yield { held: 'mention', ...recordedOf(event), texts };
    }
    onProgress(Number(page.endPosition), Number(head));
  }
}

/** Schemas besides those of read models that have rows of accounts. */
const SCHEMAS = ['crawl', 'metering'];

/** Rows of tables that say of which account they are, in the read models that answers come from. */
async function* heldInTables(
  { db }: { readonly db: Queryable },
  { platform, nativeId, handles }: Names,
): AsyncGenerator<Held> {
  const builds = await listBuilds(db);
  const schemas = builds.filter(({ status }) => status === 'active').map(({ schema }) => schema);
  const { rows: tables } = await db.query<{ schema: string; name: string; columns: readonly string[] }>(sql`
    select n.nspname as schema, c.relname as name, array_agg(a.attname::text) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace join pg_attribute a on a.attrelid = c.oid
    where n.nspname = any(${[...schemas, ...SCHEMAS]}) and c.relkind in ('r', 'p', 'v') and not c.relispartition
      and a.attnum > 0 and not a.attisdropped
    group by n.nspname, c.relname order by n.nspname, c.relname`);
  for (const { schema, name, columns } of tables) {
    const column = ['handle', 'name'].find((each) => columns.includes(each));
    if (!columns.includes('platform') || column === undefined) continue;
    const isNamed = sql`${ident(column)} = any(${wordsOf({ platform, nativeId, handles })})`;
    const isOwn =
      columns.includes('native_id') && nativeId !== null
        ? sql`(native_id = ${nativeId} or (native_id is null and ${isNamed}))`
        : isNamed;
    const { rows } = await db.query<{ row: unknown }>(sql`
      select to_jsonb(t) as row from ${ident(`${schema}.${name}`)} t where platform = ${platform} and ${isOwn}`);
    for (const { row } of rows) yield { held: 'row', table: `${schema}.${name}`, row };
  }
}

export interface ExportOptions {
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress;
}

/**
 * Everything that is held about an account: its names, its events with their sources and times, texts of others that name it, and
 * its rows. It reads the whole log once.
 */
export async function* exportSubject(
  context: ErasureContext,
  account: AccountName,
  options: ExportOptions,
): AsyncGenerator<Held> {
  const subject = await previewSubject(context, account);
  const { platform, nativeId, handles } = subject;
  yield { held: 'account', platform, native_id: nativeId, handles };
  yield* heldInLog(context, subject, options);
  yield* heldInTables(context, subject);
}

/** How much of what is held, and where. */
export interface HeldCount {
  readonly held: Held['held'];
  /** The type of an event, or a table. */
  readonly where: string;
  readonly count: number;
  /** When the first and the last event was recorded; null of rows. */
  readonly since: string | null;
  readonly until: string | null;
}

const whereOf = (held: Held): string => {
  if (held.held === 'row') return held.table;
  return held.held === 'account' ? held.platform : held.type;
};

/** Counts what `exportSubject` gives. */
export const countHeld = async (all: AsyncIterable<Held>): Promise<readonly HeldCount[]> => {
  const counts = new Map<string, HeldCount>();
  for await (const held of all) {
    const where = whereOf(held);
    const at = 'recorded_at' in held ? held.recorded_at : null;
    const before = counts.get(`${held.held} ${where}`);
    const count = (before?.count ?? 0) + 1;
    counts.set(`${held.held} ${where}`, {
      held: held.held,
      where,
      count,
      since: before?.since ?? at,
      until: at,
    });
  }
  return [...counts.values()];
};
