/**
 * The event log in Postgres: wake-ups, batched appends, and reads.
 * Decision: `docs/adr/0001-serialized-appends.md`.
 */

import { setImmediate as setImmediately } from 'node:timers/promises';
import type { Logger } from '../../kernel/logger.ts';
import { Client } from '../../kernel/postgres/client.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { raw, type Statement, sql } from '../../kernel/postgres/statement.ts';
import { binaryTextArray, binaryUuidArray, isUuid, timestampOf } from '../../kernel/postgres/values.ts';
import { APPEND_BACKOFF, backoffMs, pause, READ_BACKOFF, retryForMs } from '../../kernel/retry.ts';
import {
  type Append,
  type AppendOutcome,
  type EventFilter,
  type EventLog,
  type EventPage,
  type ExpectedRevision,
  LogRequestRejectedError,
  LogUnavailableError,
  type Metadata,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from './port.ts';

/** Maximum wait of a reader, which bounds the cost of a lost notification. */
const POLL_MS = 1_000;
const RECONNECT_MS = 500;

/**
 * Wakes readers when the log grows, by one LISTEN connection per process, which reconnects when it breaks. Readers also poll once a
 * second, in case a notification is lost.
 */
const createNotifyListener = (connectionString: string, logger: Logger) => {
  const sleepers = new Set<() => void>();
  let client: Client | null = null;
  let reconnect: NodeJS.Timeout | undefined;
  let started = false;
  let closed = false;

  const wakeAll = () => {
    for (const wake of [...sleepers]) wake();
  };

  const listen = async (): Promise<void> => {
    const next = new Client({
      connectionString,
      application_name: 'sightline log listener',
      keepAlive: true,
    });
    const again = () => {
      if (closed || client !== next) return;
      client = null;
      reconnect = setTimeout(() => void listen(), RECONNECT_MS);
    };
    client = next;
    next.on('notification', wakeAll);
    next.on('error', (error) => {
      logger.debug({ err: error.message }, 'log listener lost its connection');
      again();
    });
    next.on('end', again);
    try {
      await next.connect();
      await next.query(sql`listen sightline_log`);
      // Notifications were lost while disconnected.
      wakeAll();
    } catch (error) {
      logger.debug({ err: (error as Error).message }, 'log listener could not connect');
      next.end().catch(() => undefined);
      again();
    }
  };

  return {
    /** Resolves when the log may have grown, the signal has fired, or the poll interval is over. */
    sleep: (signal: AbortSignal): Promise<void> => {
      if (!started && !closed) {
        started = true;
        void listen();
      }
      return new Promise((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          sleepers.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, POLL_MS);
        sleepers.add(wake);
        signal.addEventListener('abort', wake, { once: true });
        if (signal.aborted || closed) wake();
      });
    },
    close: async (): Promise<void> => {
      closed = true;
      clearTimeout(reconnect);
      wakeAll();
      const last = client;
      client = null;
      await last?.end().catch(() => undefined);
    },
  };
};

/**
 * The event log in Postgres. `connectionString` is for the LISTEN connection; everything else uses the pool. The schema must be
 * migrated.
 */
export const createPostgresLog = (db: Db, connectionString: string, logger: Logger): EventLog => {
  const appender = createAppender(db);
  const waker = createNotifyListener(connectionString, logger);

  async function* subscribe(after: bigint, options: SubscribeOptions): AsyncIterable<EventPage> {
    const { signal } = options;
    let position = after;
    let failures = 0;
    while (!signal.aborted) {
      // The wait begins before the read: an append between a read and a later wait would go unnoticed.
      const looked = new AbortController();
      const woken = waker.sleep(AbortSignal.any([signal, looked.signal]));
      try {
        let moved = false;
        for await (const page of readPages(db, position, options)) {
          if (signal.aborted) break;
          moved = true;
          yield page;
          position = page.endPosition;
        }
        if (!moved && !signal.aborted) yield { events: [], endPosition: position };
        failures = 0;
      } catch (error) {
        if (signal.aborted) break;
        const delay = backoffMs(READ_BACKOFF, failures);
        failures += 1;
        logger.warn(
          { err: (error as Error).message, position: String(position), delay },
          'reading the log failed',
        );
        await pause(delay, signal);
        looked.abort();
      }
      await woken;
    }
  }

  return {
    append: (stream, events, expected) => appender.append({ stream, events, expected }),
    appendMany: (appends) => Promise.all(appends.map((append) => appender.append(append))),
    readStream: (stream, options = {}) => readStream(db, stream, options),
    readAll: (after, options = {}) => readPages(db, after, options),
    subscribe,
    head: () => head(db),
    close: async () => {
      appender.close();
      await waker.close();
    },
  };
};

