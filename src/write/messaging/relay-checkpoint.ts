import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';

/** How far the log has been published. */
export interface RelayCheckpoint {
  /** ID of the log: brokers may hold messages of other logs, or of an incarnation before a restore. */
  readonly logId: string;
  /** The brokers have stored everything up to here. */
  readonly position: bigint;
  /** Where publishing began: older events were never published. */
  readonly startPosition: bigint;
  /** Position of the last published event by partition; `startPosition` if there is none. */
  readonly lastPublished: ReadonlyMap<string, bigint>;
}

/** A single relay publishes the whole log. */
const RELAY = 'log';

interface Row {
  readonly log_id: string;
  readonly position: string;
  readonly start_position: string;
  readonly last_published: Readonly<Record<string, string>>;
}

/** The relay's checkpoint, as a consistent snapshot; null if no relay ran in this incarnation of the database. */
export const readRelayCheckpoint = async (db: Queryable): Promise<RelayCheckpoint | null> => {
  const { rows } = await db.query<Row>(sql`
    select log_id, position, start_position, last_published from relay.checkpoints where relay = ${RELAY}
      and incarnation = relay.incarnation()`);
  const [row] = rows;
  if (row === undefined) return null;
  return {
    logId: row.log_id,
    position: BigInt(row.position),
    startPosition: BigInt(row.start_position),
    lastPublished: new Map(
      Object.entries(row.last_published).map(([partition, position]) => [partition, BigInt(position)]),
    ),
  };
};

/**
 * Initializes the checkpoint, unless it exists. A new incarnation of the database gets a new log ID: messages
 * published from the lost timeline are ignored from then on.
 */
export const initializeRelayCheckpoint = async (db: Queryable, startPosition: bigint): Promise<void> => {
  await db.query(sql`
    insert into relay.checkpoints as r (relay, incarnation, position, start_position, last_published)
    values (${RELAY}, relay.incarnation(), ${String(startPosition)}, ${String(startPosition)}, '{}')
    on conflict (relay) do update set
      log_id = gen_random_uuid(), incarnation = excluded.incarnation, start_position = r.position,
        last_published = '{}'
    where r.incarnation <> excluded.incarnation`);
};

/** The log's ID has changed: messages of the former ID must not be applied. */
export class LogIdChangedError extends Error {
  override readonly name = 'LogIdChangedError';
}

/**
 * Checks the log's ID, in the transaction of the rows.
 * @throws {LogIdChangedError}
 */
export const checkLogId = async (db: Queryable, log: string): Promise<void> => {
  const { rowCount } = await db.query(sql.named('check_log')`
    select 1 from relay.checkpoints where relay = ${RELAY} and log_id = ${log} and incarnation = relay.incarnation()`);
  if (rowCount !== 1)
    throw new LogIdChangedError('the log ID has changed: the database was restored or replaced');
};

/** Another relay advanced the checkpoint: this one has lost its lease. */
export class RelayFencedError extends Error {
  override readonly name = 'RelayFencedError';
}

/**
 * Advances the checkpoint by compare-and-set.
 * @param moved the partitions with new last positions.
 * @throws {RelayFencedError}
 */
export const advanceRelayCheckpoint = async (
  db: Queryable,
  from: bigint,
  to: bigint,
  moved: ReadonlyMap<string, bigint>,
): Promise<void> => {
  const lastPublished = Object.fromEntries(
    [...moved].map(([partition, position]) => [partition, String(position)]),
  );
  const { rowCount } = await db.query(sql.named('move_relay')`
    update relay.checkpoints set position = ${String(to)},
      last_published = last_published || ${JSON.stringify(lastPublished)}::jsonb, updated_at = now()
    where relay = ${RELAY} and position = ${String(from)} and incarnation = relay.incarnation()`);
  if (rowCount !== 1) throw new RelayFencedError(`another relay has advanced from position ${from}`);
};
