import type { Db } from '../../../kernel/postgres/pool.ts';
import { raw, type Statement, sql } from '../../../kernel/postgres/statement.ts';
import { timestampOf } from '../../../kernel/postgres/timestamp.ts';
import type {
  EventFilter,
  EventPage,
  Metadata,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
} from '../port.ts';

/** Columns in order, in Postgres text format. */
type Row = readonly [
  id: string,
  stream: string,
  revision: string,
  position: string,
  type: string,
  data: string,
  metadata: string,
  recordedAt: string,
];

const COLUMNS = raw('id, stream, revision, position, type, data, metadata, recorded_at');

const recorded = ([
  id,
  stream,
  revision,
  position,
  type,
  data,
  metadata,
  recordedAt,
]: Row): RecordedEvent => ({
  id,
  stream,
  revision: BigInt(revision),
  position: BigInt(position),
  type,
  data: JSON.parse(data) as unknown,
  metadata: metadata === '{}' ? {} : (JSON.parse(metadata) as Metadata),
  recorded_at: timestampOf(recordedAt),
});

/** Values are converted once, here: the driver's parsers are bypassed. */
const AS_TEXT = { rowMode: 'array', types: { getTypeParser: () => (value: string) => value } } as const;

const eventsOf = async (db: Db, statement: Statement): Promise<readonly RecordedEvent[]> =>
  (await db.query<Row>(statement)).rows.map(recorded);

const MAX_ROWS = 1_000_000;
const PAGE_SIZE = 1_000;
/** Maximum positions scanned by a filtered query, so that no query runs long. */
const WINDOW = 100_000n;

export const readStream = async (
  db: Db,
  stream: string,
  { direction = 'forwards', from, limit = MAX_ROWS }: ReadStreamOptions,
): Promise<readonly RecordedEvent[]> =>
  eventsOf(
    db,
    direction === 'forwards'
      ? sql.named('log_stream_forwards', AS_TEXT)`
        select ${COLUMNS} from log.events
        where stream = ${stream} and revision >= ${String(from ?? 0n)} order by revision limit ${limit}`
      : sql.named('log_stream_backwards', AS_TEXT)`
        select ${COLUMNS} from log.events
        where stream = ${stream} and revision <= ${String(from ?? 2n ** 63n - 1n)} order by revision desc
          limit ${limit}`,
  );

export const head = async (db: Db): Promise<bigint> => {
  const result = await db.query<{ position: string }>(
    sql.named('log_head')`select position from log.events order by position desc limit 1`,
  );
  return BigInt(result.rows[0]?.position ?? 0);
};

const OTHER_CATEGORIES = sql` and stream not like 'account-%'`;

interface Query {
  readonly where: Statement;
  /** Unfiltered: the page ends at its last row. */
  readonly dense: boolean;
  /** An index contains little more than the matching events: no scan window is needed. */
  readonly indexed: boolean;
}

const prefixPattern = (prefix: string): string => `${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`;

const NONE = sql``;

const queryOf = (filter: EventFilter): Query => {
  const { types, streamPrefixes } = filter;
  const indexed =
    streamPrefixes !== undefined &&
    streamPrefixes.length > 0 &&
    streamPrefixes.every((prefix) => prefix.includes('-') && !prefix.startsWith('account-'));
  const ofTypes = types === undefined ? NONE : sql` and type = any(${types})`;
  const ofStreams =
    streamPrefixes === undefined ? NONE : sql` and stream like any(${streamPrefixes.map(prefixPattern)})`;
  return {
    where: sql`${ofTypes}${ofStreams}${indexed ? OTHER_CATEGORIES : NONE}`,
    dense: types === undefined && streamPrefixes === undefined,
    indexed,
  };
};

/**
 * The page after a position, up to `end`. Positions are gapless and become visible in order, so an event that a
 * query does not return does not match; it can't appear later.
 */
const readPage = async (
  db: Db,
  after: bigint,
  end: bigint,
  size: number,
  query: Query,
): Promise<EventPage> => {
  const stop = query.dense || query.indexed || after + WINDOW > end ? end : after + WINDOW;
  const events = await eventsOf(
    db,
    sql`
      select ${COLUMNS} from log.events where position > ${String(after)}
        and position <= ${String(stop)}${query.where}
      order by position limit ${size}`.with(AS_TEXT),
  );
  const last = events.at(-1);
  return { events, endPosition: events.length === size && last !== undefined ? last.position : stop };
};

/** Pages up to the current head, or to `to` if that is earlier. */
export async function* readPages(db: Db, after: bigint, options: ReadAllOptions): AsyncIterable<EventPage> {
  const query = queryOf(options);
  const now = await head(db);
  const end = options.to !== undefined && options.to < now ? options.to : now;
  const size = options.pageSize ?? PAGE_SIZE;
  let position = after;
  while (position < end) {
    const page = await readPage(db, position, end, size, query);
    yield page;
    position = page.endPosition;
  }
}
