import { parseConfig } from '../../src/kernel/config.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool, NEW_POOL } from '../../src/operations/pools/change-pool.ts';
import { openRuntime, type Runtime } from '../../src/runtime/open-runtime.ts';
import { engineReportStream } from '../../src/write/engines.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { reportOf } from './engines.ts';

const HOUR = 3_600_000;

/** What a pool's accounts yielded in an hour, by the number of hours since then. */
export type Yields = Readonly<Record<string, (hoursAgo: number) => number>>;

const REQUESTS = 100;

/** One report per hour of the engine of X, back to this many hours ago. */
const appendReports = async (log: EventLog, hours: number, yields: Yields): Promise<void> => {
  const now = Date.now();
  const events = Array.from({ length: hours }, (_, n) => hours - 1 - n).map((hoursAgo) => {
    const at = now - hoursAgo * HOUR;
    const pools = Object.fromEntries(
      Object.entries(yields).map(([pool, of]) => [
        pool,
        { requests: REQUESTS, readings: REQUESTS / 2, errors: 1, discovered: of(hoursAgo) },
      ]),
    );
    const readings = [{ outcome: 'present', latencyMs: 10 }];
    return {
      id: uuidV7(at),
      type: 'CrawlBatchCompleted',
      data: reportOf('x', 'worker', at, readings, { pools }),
    };
  });
  for (let from = 0; from < events.length; from += 100)
    await log.append(engineReportStream('x'), events.slice(from, from + 100), 'any');
};

/** A program whose three pools of X discover 40, 4 and 4 accounts per hundred requests. */
export interface ResearchProgram {
  readonly database: TestDatabase;
  readonly program: Runtime;
  close(): Promise<void>;
}

const EVEN: Yields = { press: () => 40, fans: () => 4, shops: () => 4 };

export const createResearchProgram = async (hours = 30, yields = EVEN): Promise<ResearchProgram> => {
  const database = await createTestDatabase(2, 'built');
  const program = await openRuntime(parseConfig({ DATABASE_URL: database.url }), 'command', silentLogger);
  for (const pool of Object.keys(yields))
    await createPool(program, {
      ...NEW_POOL,
      ...{ pool, platform: 'x', rule: 'seed', seeds: null, depth: null, sources: [] },
    });
  await appendReports(program.log, hours, yields);
  return {
    database,
    program,
    close: async () => {
      await program.close();
      await database.drop();
    },
  };
};

/** A program that calls `before` with the stream and the type of each event that it is about to append. */
const watchingAppends = (
  program: Runtime,
  before: (stream: string, type: string) => void | Promise<void>,
): Runtime => {
  const append: EventLog['append'] = async (stream, events, expected) => {
    await before(stream, events[0]?.type ?? '');
    return program.log.append(stream, events, expected);
  };
  return { ...program, log: { ...program.log, append } };
};

const ENDED = 'the process has ended';

/** Runs `work` once before the first event of a type, or of a stream. */
export const onceBefore = (program: Runtime, name: string, work: () => Promise<unknown>): Runtime => {
  let isDone = false;
  return watchingAppends(program, async (stream, type) => {
    if (isDone || (type !== name && stream !== name)) return;
    isDone = true;
    await work();
  });
};

/** A program whose process ends before the first event of a type, or of a stream. */
export const endingBefore = (program: Runtime, name: string): Runtime => {
  let isEnded = false;
  return watchingAppends(program, (stream, type) => {
    isEnded ||= type === name || stream === name;
    if (isEnded) throw new Error(ENDED);
  });
};

/** Makes the findings and pools in the database older by a number of days. */
export const ageFindings = async (database: TestDatabase, days: number): Promise<void> => {
  const { rows } = await database.db.query(
    `select schema_name as schema from projections.builds where projection = 'research' and status = 'active'`,
  );
  await database.db.query(
    `update ${rows[0].schema}.findings set created_at = created_at - make_interval(days => $1)`,
    [days],
  );
};

/** Makes the recording times of pool events a number of hours earlier. */
export const agePools = (database: TestDatabase, hours: number) =>
  database.db.query(
    `update log.events set recorded_at = recorded_at - make_interval(hours => $1) where stream like 'pool-%'`,
    [hours],
  );