interface AppendedRow {
  readonly outcome: 'appended' | 'repeated' | 'conflict';
  readonly last_revision: string;
  readonly last_position: string | null;
}

/**
 * Maximum number of events per batch: enough to amortize a flush, few enough that the writers of the next batch can prepare it
 * while Postgres works on this one.
 */
const MAX_EVENTS = 1_000;
/**
 * With at least this many waiting events, the next batch is sent before the callers of the last one are answered, so that they
 * prepare further appends while Postgres works. Fewer events wait for these appends and share a flush with them.
 */
const SENT_FIRST = 200;
const MALFORMED = 'malformed event';
/** How long an append with unknown outcome is retried. */
const DOUBT_MS = 15_000;

const expectedNumber = (expected: ExpectedRevision): string =>
  expected === 'any' ? '-2' : expected === 'no_stream' ? '-1' : String(expected);

const outcomeOf = (row: AppendedRow): AppendOutcome =>
  row.outcome === 'conflict'
    ? { status: 'conflict', revision: row.last_revision === '-1' ? null : BigInt(row.last_revision) }
    : { status: 'appended', revision: BigInt(row.last_revision), position: BigInt(row.last_position ?? 0) };

/** Whether a failure is caused by the connection or server, and not by the request. */
const isPassing = (error: unknown): boolean => {
  const code = (error as { code?: string }).code;
  if (code === undefined) return true;
  // 57P01-3: shutdown or start-up; 53: out of resources; 08: connection; 40: serialization failure, deadlock.
  return /^(57P0|53|08|40|E[A-Z]+$)/.test(code);
};

/** The reason why an append that was refused on its own fails. */
const refusalOf = (error: unknown): unknown => {
  const code = (error as { code?: string }).code;
  if (code === '23505')
    return new LogRequestRejectedError('an event ID is in the log already', { cause: error });
  return code?.startsWith('22') ? new LogRequestRejectedError(MALFORMED, { cause: error }) : error;
};

