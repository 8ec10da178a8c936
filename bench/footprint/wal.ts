import { silentLogger } from '../../src/kernel/logger.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import { newReadings } from '../log/events.ts';
import type { BenchDatabase } from '../support/database.ts';
import { figure } from '../support/rounds.ts';
import { type Goal, progress } from '../support/targets.ts';

/** MB of WAL that the embedded Postgres may keep. */
const MOST_MB = 512;
const LOOK_MS = 100;
const MB = 1_048_576;
const WRITERS = 4;
const BATCH = 500;

const sizeMb = async (db: Db): Promise<number> => {
  const { rows } = await db.query<{ bytes: string }>('select sum(size) as bytes from pg_ls_waldir()');
  return Number(rows[0]?.bytes ?? 0) / MB;
};

/** Looks at the folder of the WAL ten times a second. */
export const watchWal = (
  db: Db,
): {
  /** The largest size since the last call, in MB. */
  peakMb(): Promise<number>;
  stop(): Promise<void>;
} => {
  let peak = 0;
  let looking = Promise.resolve();
  const look = async () => {
    peak = Math.max(peak, await sizeMb(db));
  };
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, LOOK_MS);
  return {
    peakMb: async () => {
      await looking;
      await look();
      const found = peak;
      peak = 0;
      return found;
    },
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
};

const writtenMb = async (db: Db): Promise<number> => {
  const { rows } = await db.query<{ bytes: string }>(
    "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes",
  );
  return Number(rows[0]?.bytes ?? 0) / MB;
};

/** Appends readings as fast as four writers can. @returns with the WAL that this wrote. */
export const writeLog = async (
  { url, db }: BenchDatabase,
  events: number,
): Promise<{ readonly events: number; readonly perSecond: number; readonly walMb: number }> => {
  progress(`  WAL of a log of ${figure(events)} events`);
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const before = await writtenMb(db);
  const began = performance.now();
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let n = 0; n < events / WRITERS; n += BATCH)
        await log.append(`account-x:w${writer}_${n}`, newReadings(writer, n, BATCH), 'no_stream');
    }),
  );
  const perSecond = events / ((performance.now() - began) / 1_000);
  await log.close();
  return { events, perSecond, walMb: (await writtenMb(db)) - before };
};

export const walGoal = (bench: string, peakMb: number): Goal => ({
  bench,
  what: 'peak of the WAL in MB, at most',
  ratio: peakMb,
  goal: MOST_MB,
  kind: 'most',
});
