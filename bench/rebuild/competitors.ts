import { readFile } from 'node:fs/promises';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { directory } from '../../src/projections/views/directory/projection.ts';

const sqlFile = (name: string): Promise<string> => readFile(new URL(`./${name}`, import.meta.url), 'utf8');

/** Tables like the product's own for the peer's projection, with its functions; made anew. */
export const preparePeer = async (db: Db): Promise<void> => {
  await db.query('drop schema if exists peer cascade');
  await db.query('create schema peer');
  await db.query(directory.tables('peer'));
  await db.query(await sqlFile('peer-fold.sql'));
  // Where an earlier rebuild came to: without it the next begins at the beginning.
  await db.query('delete from emt_processors');
};

/** Milliseconds of the one statement into fresh tables, with the same indexes and statistics as a rebuild. */
export const runStatement = async (db: Db): Promise<number> => {
  await db.query('drop schema if exists stated cascade');
  const statement = await sqlFile('one-statement.sql');
  const client = await db.connect();
  try {
    const began = performance.now();
    await client.query('create schema stated');
    await client.query(directory.tables('stated'));
    await client.query('set search_path to stated, public');
    // Sorts of this size should not go to disk, as nobody who cares would let them.
    await client.query("set work_mem to '256MB'");
    await client.query(statement);
    await client.query(directory.indexes('stated'));
    await client.query('analyze entries, history, words, links, changes, status_counts, freshness');
    return performance.now() - began;
  } finally {
    client.release(true);
  }
};
