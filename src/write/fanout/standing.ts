import type { Queryable } from '../../kernel/postgres/pool.ts';

/** How far the log has been handed out. */
export interface Standing {
  /** Names the log: the brokers may hold messages of another, or of a life of this one before a restore. */
  readonly log: string;
  /** All up to here was taken by the brokers. */
  readonly position: bigint;
  /** Where handing out began: what is older was never sent. */
  readonly origin: bigint;
  /** Position of the last event of each place, by its name; the origin where nothing was sent. */
  readonly tails: ReadonlyMap<string, bigint>;
}

/** One relay hands out the whole log. */
const RELAY = 'log';

interface Row {
  readonly log: string;
  readonly position: string;
  readonly origin: string;
  readonly tails: Readonly<Record<string, string>>;
}

/** Where the relay stands, of one moment; null where it has never run in this life of the database. */
export const readStanding = async (db: Queryable): Promise<Standing | null> => {
  const { rows } = await db.query<Row>(
    'select log, position, origin, tails from fanout.relay where relay = $1 and life = fanout.life()',
    [RELAY],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    log: row.log,
    position: BigInt(row.position),
    origin: BigInt(row.origin),
    tails: new Map(Object.entries(row.tails).map(([place, position]) => [place, BigInt(position)])),
  };
};

/**
 * Begins handing out after a position, unless that was begun before. In another life of the database the log gets
 * another name: what was handed out of the life that was lost is nobody's then.
 */
export const beginStanding = async (db: Queryable, origin: bigint): Promise<void> => {
  await db.query(
    `insert into fanout.relay as r (relay, life, position, origin, tails)
     values ($1, fanout.life(), $2, $2, '{}')
     on conflict (relay) do update set
       log = gen_random_uuid(), life = excluded.life, origin = r.position, tails = '{}'
     where r.life <> excluded.life`,
    [RELAY, String(origin)],
  );
};

/** The log has another name than when this was begun: what came under the old one is not to be taken in. */
export class LogRenamed extends Error {
  override readonly name = 'LogRenamed';
}

/**
 * Makes sure, in the transaction of the rows, that the log still has its name.
 * @throws {LogRenamed}
 */
export const checkName = async (db: Queryable, log: string): Promise<void> => {
  const { rowCount } = await db.query({
    name: 'check_log',
    text: 'select 1 from fanout.relay where relay = $1 and log = $2 and life = fanout.life()',
    values: [RELAY, log],
  });
  if (rowCount !== 1) throw new LogRenamed('the database has gone back, or another has taken its place');
};

/** Another relay moved on meanwhile: this one has lost its lease. */
export class RelayOvertaken extends Error {
  override readonly name = 'RelayOvertaken';
}

/**
 * Moves on from where this relay thinks it stands.
 * @param moved the places with new tails.
 * @throws {RelayOvertaken}
 */
export const moveStanding = async (
  db: Queryable,
  from: bigint,
  to: bigint,
  moved: ReadonlyMap<string, bigint>,
): Promise<void> => {
  const tails = Object.fromEntries([...moved].map(([place, position]) => [place, String(position)]));
  const { rowCount } = await db.query({
    name: 'move_relay',
    text: `update fanout.relay set position = $3, tails = tails || $4::jsonb, moved_at = now()
           where relay = $1 and position = $2 and life = fanout.life()`,
    values: [RELAY, String(from), String(to), JSON.stringify(tails)],
  });
  if (rowCount !== 1) throw new RelayOvertaken(`another relay has moved on from position ${from}`);
};
