import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { binaryTextArray } from '../../kernel/postgres/binary-arrays.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { eventOf, type Lines } from './log-file.ts';

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
        binaryTextArray(events.map(({ data }) => JSON.stringify(data))),
        binaryTextArray(events.map(({ metadata }) => JSON.stringify(metadata))),
        events.map(({ recorded_at }) => recorded_at),
      ],
    });
    loaded += BigInt(events.length);
    onLoaded(Number(loaded));
  }
  await db.query('notify sightline_log');
};
