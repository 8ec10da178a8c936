import { APPEND_BACKOFF } from '../../../kernel/backoff.ts';
import { textArray } from '../../../kernel/postgres/binary-text-array.ts';
import type { Db } from '../../../kernel/postgres/pool.ts';
import { retryForMs } from '../../../kernel/retry.ts';
import type { Append, AppendOutcome, ExpectedRevision } from '../port.ts';
import { LogRequestRejectedError, LogUnavailableError } from '../port.ts';

interface Row {
  readonly outcome: 'appended' | 'repeated' | 'conflict';
  readonly last_revision: string;
  readonly last_position: string | null;
}

const APPEND = {
  name: 'log_append',
  text: 'select outcome, last_revision, last_position from log.append($1, $2, $3, $4, $5, $6, $7, $8)',
};

/** Maximum events of a batch: enough to amortize a flush, few enough not to delay other appends. */
const MAX_EVENTS = 2_000;
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

interface Waiting {
  readonly append: Append;
  readonly resolve: (outcome: AppendOutcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches waiting appends into one statement, one statement at a time: appends that arrive meanwhile form the next
 * batch, so batches grow with the load and a single append is sent at once.
 */
export const createAppender = (db: Db) => {
  const queue: Waiting[] = [];
  let running = false;
  let closed = false;

  const send = async (appends: readonly Append[]): Promise<readonly AppendOutcome[]> => {
    const streams: string[] = [];
    const expected: string[] = [];
    const counts: number[] = [];
    const owners: number[] = [];
    const ids: string[] = [];
    const types: string[] = [];
    const data: string[] = [];
    const metadata: string[] = [];
    for (const append of appends) {
      streams.push(append.stream);
      expected.push(expectedNumber(append.expected));
      counts.push(append.events.length);
      for (const event of append.events) {
        owners.push(streams.length);
        ids.push(event.id);
        types.push(event.type);
        data.push(JSON.stringify(event.data));
        metadata.push(JSON.stringify(event.metadata ?? {}));
      }
    }
    const values = [streams, expected, counts, owners, ids, types, textArray(data), textArray(metadata)];
    // Idempotent: the same IDs and expectations get the same answer, so retrying is safe.
    const ask = () => db.query<Row>({ ...APPEND, values });
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
      const { append } = waiting;
      const fits = events === 0 || events + append.events.length <= MAX_EVENTS;
      if (fits && !streams.has(append.stream)) {
        batch.push(waiting);
        events += append.events.length;
      } else {
        later.push(waiting);
      }
      // A waiting append blocks its stream, so that appends to a stream keep their order.
      streams.add(append.stream);
    }
    queue.splice(0, queue.length, ...later);
    return batch;
  };

  const settle = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      const outcomes = await send(batch.map((w) => w.append));
      for (const [i, waiting] of batch.entries()) waiting.resolve(outcomes[i] as AppendOutcome);
    } catch (error) {
      if (batch.length === 1) {
        const code = (error as { code?: string }).code;
        const refusal =
          code === '23505'
            ? 'an event ID is in the log already'
            : code?.startsWith('22')
              ? 'malformed event'
              : null;
        for (const w of batch)
          w.reject(refusal === null ? error : new LogRequestRejectedError(refusal, { cause: error }));
      } else if (error instanceof LogUnavailableError) {
        for (const w of batch) w.reject(error);
      } else {
        // A rejected append must not fail the rest of the batch: retry each on its own.
        for (const waiting of batch) await settle([waiting]);
      }
    }
  };

  const run = async (): Promise<void> => {
    running = true;
    // Collects the other appends of this tick.
    await null;
    while (queue.length > 0) await settle(take());
    running = false;
  };

  return {
    append: (append: Append): Promise<AppendOutcome> =>
      new Promise((resolve, reject) => {
        if (append.events.length === 0) {
          reject(new LogRequestRejectedError(`nothing to append to ${append.stream}`));
          return;
        }
        queue.push({ append, resolve, reject });
        if (!running) void run();
      }),
    close: () => {
      closed = true;
    },
  };
};
