import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../support/targets.ts';
import { type Fleet, signalled } from './fleet.ts';
import { incidentOf } from './judge.ts';
import { type Handles, type LoadOptions, type Outcome, steadily } from './load.ts';
import type { Incident } from './logs.ts';
import type { Keys, OperatorQuestion } from './operator.ts';
import type { SoakPlan, Victim } from './plan.ts';
import { isRecovering, type Samples, sample } from './samples.ts';
import type { SoakSimulator } from './simulator.ts';

/** Real requests per second: catalog reads, live reads, those of a holder with a small plan. */
const READS_PER_S = 8;
const LIVE_PER_S = 0.5;
const SMALL_PER_S = 2;
/** Real seconds in which a struck process, and its child, are there again. */
const RESTARTED_S = 20;

const END_CONNECTIONS = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'sightline bench'`;

/** Of one that works for the service. */
const BACKEND = `select pid from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and application_name <> 'sightline bench' limit 1`;

/** What Postgres counts, which a crash sets back. */
const DEADLOCKS = 'select deadlocks::int as n from pg_stat_database where datname = current_database()';

/** Kills a process of the database: Postgres then ends all others, and recovers as from a crash. */
const killBackend = async (db: Bed['db']): Promise<boolean> => {
  const { rows } = await db.query<{ pid: number }>(BACKEND);
  const [backend] = rows;
  return backend !== undefined && signalled(backend.pid, 'SIGKILL');
};

/** A service that runs under a plan, and what is beside it. */
export interface Bed {
  readonly plan: SoakPlan;
  readonly fleet: Fleet;
  readonly simulator: SoakSimulator;
  readonly handles: Handles;
  readonly keys: Keys;
  readonly ask: <Answer>(question: OperatorQuestion) => Promise<Answer>;
  readonly db: Parameters<typeof sample>[0]['db'];
  readonly nowS: () => number;
}

/** What was seen while the plan was carried out. */
export interface Driven {
  readonly samples: Samples;
  readonly outcomes: readonly Outcome[];
  readonly incidents: readonly Incident[];
  readonly missedKills: readonly string[];
  /** Those of Postgres before its last crash. */
  readonly deadlocks: number;
}

/** Waits until a second of the plan, or until the signal fires. */
const untilS = async (atS: number, nowS: () => number, signal: AbortSignal): Promise<void> => {
  await sleep(Math.max(0, (atS - nowS()) * 1_000), undefined, { signal }).catch(() => undefined);
};

/**
 * Runs the plan under load.
 * @param stop ends it early.
 * @throws the reason of the signal, if it fires.
 */
export const drive = async (
  { plan, fleet, simulator, handles, keys, db, nowS }: Bed,
  seed: number,
  stop: AbortSignal,
): Promise<Driven> => {
  stop.throwIfAborted();
  const over = new AbortController();
  const outcomes: Outcome[] = [];
  const incidents: Incident[] = [];
  const missedKills: string[] = [];
  const loadOf = (load: LoadOptions['load'], key: string, perSecond: number): LoadOptions => ({
    seed,
    handles,
    urls: fleet.urls,
    key,
    perSecond,
    load,
    nowS,
    done: (outcome) => outcomes.push(outcome),
  });
  const loads = [
    loadOf('reads', keys.reader, READS_PER_S),
    loadOf('live', keys.reader, LIVE_PER_S),
    loadOf('few', keys.small, SMALL_PER_S),
  ].map((options) => steadily(options, over.signal));
  let deadlocks = 0;
  const strikeDatabase = async (victim: 'connections' | 'database'): Promise<boolean> => {
    try {
      if (victim === 'connections') return ((await db.query(END_CONNECTIONS)).rowCount ?? 0) > 0;
      const { rows } = await db.query<{ n: number }>(DEADLOCKS);
      const isStruck = await killBackend(db);
      if (isStruck) deadlocks += rows[0]?.n ?? 0;
      return isStruck;
    } catch (error) {
      // It was struck a moment ago.
      if (isRecovering(error)) return false;
      throw error;
    }
  };
  const strike = async (victim: Victim): Promise<boolean> =>
    victim === 'connections' || victim === 'database' ? strikeDatabase(victim) : fleet.strike(victim);
  const strikes = async () => {
    for (const { atS, victim } of plan.kills) {
      await untilS(atS, nowS, over.signal);
      if (over.signal.aborted) return;
      let fromS = nowS();
      // What was just struck, or is the child of that, is starting.
      while (!(await strike(victim)) && fromS < atS + RESTARTED_S) {
        await sleep(100);
        fromS = nowS();
      }
      if (fromS < atS + RESTARTED_S) incidents.push(incidentOf(victim, fromS));
      else missedKills.push(`${victim} at ${atS.toFixed(0)} s`);
      progress(`  ${fromS.toFixed(0)} s: ${victim}`);
    }
  };
  const pids = () => new Map([...fleet.pids(), ['simulator', simulator.pid] as const]);
  const measuring = sample({ pids, db, nowS }, over.signal);
  const work = Promise.all([
    strikes(),
    simulator.strike(plan.faults, nowS, over.signal),
    untilS(plan.lengthS, nowS, over.signal),
  ]);
  const fired = new Promise<never>((_, reject) =>
    stop.addEventListener('abort', () => reject(stop.reason), { once: true }),
  );
  try {
    // Measuring ends with the load, or fails.
    await Promise.race([work, measuring, fired]);
  } finally {
    over.abort();
    await Promise.all(loads);
  }
  return { samples: await measuring, outcomes, incidents, missedKills, deadlocks };
};
