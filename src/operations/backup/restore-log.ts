import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { binaryTextArray } from '../../kernel/postgres/values.ts';
import { eventOf, type Lines } from './log-file.ts';

/** Blocks appends for the transaction. @returns the log's last position; 0 where it is empty. */
export const claimLog = async (db: Queryable): Promise<bigint> => {
  await db.query(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.APPEND})`);
  const { rows } = await db.query<{ head: string }>(
    sql`select coalesce(max(position), 0)::text as head from log.events`,
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
    await db.query(sql.named('restore_events')`
      insert into log.events (position, stream, revision, id, type, data, metadata, recorded_at)
      select position, stream, revision, id, type, data::json, metadata::json, recorded_at
      from unnest(${positions.map(String)}::bigint[], ${events.map(({ stream }) => stream)}::text[],
        ${events.map(({ revision }) => String(revision))}::bigint[], ${events.map(({ id }) => id)}::uuid[],
        ${events.map(({ type }) => type)}::text[],
        ${binaryTextArray(events.map(({ data }) => JSON.stringify(data)))}::text[],
        ${binaryTextArray(events.map(({ metadata }) => JSON.stringify(metadata)))}::text[],
        ${events.map(({ recorded_at }) => recorded_at)}::timestamptz[]) as e(position, stream, revision, id, type,
          data, metadata, recorded_at)`);
    loaded += BigInt(events.length);
    onLoaded(Number(loaded));
  }
  await db.query(sql`notify sightline_log`);
};
