import type { Queryable } from '../../kernel/postgres/pool.ts';

/** How far the log has been handed out. */
export interface RelayCheckpoint {
  /** Names the log: the brokers may hold messages of another, or of a life of this one before a restore. */
  readonly logId: string;
  /** All up to here was taken by the brokers. */
  readonly position: bigint;
  /** Where handing out began: what is older was never sent. */
  readonly startPosition: bigint;
  /** Position of the last event of each partition, by its name; the origin where nothing was sent. */
  readonly lastPublished: ReadonlyMap<string, bigint>;
}

/** One relay hands out the whole log. */
const RELAY = 'log';

interface Row {
  readonly log_id: string;
  readonly position: string;
  readonly start_position: string;
  readonly last_published: Readonly<Record<string, string>>;
}

/** Where the relay stands, of one moment; null where it has never run in this life of the database. */
export const readRelayCheckpoint = async (db: Queryable): Promise<RelayCheckpoint | null> => {
  const { rows } = await db.query<Row>(
    'select log_id, position, start_position, last_published from relay.checkpoints where relay = $1 and incarnation = relay.incarnation()',
    [RELAY],
  );
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
 * Begins handing out after a position, unless that was begun before. In another life of the database the log gets
 * another name: what was handed out of the life that was lost is nobody's then.
 */
export const initializeRelayCheckpoint = async (db: Queryable, startPosition: bigint): Promise<void> => {
  await db.query(
    `insert into relay.checkpoints as r (relay, incarnation, position, start_position, last_published)
     values ($1, relay.incarnation(), $2, $2, '{}')
     on conflict (relay) do update set
       log_id = gen_random_uuid(), incarnation = excluded.incarnation, start_position = r.position,
         last_published = '{}'
     where r.incarnation <> excluded.incarnation`,
    [RELAY, String(startPosition)],
  );
};

/** The log has another name than when this was begun: what came under the old one is not to be taken in. */
export class LogIdChangedError extends Error {
  override readonly name = 'LogIdChangedError';
}

/**
 * Makes sure, in the transaction of the rows, that the log still has its name.
 * @throws {LogIdChangedError}
 */
export const checkLogId = async (db: Queryable, log: string): Promise<void> => {
  const { rowCount } = await db.query({
    name: 'check_log',
    text: 'select 1 from relay.checkpoints where relay = $1 and log_id = $2 and incarnation = relay.incarnation()',
    values: [RELAY, log],
  });
  if (rowCount !== 1)
    throw new LogIdChangedError('the database has gone back, or another has taken its partition');
};

/** Another relay moved on meanwhile: this one has lost its lease. */
export class RelayFencedError extends Error {
  override readonly name = 'RelayFencedError';
}

/**
 * Moves on from where this relay thinks it stands.
 * @param moved the partitions with new tails.
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
  const { rowCount } = await db.query({
    name: 'move_relay',
    text: `update relay.checkpoints set position = $3, last_published = last_published || $4::jsonb, updated_at = now()
           where relay = $1 and position = $2 and incarnation = relay.incarnation()`,
    values: [RELAY, String(from), String(to), JSON.stringify(lastPublished)],
  });
  if (rowCount !== 1) throw new RelayFencedError(`another relay has moved on from position ${from}`);
};