/** An append in the form that the statement takes. It is serialized when it arrives, while Postgres works on an earlier batch. */
interface Waiting {
  readonly stream: string;
  readonly expected: string;
  readonly ids: readonly string[];
  readonly types: readonly string[];
  readonly data: readonly string[];
  readonly metadata: readonly string[];
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

const serialized = ({ stream, expected, events }: Append) => ({
  stream,
  expected: expectedNumber(expected),
  ids: events.map((event) => event.id),
  types: events.map((event) => event.type),
  data: events.map((event) => JSON.stringify(event.data)),
  metadata: events.map((event) => JSON.stringify(event.metadata ?? {})),
});

/**
 * Batches waiting appends into one statement, one statement at a time. Appends that arrive meanwhile form the next batch, so that
 * batches grow with the load while a single append is sent at once.
 */
export const createAppender = (db: Db) => {
  const queue: Waiting[] = [];
  let running = false;
  let closed = false;

  const send = async (batch: readonly Waiting[]): Promise<readonly AppendOutcome[]> => {
    const statement = sql.named('log_append')`
      select outcome, last_revision, last_position from log.append(
        ${binaryTextArray(batch.map((append) => append.stream))},
        ${batch.map((append) => append.expected)},
        ${batch.map((append) => append.ids.length)},
        ${batch.flatMap((append, i) => append.ids.map(() => i + 1))},
        ${binaryUuidArray(batch.flatMap((append) => append.ids))},
        ${binaryTextArray(batch.flatMap((append) => append.types))},
        ${binaryTextArray(batch.flatMap((append) => append.data))},
        ${binaryTextArray(batch.flatMap((append) => append.metadata))})`;
    // Idempotent: the same IDs and expectations get the same answer, so retrying is safe.
    const ask = () => db.query<AppendedRow>(statement);
    const { rows } = await retryForMs(DOUBT_MS, APPEND_BACKOFF, ask, (error, isLate) => {
      if (!isPassing(error)) throw error;
      if (isLate || closed) throw new LogUnavailableError('event log unavailable', { cause: error });
    });
    return rows.map(outcomeOf);
  };

  /** The next batch: distinct streams in order of arrival, up to the maximum. */
  const take = (): Waiting[] => {
    const streams = new Set<string>();
    const batch: Waiting[] = [];
    const later: Waiting[] = [];
    let events = 0;
    for (const waiting of queue) {
      const fits = events === 0 || events + waiting.ids.length <= MAX_EVENTS;
      if (fits && !streams.has(waiting.stream)) {
        batch.push(waiting);
        events += waiting.ids.length;
      } else {
        later.push(waiting);
      }
      // A waiting append blocks its stream, so that appends to a stream keep their order.
      streams.add(waiting.stream);
    }
    queue.splice(0, queue.length, ...later);
    return batch;
  };

  /** Sends a batch. @returns a function that answers its callers. */
  const answered = async (batch: readonly Waiting[]): Promise<() => void> => {
    try {
      const outcomes = await send(batch);
      return () => {
        for (const [i, waiting] of batch.entries()) waiting.resolve(outcomes[i] as AppendOutcome);
      };
    } catch (error) {
      // A rejected append must not fail the rest of the batch, so each is retried on its own.
      if (batch.length > 1 && !(error instanceof LogUnavailableError)) {
        for (const waiting of batch) (await answered([waiting]))();
        return () => undefined;
      }
      const refusal = refusalOf(error);
      return () => {
        for (const waiting of batch) waiting.reject(refusal);
      };
    }
  };

  const run = async (): Promise<void> => {
    running = true;
    // Collects the other appends of this tick.
    await null;
    while (queue.length > 0) {
      const answer = await answered(take());
      const events = queue.reduce((sum, { ids }) => sum + ids.length, 0);
      if (events >= SENT_FIRST) {
        setImmediate(answer);
      } else {
        answer();
        if (events > 0) await setImmediately();
      }
    }
    running = false;
  };

  return {
    append: (append: Append): Promise<AppendOutcome> =>
      new Promise((resolve, reject) => {
        if (append.events.length === 0) {
          reject(new LogRequestRejectedError(`nothing to append to ${append.stream}`));
          return;
        }
        if (!append.events.every((event) => isUuid(event.id))) {
          reject(new LogRequestRejectedError(MALFORMED));
          return;
        }
        queue.push({ ...serialized(append), resolve, reject });
        if (!running) void run();
      }),
    close: () => {
      closed = true;
    },
  };
};

/** The data of an event that is in an archive file. */
export const ARCHIVED: unique symbol = Symbol('archived');

/** Columns in order, in Postgres's text format. */
type EventRow = readonly [
  id: string,
  stream: string,
  revision: string,
  position: string,
  type: string,
  data: string | null,
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
]: EventRow): RecordedEvent => ({
  id,
  stream,
  revision: BigInt(revision),
  position: BigInt(position),
  type,
  data: data === null ? ARCHIVED : (JSON.parse(data) as unknown),
  metadata: metadata === '{}' ? {} : (JSON.parse(metadata) as Metadata),
  recorded_at: timestampOf(recordedAt),
});

/** Values are converted only here: the driver's parsers are bypassed. */
const AS_TEXT = { rowMode: 'array', types: { getTypeParser: () => (value: string) => value } } as const;

const eventsOf = async (db: Db, statement: Statement): Promise<readonly RecordedEvent[]> =>
  (await db.query<EventRow>(statement)).rows.map(recorded);

const MAX_ROWS = 1_000_000;
const PAGE_SIZE = 1_000;
/** Maximum number of positions that a filtered query scans, so that no query runs long. */
const WINDOW = 100_000n;

const readStream = async (
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

const head = async (db: Db): Promise<bigint> => {
  const result = await db.query<{ position: string }>(
    sql.named('log_head')`select position from log.events order by position desc limit 1`,
  );
  return BigInt(result.rows[0]?.position ?? 0);
};

const OTHER_CATEGORIES = sql` and stream not like 'account-%'`;

interface Query {
  readonly where: Statement;
  /** Without a filter, the page ends at its last row. */
  readonly dense: boolean;
  /** The index contains little more than the matching events, so no scan window is needed. */
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
 * The page after a position, up to `end`. Positions are gapless and become visible in order. So an event that a query does not
 * return does not match, and can't appear later.
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
async function* readPages(db: Db, after: bigint, options: ReadAllOptions): AsyncIterable<EventPage> {
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
