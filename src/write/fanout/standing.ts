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

/** Where the relay stands, of one moment; null where it has never run. */
export const readStanding = async (db: Queryable): Promise<Standing | null> => {
  const { rows } = await db.query<Row>(
    'select log, position, origin, tails from fanout.relay where relay = $1',
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

/** Begins handing out after a position, unless that was begun before. */
export const beginStanding = async (db: Queryable, origin: bigint): Promise<void> => {
  await db.query(
    `insert into fanout.relay (relay, position, origin, tails) values ($1, $2, $2, '{}') on conflict do nothing`,
    [RELAY, String(origin)],
  );
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
           where relay = $1 and position = $2`,
    values: [RELAY, String(from), String(to), JSON.stringify(tails)],
  });
  if (rowCount !== 1) throw new RelayOvertaken(`another relay has moved on from position ${from}`);
};
