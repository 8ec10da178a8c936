import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';

/** A stream whose events from a revision on are not in a build. */
export interface ParkedStream {
  readonly stream: string;
  readonly eventId: string;
  readonly revision: bigint;
  readonly position: bigint;
}

/** The parked streams of a build, by name. */
export type ParkedStreams = ReadonlyMap<string, ParkedStream>;

/** A stream is parked at a position of the log, or, if `row` is null, unparked. */
export interface ParkedChange {
  readonly at: bigint;
  readonly stream: string;
  readonly row: ParkedStream | null;
}

interface Row {
  readonly stream: string;
  readonly event_id: string;
  readonly revision: string;
  readonly position: string;
}

const streamOf = (row: Row): ParkedStream => ({
  stream: row.stream,
  eventId: row.event_id,
  revision: BigInt(row.revision),
  position: BigInt(row.position),
});

export const parkedStreams = async (db: Queryable, schema: string): Promise<ParkedStreams> => {
  const { rows } = await db.query<Row>(sql`
    select stream, event_id, revision, position from projections.parked where schema_name = ${schema}
      order by position`);
  return new Map(rows.map((row) => [row.stream, streamOf(row)]));
};

/** Writes changes in order. Call it in the transaction that writes the rows concerned. */
export const storeParked = async (
  db: Queryable,
  schema: string,
  changes: readonly ParkedChange[],
): Promise<void> => {
  const last = new Map(changes.map((change) => [change.stream, change.row]));
  if (last.size === 0) return;
  await db.query(
    sql`delete from projections.parked where schema_name = ${schema} and stream = any(${[...last.keys()]})`,
  );
  const rows = [...last.values()].filter((row) => row !== null);
  if (rows.length === 0) return;
  await db.query(sql`
    insert into projections.parked (schema_name, stream, event_id, revision, position)
    select ${schema}, * from unnest(${rows.map(({ stream }) => stream)}::text[],
      ${rows.map(({ eventId }) => eventId)}::uuid[], ${rows.map(({ revision }) => String(revision))}::bigint[],
      ${rows.map(({ position }) => String(position))}::bigint[])`);
};

/** Number of parked streams of each active build, by projection and version. */
export const countParked = async (
  db: Queryable,
): Promise<
  readonly { readonly projection: string; readonly version: number; readonly streams: number }[]
> => {
  const { rows } = await db.query<{ projection: string; version: number; streams: number }>(sql`
    select b.projection, b.version, count(*)::int as streams
    from projections.parked p join projections.builds b using (schema_name)
    where b.status = 'active' group by 1, 2 order by 1, 2`);
  return rows;
};
