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

/** Values are converted once, here: the driver's parsers are bypassed. */
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

const OTHER_CATEGORIES = "stream not like 'account-%'";

interface Query {
  readonly where: string;
  readonly values: readonly unknown[];
  /** Unfiltered: the page ends at its last row. */
  readonly dense: boolean;
  /** An index contains little more than the matching events: no scan window is needed. */
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
    if (indexed) parts.push(OTHER_CATEGORIES);
  }
  return {
    where: parts.map((part) => ` and ${part}`).join(''),
    values,
    dense: parts.length === 0,
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
  const events = await eventsOf(db, {
    text: `select ${COLUMNS} from log.events where position > $1 and position <= $2${query.where} order by position limit $3`,
    values: [String(after), String(stop), size, ...query.values],
  });
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
