import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { textArray } from '../../kernel/postgres/binary-text-array.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { EventLog, NewEvent, RecordedEvent } from '../../write/log/port.ts';
import { eventOf } from './log-file.ts';

type Lines = AsyncIterable<readonly string[]>;

/** Blocks appends for the transaction. @returns the log's last position; 0 where it is empty. */
export const claimLog = async (db: Queryable): Promise<bigint> => {
  await db.query('select pg_advisory_xact_lock($1)', [ADVISORY_LOCKS.APPEND]);
  const { rows } = await db.query<{ head: string }>(
    'select coalesce(max(position), 0)::text as head from log.events',
  );
  return BigInt(rows[0]?.head ?? 0);
};

/**
 * Puts events into the log in Postgres as they were, `recorded_at` to the millisecond.
 * @param keepPositions not where they come from a log with gaps, for which this one is not made.
 */
export const loadIntoPostgres = async (
  db: Queryable,
  lines: Lines,
  keepPositions: boolean,
  onLoaded: (events: number) => void,
): Promise<void> => {
  let loaded = 0n;
  for await (const batch of lines) {
    const events = batch.map(eventOf);
    const positions = events.map(({ position }, i) => (keepPositions ? position : loaded + BigInt(i) + 1n));
    await db.query({
      name: 'restore_events',
      text: `insert into log.events (position, stream, revision, id, type, data, metadata, recorded_at)
             select position, stream, revision, id, type, data::json, metadata::json, recorded_at
             from unnest($1::bigint[], $2::text[], $3::bigint[], $4::uuid[], $5::text[], $6::text[], $7::text[],
               $8::timestamptz[]) as e(position, stream, revision, id, type, data, metadata, recorded_at)`,
      values: [
        positions.map(String),
        events.map(({ stream }) => stream),
        events.map(({ revision }) => String(revision)),
        events.map(({ id }) => id),
        events.map(({ type }) => type),
        textArray(events.map(({ data }) => JSON.stringify(data))),
        textArray(events.map(({ metadata }) => JSON.stringify(metadata))),
        events.map(({ recorded_at }) => recorded_at),
      ],
    });
    loaded += BigInt(events.length);
    onLoaded(Number(loaded));
  }
  await db.query('notify sightline_log');
};

/** Characters of one append about: logs take no more than a megabyte at once. */
const MAX_AT_ONCE = 256 * 1_024;

/** Events of the log one by one, in its order. */
async function* each(log: EventLog): AsyncGenerator<RecordedEvent, void, undefined> {
  for await (const page of log.readAll(0n)) yield* page.events;
}

const foreign = (): OperatorError =>
  new OperatorError(
    'target_not_empty',
    'The event log holds other events than the backup: restore into an empty one.',
  );

const newEvent = ({ id, type, data, metadata }: RecordedEvent): NewEvent => ({ id, type, data, metadata });

/**
 * Appends events to a log that assigns its own positions and times, in their original order, since streams can depend on
 * each other. Resumes a restore that was aborted.
 * @param log without the codec: events are restored as they were stored, in any version.
 * @throws {OperatorError} where the log holds anything else.
 */
export const loadThroughPort = async (
  log: EventLog,
  lines: Lines,
  signal: AbortSignal,
  onLoaded: (events: number) => void,
): Promise<void> => {
  const there = each(log);
  let next = await there.next();
  let loaded = 0;
  for await (const batch of lines) {
    signal.throwIfAborted();
    let run: RecordedEvent[] = [];
    let size = 0;
    const append = async () => {
      const [first] = run;
      if (first !== undefined) await log.append(first.stream, run.map(newEvent), 'any');
      run = [];
      size = 0;
    };
    for (const line of batch) {
      const event = eventOf(line);
      if (next.done !== true) {
        if (next.value.id !== event.id || next.value.stream !== event.stream) throw foreign();
        next = await there.next();
        continue;
      }
      // Those of a stream that follow each other go together.
      if (run[0] !== undefined && (run[0].stream !== event.stream || size > MAX_AT_ONCE)) await append();
      run.push(event);
      size += line.length;
    }
    await append();
    loaded += batch.length;
    onLoaded(loaded);
  }
  if (next.done !== true) throw foreign();
};
