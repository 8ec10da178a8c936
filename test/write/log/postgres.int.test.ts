import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createPool } from '../../../src/kernel/postgres/pool.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { type EventLog, LogRequestRejectedError } from '../../../src/write/log/port.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import { withSharedReader } from '../../../src/write/log/shared-reader.ts';
import { describeEventLog } from '../../contracts/event-log.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { until } from '../../support/wait.ts';

let database: TestDatabase;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  for (const close of closers) await close();
  await database.drop();
});

/** A log with a pool of its own, as a process has it. */
const openEventLog = async (): Promise<EventLog> => {
  const db = createPool(database.url, { max: 4, logger: silentLogger, name: 'log test' });
  const log = createPostgresLog(db, database.url, silentLogger);
  closers.push(async () => {
    await log.close();
    await db.end();
  });
  return log;
};

let shared: Promise<EventLog> | undefined;
const sharedLog = () => {
  shared ??= openEventLog();
  return shared;
};

/** The contract holds however subscriptions read. */
const SHARED = [
  { name: 'postgres', share: (log: EventLog) => log },
  { name: 'postgres, one reader for all subscriptions', share: withSharedReader },
];

for (const { name, share } of SHARED) {
  describeEventLog({
    name,
    open: async () => {
      const log = share(await sharedLog());
      return { log, start: await log.head() };
    },
    openAgain: openEventLog,
    refusesIdsElsewhere: true,
    breakConnections: async () => {
      await database.db.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
      );
    },
  });
}

describe('the event log in postgres', () => {
  it('refuses an id that exists elsewhere, and accepts others of the same tick', async () => {
    const log = await sharedLog();
    const event = { id: uuidV7(Date.now()), type: 'T', data: {} };
    await log.append('once-a', [event], 'no_stream');
    const [bad, good] = await Promise.allSettled([
      log.append('once-b', [event], 'no_stream'),
      log.append('once-c', [{ ...event, id: uuidV7(Date.now()) }], 'no_stream'),
    ]);
    expect(bad.status === 'rejected' && bad.reason).toBeInstanceOf(LogRequestRejectedError);
    expect(good.status === 'fulfilled' && good.value.status).toBe('appended');
    expect(await log.readStream('once-b')).toEqual([]);
  });

  it('sends the appends of one tick as one statement', async () => {
    const { db } = database;
    const statements: unknown[] = [];
    const counted = {
      ...db,
      query: (...args: unknown[]) => {
        statements.push(args[0]);
        return (db.query as (...a: unknown[]) => unknown)(...args);
      },
    } as unknown as typeof db;
    const log = createPostgresLog(counted, database.url, silentLogger);
    closers.push(() => log.close());
    const outcomes = await Promise.all(
      Array.from({ length: 100 }, (_, i) =>
        log.append(`tick-${i}`, [{ id: uuidV7(Date.now()), type: 'T', data: {} }], 'no_stream'),
      ),
    );
    expect(outcomes.every((o) => o.status === 'appended')).toBe(true);
    expect(statements).toHaveLength(1);
  });

  it('shows every event, gapless and in order, to a reader behind 32 writers with late commits', {
    tags: 'long',
  }, async () => {
    // A deferred trigger runs at commit: it holds a transaction back after its positions are drawn.
    await database.db.query(`
      create function late_commit() returns trigger language plpgsql as $$
      begin
        if random() < 0.004 then perform pg_sleep(random() * 0.02); end if;
        return null;
      end $$;
      create constraint trigger late_commit after insert on log.events
        deferrable initially deferred for each row execute function late_commit();
    `);
    try {
      const total = 20_000;
      const reader = await openEventLog();
      const start = await reader.head();
      const stop = new AbortController();
      const positions: bigint[] = [];
      const following = (async () => {
        for await (const page of reader.subscribe(start, { signal: stop.signal })) {
          for (const event of page.events) positions.push(event.position);
          if (positions.length >= total) stop.abort();
        }
      })();
      const acknowledged = new Set<bigint>();
      await Promise.all(
        Array.from({ length: 32 }, async (_, w) => {
          const random = seededRandom(w);
          const log = await openEventLog();
          let left = total / 32;
          for (let r = -1n; left > 0; ) {
            const n = Math.min(left, 1 + random.int(10));
            const events = Array.from({ length: n }, () => ({
              id: uuidV7(Date.now()),
              type: 'T',
              data: { w },
            }));
            const outcome = await log.append(`account-w:${w}`, events, r < 0n ? 'no_stream' : r);
            if (outcome.status !== 'appended') throw new Error('a lone writer met a conflict');
            acknowledged.add(outcome.position);
            r = outcome.revision;
            left -= n;
          }
        }),
      );
      await until('the reader has seen all', () => positions.length >= total);
      await following;
      expect(positions).toEqual(Array.from({ length: total }, (_, i) => start + BigInt(i) + 1n));
      expect(acknowledged.size).toBeGreaterThan(32);
    } finally {
      await database.db.query('drop trigger late_commit on log.events; drop function late_commit');
    }
  });
});
