import type { Db } from '../../../kernel/postgres/pool.ts';
import { timestampOf } from '../../../kernel/postgres/timestamp.ts';
import type {
  EventFilter,
  EventPage,
  Metadata,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
} from '../port.ts';

/** Columns in their order, as Postgres writes them. */
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

const COLUMNS = 'id, stream, revision, position, type, data, metadata, recorded_at';

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

/** Each column is turned into what it is once: the driver's parsers, which know nothing of ours, are passed by. */
const AS_TEXT = { rowMode: 'array', types: { getTypeParser: () => (value: string) => value } } as const;

const eventsOf = async (
  db: Db,
  query: { readonly name?: string; readonly text: string; readonly values: readonly unknown[] },
): Promise<readonly RecordedEvent[]> => {
  const { rows } = await db.query<unknown[]>({ ...query, ...AS_TEXT } as never);
  return rows.map((row) => recorded(row as unknown as Row));
};

const MAX_ROWS = 1_000_000;
const PAGE_SIZE = 1_000;
/** Positions that a filtered read passes in one query at the most, so that no query runs long. */
const WINDOW = 100_000n;

export const readStream = async (
  db: Db,
  stream: string,
  { direction = 'forwards', from, limit = MAX_ROWS }: ReadStreamOptions,
): Promise<readonly RecordedEvent[]> =>
  eventsOf(
    db,
    direction === 'forwards'
      ? {
          name: 'log_stream_forwards',
          text: `select ${COLUMNS} from log.events where stream = $1 and revision >= $2 order by revision limit $3`,
          values: [stream, String(from ?? 0n), limit],
        }
      : {
          name: 'log_stream_backwards',
          text: `select ${COLUMNS} from log.events where stream = $1 and revision <= $2 order by revision desc limit $3`,
          values: [stream, String(from ?? 2n ** 63n - 1n), limit],
        },
  );

export const head = async (db: Db): Promise<bigint> => {
  const result = await db.query<{ position: string }>({
    name: 'log_head',
    text: 'select position from log.events order by position desc limit 1',
  });
  return BigInt(result.rows[0]?.position ?? 0);
};

const OTHER_FAMILIES = "stream not like 'account-%'";

interface Query {
  readonly where: string;
  readonly values: readonly unknown[];
  /** No event is passed over: the page ends where its rows do. */
  readonly dense: boolean;
  /** An index holds just what is asked for, or little more: no window is needed. */
  readonly indexed: boolean;
}

const prefixPattern = (prefix: string): string => `${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`;

const queryOf = (filter: EventFilter): Query => {
  const parts: string[] = [];
  const values: unknown[] = [];
  const { types, streamPrefixes } = filter;
  const indexed =
    streamPrefixes !== undefined &&
    streamPrefixes.length > 0 &&
    streamPrefixes.every((prefix) => prefix.includes('-') && !prefix.startsWith('account-'));
  if (types !== undefined) {
    values.push(types);
    parts.push(`type = any($${values.length + 3})`);
  }
  if (streamPrefixes !== undefined) {
    values.push(streamPrefixes.map(prefixPattern));
    parts.push(`stream like any($${values.length + 3})`);
    if (indexed) parts.push(OTHER_FAMILIES);
  }
  return {
    where: parts.map((part) => ` and ${part}`).join(''),
    values,
    dense: parts.length === 0,
    indexed,
  };
};

/**
 * The page after a position, up to `end` at the most. Positions are gapless and visible in their order, so what a
 * query does not return up to `end` is not wanted, and never "not there yet".
 */
const readPage = async (
  db: Db,
  after: bigint,
  end: bigint,
  size: number,
  query: Query,
): Promise<EventPage> => {
  const stop = query.dense || query.indexed || after + WINDOW > end ? end : after + WINDOW;
  const events = await eventsOf(db, {
    text: `select ${COLUMNS} from log.events where position > $1 and position <= $2${query.where} order by position limit $3`,
    values: [String(after), String(stop), size, ...query.values],
  });
  const last = events.at(-1);
  return { events, endPosition: events.length === size && last !== undefined ? last.position : stop };
};

/** Pages up to the head as it is when asked, or to `to` where that comes first. */
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
