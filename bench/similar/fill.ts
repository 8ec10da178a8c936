import { deleteHashes } from '../../src/analysis/handles/deletes.ts';
import { skeletonOf } from '../../src/analysis/handles/skeleton.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { upsert } from '../../src/projections/table/bulk-upsert.ts';
import { type DeleteRow, deleteTable, handleTable } from '../../src/projections/views/handles/tables.ts';
import { fillEntries } from '../support/read-models.ts';
import { figure } from '../support/rounds.ts';
import { progress } from '../support/targets.ts';
import type { Named } from './workload.ts';

/** As in the view. */
const DELETES_FROM = 1_000;
const BATCH = 5_000;

/** Rows as the view has them, written without the fold; those of deletions are counted. */
export const fillHandles = async (
  db: Db,
  schema: string,
  platform: Platform,
  names: readonly Named[],
): Promise<number> => {
  const began = performance.now();
  let deletes = 0;
  for (let from = 0; from < names.length; from += BATCH) {
    const some = names.slice(from, from + BATCH);
    const rows = some.map(({ handle, followers }) => ({
      platform,
      handle,
      followers,
      skeleton: skeletonOf(handle),
      has_deletes: followers >= DELETES_FROM,
    }));
    await upsert(db, schema, handleTable, rows);
    const near: DeleteRow[] = rows
      .filter(({ has_deletes }) => has_deletes)
      .flatMap(({ handle }) => deleteHashes(handle).map((hash) => ({ platform, hash, handle })));
    deletes += near.length;
    for (let at = 0; at < near.length; at += BATCH)
      await insertDeletes(db, schema, platform, near.slice(at, at + BATCH));
    if ((from / BATCH) % 40 === 39)
      progress(
        `  ${figure(from + BATCH)} of ${figure(names.length)} handles, ${Math.round((performance.now() - began) / 1_000)} s`,
      );
  }
  return deletes;
};

const insertDeletes = (db: Db, schema: string, platform: Platform, rows: readonly DeleteRow[]) =>
  db.query({
    name: `fill ${platform}`,
    text: `insert into ${schema}.deletes (platform, hash, handle)
           select '${platform}', v.* from unnest($1::bigint[], $2::text[]) v`,
    values: [rows.map(({ hash }) => hash), rows.map(({ handle }) => handle)],
  });

/** Fills the tables of a build without their keys, which are created at the end: that is several times faster. */
export const withoutKey = async (db: Db, schema: string, fill: () => Promise<void>): Promise<void> => {
  const { name, key } = deleteTable;
  await db.query(`alter table ${schema}.${name} drop constraint ${name}_pkey`);
  await fill();
  progress('  the key of deletes');
  await db.query(`alter table ${schema}.${name} add primary key (${key.join(', ')})`);
};

/** Entries of the directory with these handles. */
export const fillDirectory = async (
  db: Db,
  schema: string,
  platform: Platform,
  names: readonly Named[],
): Promise<void> => {
  progress('  entries of the directory');
  await db.query('create table named (nth int primary key, handle text not null)');
  await db.query('insert into named select n, handle from unnest($1::text[]) with ordinality v(handle, n)', [
    names.map(({ handle }) => handle),
  ]);
  await fillEntries(
    db,
    schema,
    [platform],
    names.length,
    (i) => `(select handle from named where nth = ${i})`,
  );
  await db.query(`create index on ${schema}.entries (handle)`);
};

/** The same handles as the peer has them: one table with an index of trigrams. */
export const fillPeer = async (db: Db, table: string, names: readonly Named[]): Promise<void> => {
  await db.query(`create table ${table} (handle text not null, followers bigint not null)`);
  for (let from = 0; from < names.length; from += 50_000) {
    const some = names.slice(from, from + 50_000);
    await db.query(`insert into ${table} select * from unnest($1::text[], $2::bigint[])`, [
      some.map(({ handle }) => handle),
      some.map(({ followers }) => followers),
    ]);
  }
  await db.query(`create index on ${table} using gin (handle gin_trgm_ops)`);
};
