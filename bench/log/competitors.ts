import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import { from as copyFrom } from 'pg-copy-streams';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { binaryTextArray, binaryUuidArray } from '../../src/kernel/postgres/values.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import type { BenchDatabase } from '../support/database.ts';
import { newReadings, readingData, TYPE } from './events.ts';

/** Something that events can be appended to: each writer has a stream of its own and knows its revision. */
export interface Competitor {
  /** Appends the writer's next events, expecting the revision that its last append left. */
  append(writer: number, count: number): Promise<void>;
  close(): Promise<void>;
}

/** Numbers streams anew in every run, so that rounds don't meet each other's revisions. */
let runs = 0;

/** The log as the program uses it, its door included: every event is parsed with its schema on its way in. */
export const openOurs = ({ db, url }: BenchDatabase): Competitor => {
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const run = runs++;
  const revisions = new Map<number, bigint>();
  return {
    append: async (writer, count) => {
      const last = revisions.get(writer);
      const outcome = await log.append(
        `account-x:run${run}writer${writer}`,
        newReadings(writer, Number(last ?? 0n), count),
        last ?? 'no_stream',
      );
      if (outcome.status !== 'appended') throw new Error('a lone writer met a conflict');
      revisions.set(writer, outcome.revision);
    },
    close: () => log.close(),
  };
};

export const openEmmett = ({ url, db }: BenchDatabase): Competitor => {
  const store = getPostgreSQLEventStore(url, { connectionOptions: { pool: db } });
  const run = runs++;
  const revisions = new Map<number, bigint>();
  return {
    append: async (writer, count) => {
      const last = revisions.get(writer) ?? 0n;
      const events = Array.from({ length: count }, (_, i) => ({
        type: TYPE,
        data: readingData(writer, Number(last) + i),
      }));
      const result = await store.appendToStream(`account-x:run${run}writer${writer}`, events, {
        expectedStreamVersion: last === 0n ? 'STREAM_DOES_NOT_EXIST' : last,
      });
      revisions.set(writer, result.nextExpectedStreamVersion);
    },
    close: () => store.close(),
  };
};

/** The events table without its way in: rows as text into a table with the same columns and indexes. */
export const openCopy = async (db: Db): Promise<Competitor> => {
  const table = `copied_${runs++}`;
  await db.query(`create table ${table} (like log.events including all)`);
  const revisions = new Map<number, number>();
  let position = 0;
  return {
    append: async (writer, count) => {
      const last = revisions.get(writer) ?? 0;
      revisions.set(writer, last + count);
      const lines = Array.from({ length: count }, (_, i) => {
        position += 1;
        const data = JSON.stringify(readingData(writer, last + i)).replaceAll('\\', '\\\\');
        return `${position}\taccount-x:writer${writer}\t${last + i}\t${uuidV7(Date.now())}\t${TYPE}\t${data}\t{}\t2026-11-21T08:00:00.000Z\n`;
      });
      const client = await db.connect();
      try {
        await pipeline(Readable.from([lines.join('')]), client.query(copyFrom(`copy ${table} from stdin`)));
      } finally {
        client.release();
      }
    },
    close: async () => undefined,
  };
};

/**
 * What the shared flush of appends costs by itself: whatever waits is one INSERT into a table with the same columns and
 * indexes, one at a time. No schema is checked, no revision is looked up, and no reader is notified.
 */
export const openInsert = async (db: Db): Promise<Competitor> => {
  const table = `inserted_${runs++}`;
  await db.query(`create table ${table} (like log.events including all)`);
  const revisions = new Map<number, number>();
  let position = 0;
  let waiting: {
    readonly row: {
      readonly position: number;
      readonly stream: string;
      readonly revision: number;
      readonly id: string;
      readonly data: string;
    };
    readonly done: () => void;
    readonly fail: (error: unknown) => void;
  }[] = [];
  let isRunning = false;
  const text = `insert into ${table} select position, stream, revision, id, type, data::json, '{}'::json, now()
    from unnest($1::bigint[], $2::text[], $3::bigint[], $4::uuid[], $5::text[], $6::text[])
      as event(position, stream, revision, id, type, data)`;
  const run = async (): Promise<void> => {
    isRunning = true;
    await null;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const values = [
        batch.map(({ row }) => row.position),
        binaryTextArray(batch.map(({ row }) => row.stream)),
        batch.map(({ row }) => row.revision),
        binaryUuidArray(batch.map(({ row }) => row.id)),
        binaryTextArray(batch.map(() => TYPE)),
        binaryTextArray(batch.map(({ row }) => row.data)),
      ];
      try {
        await db.query({ name: table, text, values });
        for (const { done } of batch) done();
      } catch (error) {
        for (const { fail } of batch) fail(error);
      }
      await setImmediate();
    }
    isRunning = false;
  };
  return {
    append: (writer, count) =>
      new Promise((done, fail) => {
        if (count !== 1) throw new Error('one event at a time');
        const revision = revisions.get(writer) ?? 0;
        revisions.set(writer, revision + 1);
        position += 1;
        const data = JSON.stringify(readingData(writer, revision));
        const row = { position, stream: `account-x:writer${writer}`, revision, id: uuidV7(Date.now()), data };
        waiting.push({ row, done, fail });
        if (!isRunning) void run();
      }),
    close: async () => undefined,
  };
};

/** Events a second that writers append at once, for a while. */
export const appendFor = async (
  contestant: Competitor,
  { writers, batch, ms }: { readonly writers: number; readonly batch: number; readonly ms: number },
): Promise<number> => {
  const began = performance.now();
  let events = 0;
  await Promise.all(
    Array.from({ length: writers }, async (_, writer) => {
      while (performance.now() - began < ms) {
        await contestant.append(writer, batch);
        events += batch;
      }
    }),
  );
  return events / ((performance.now() - began) / 1_000);
};
