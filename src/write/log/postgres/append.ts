import { setImmediate as setImmediately } from 'node:timers/promises';
import { APPEND_BACKOFF } from '../../../kernel/backoff.ts';
import { binaryTextArray, binaryUuidArray, isUuid } from '../../../kernel/postgres/binary-arrays.ts';
import type { Db } from '../../../kernel/postgres/pool.ts';
import { sql } from '../../../kernel/postgres/statement.ts';
import { retryForMs } from '../../../kernel/retry.ts';
import type { Append, AppendOutcome, ExpectedRevision } from '../port.ts';
import { LogRequestRejectedError, LogUnavailableError } from '../port.ts';

interface Row {
  readonly outcome: 'appended' | 'repeated' | 'conflict';
  readonly last_revision: string;
  readonly last_position: string | null;
}

/**
 * Maximum events of a batch: enough to amortize a flush, few enough that writers of the next batch prepare it while
 * Postgres takes this one.
 */
const MAX_EVENTS = 1_000;
/**
 * So many waiting events are sent before the callers of the last batch are answered, who prepare their next appends
 * while Postgres works. Fewer wait for these appends and share a flush with them.
 */
const SENT_FIRST = 200;
const MALFORMED = 'malformed event';
/** How long an append with unknown outcome is retried. */
const DOUBT_MS = 15_000;

const expectedNumber = (expected: ExpectedRevision): string =>
  expected === 'any' ? '-2' : expected === 'no_stream' ? '-1' : String(expected);

const outcomeOf = (row: Row): AppendOutcome =>
  row.outcome === 'conflict'
    ? { status: 'conflict', revision: row.last_revision === '-1' ? null : BigInt(row.last_revision) }
    : { status: 'appended', revision: BigInt(row.last_revision), position: BigInt(row.last_position ?? 0) };

/** Whether a failure is one of the connection or server, not of the request. */
const isPassing = (error: unknown): boolean => {
  const code = (error as { code?: string }).code;
  if (code === undefined) return true;
  // 57P01-3: shutdown or start-up; 53: out of resources; 08: connection; 40: serialization failure, deadlock.
  return /^(57P0|53|08|40|E[A-Z]+$)/.test(code);
};

/** Why an append that was refused on its own fails. */
const refusalOf = (error: unknown): unknown => {
  const code = (error as { code?: string }).code;
  if (code === '23505')
    return new LogRequestRejectedError('an event ID is in the log already', { cause: error });
  return code?.startsWith('22') ? new LogRequestRejectedError(MALFORMED, { cause: error }) : error;
};

/** An append as the statement takes it. Serialized as it arrives, while Postgres works on an earlier batch. */
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
 * Batches waiting appends into one statement, one statement at a time: appends that arrive meanwhile form the next
 * batch, so batches grow with the load and a single append is sent at once.
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
    const ask = () => db.query<Row>(statement);
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

  /** Sends a batch; returns what answers its callers. */
  const answered = async (batch: readonly Waiting[]): Promise<() => void> => {
    try {
      const outcomes = await send(batch);
      return () => {
        for (const [i, waiting] of batch.entries()) waiting.resolve(outcomes[i] as AppendOutcome);
      };
    } catch (error) {
      // A rejected append must not fail the rest of the batch: retry each on its own.
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
