import type pg from 'pg';
import { silentLogger } from '../../src/kernel/logger.ts';
import { PLATFORMS, type Platform } from '../../src/kernel/platform.ts';
import { createPool, type Db } from '../../src/kernel/postgres/pool.ts';
import { createBuild, dropBuild } from '../../src/projections/builds/builds.ts';
import { foldInBulk } from '../../src/projections/builds/bulk-fold.ts';
import { repartition } from '../../src/projections/checkpoints.ts';
import { openParking } from '../../src/projections/dead-letters/parking.ts';
import { directory } from '../../src/projections/views/directory/projection.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { serve } from '../support/child.ts';

/** `record`: a fold of these platforms, whose statements are kept. `replay`: those statements and nothing else. */
export type PostgresQuestion =
  | { readonly work: 'record'; readonly url: string; readonly platforms: readonly Platform[] }
  | { readonly work: 'replay'; readonly schema: string };

interface Statement {
  readonly text: string;
  readonly name?: string;
  readonly values?: readonly unknown[];
}

type Query = (query: string | Statement, values?: readonly unknown[]) => Promise<unknown>;

let db: Db | null = null;
let recorded: Statement[] = [];
let recordedSchema = '';

/** A connection or pool whose statements are kept in the order in which they are sent. */
const recording = <T extends Pick<pg.Pool, 'query'>>(inner: T): T => {
  const query: Query = (statement, values) => {
    recorded.push(
      typeof statement === 'string'
        ? { text: statement, ...(values === undefined ? {} : { values }) }
        : statement,
    );
    return (inner.query as unknown as Query).call(inner, statement, values);
  };
  return Object.create(inner, {
    query: { value: query },
    connect: { value: async () => recording(await (inner as unknown as Db).connect()) },
    release: { value: (error?: Error) => (inner as unknown as pg.PoolClient).release(error) },
  }) as T;
};

const record = async (url: string, platforms: readonly Platform[]): Promise<number> => {
  db = createPool(url, { max: 10, logger: silentLogger, name: 'bench replay', durable: false });
  recorded = [];
  const { schema } = await createBuild(db, directory, 'building');
  await repartition(db, schema, PLATFORMS);
  recordedSchema = schema;
  const kept = recording(db);
  const log = withValidation(createPostgresLog(kept, url, silentLogger), eventTypes);
  const parking = await openParking(directory, { log, logger: silentLogger });
  const signal = new AbortController().signal;
  await foldInBulk(directory, schema, parking, { platforms }, { db: kept, log, signal });
  await log.close();
  await dropBuild(db, schema);
  return recorded.length;
};

/** @returns milliseconds. */
const replay = async (schema: string): Promise<number> => {
  const moved = (text: string) => text.replaceAll(recordedSchema, schema);
  const statements = recorded.map((statement) => ({
    ...statement,
    text: moved(statement.text),
    ...(statement.name === undefined ? {} : { name: moved(statement.name) }),
    ...(statement.values === undefined
      ? {}
      : { values: statement.values.map((value) => (value === recordedSchema ? schema : value)) }),
  }));
  const client = await (db as Db).connect();
  const began = performance.now();
  for (const statement of statements) await client.query(statement as pg.QueryConfig);
  const ms = performance.now() - began;
  client.release();
  return ms;
};

if (import.meta.main) {
  serve(
    (question: PostgresQuestion) =>
      question.work === 'record' ? record(question.url, question.platforms) : replay(question.schema),
    async () => db?.end(),
  );
}
