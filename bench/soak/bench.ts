import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { MARKETPLACE } from '../../infra/simulator/sites/marketplace.ts';
import { startChild } from '../support/child.ts';
import { openServer } from '../support/database.ts';
import { progress, type Report } from '../support/targets.ts';
import { type Bed, type Driven, drive } from './drive.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { type Check, checksOf, EXPECTED, flatChecks, MEMORY_BOUND, TABLE_BOUND } from './judge.ts';
import type { Outcome } from './load.ts';
import { countedLines, type Incident, unexpectedLines } from './logs.ts';
import type { Activity, AuditAnswer, Keys, OperatorQuestion, Remaining, VerifyAnswer } from './operator.ts';
import { pictureOf } from './picture.ts';
import { planOf, type SoakPlan, SPEED } from './plan.ts';
import type { Samples } from './samples.ts';
import { type SoakSimulator, startSoakSimulator } from './simulator.ts';
import { clockEnvironment, sqlClock } from './sql-clock.ts';

/** Requests of the crawl and of live reads per real second and platform. */
const CRAWL_PER_S = 2;
/**
 * Accounts per platform: so many that they are due, each every six hours, as fast as that rate reads them with about two
 * requests each, so that the crawl is as fast in the first hour as in the last.
 */
const ACCOUNTS = 500;
const SEEDS = 450;
const START_MS = 180_000;
/** Real time for what is left: folds, and reservations, which expire after five minutes of the clock. */
const SETTLE_MS = 180_000;
/** A process is measured from this age on, in real seconds; tables from the time when nothing is new to them. */
const WARM_S = 60;
/** A shorter soak shows growth, but is too short for a trend. */
const TREND_S = 600;

const DATABASE = 'soak';

/** Settings of all processes. Schedules are of real time: they run as often as by default by the clock, ladders more often. */
const SETTINGS: Readonly<Record<string, string>> = {
  DATABASE_POOL: '4',
  CRAWL_RATE_PER_S: String(Number((CRAWL_PER_S / SPEED).toFixed(3))),
  // As long as a reading with all its retries takes in real time.
  CRAWL_LEASE_S: '3600',
  CRAWL_PROBE_CRON: '*/12 * * * * *',
  CRAWL_REPORT_CRON: '* * * * * *',
  RESEARCH_CRON: '15 * * * * *',
  LADDERS_CRON: '45 * * * * *',
  MARKETPLACE_URL: `https://${MARKETPLACE}/api/v1/listings`,
  X_BEARER_TOKEN: 'simulated',
  X_GUEST_TOKEN: 'simulated',
};

/** Waits until all is folded and nothing is reserved. @returns what is left in the end. */
const settle = async ({ ask }: Bed): Promise<Remaining> => {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const remaining = await ask<Remaining>({ does: 'remaining' });
    const isDone = remaining.reservations === 0 && Object.values(remaining.behind).every((n) => n === 0);
    if (isDone || performance.now() > until) return remaining;
    await sleep(500);
  }
};

const statusOf = async (url: string, key: string): Promise<number> => {
  const { statusCode, body } = await request(`${url}/v2/engines`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await body.dump();
  return statusCode;
};

/** Ends the work, and judges what it left. */
const finish = async (
  bed: Bed,
  { outcomes, incidents, missedKills, deadlocks }: Driven,
): Promise<readonly Check[]> => {
  const { fleet, ask, keys, plan } = bed;
  const replacedKey = await statusOf(fleet.urls.api, keys.replaced);
  const badEnds = [...(await fleet.stop(['crawl', 'research', 'whole']))];
  const remaining = await settle(bed);
  const found = await ask<Activity>({ does: 'activity' });
  const activity = { ...found, deadlocks: found.deadlocks + deadlocks };
  const audit = await ask<AuditAnswer>({ does: 'audit' });
  const verified = new Map<string, VerifyAnswer>();
  for (const projection of activity.projections) {
    verified.set(projection, await ask<VerifyAnswer>({ does: 'verify', projection }));
    progress(`  ${projection}: ${verified.get(projection)?.equal} rows equal`);
  }
  badEnds.push(...(await fleet.stop(['project', 'api'])), ...fleet.unasked);
  const faults = plan.faults.map(
    ({ fromS, toS }): Incident => ({ kind: 'fault', process: null, fromS, toS }),
  );
  const unexpected = unexpectedLines(fleet.lines, [...incidents, ...faults], EXPECTED);
  return checksOf({
    activity,
    audit,
    remaining,
    verified,
    outcomes,
    incidents,
    unexpectedLines: unexpected.map(({ process, atS, text }) => `${process} at ${atS.toFixed(0)} s: ${text}`),
    badEnds,
    missedKills,
    replacedKey,
  });
};

const trendChecks = (plan: SoakPlan, { memory, tables }: Samples): readonly Check[] => {
  const warmS = Math.min(WARM_S, plan.struckFromS);
  const isLong = plan.lengthS >= TREND_S;
  return [
    ...flatChecks('memory', memory, { warmS, bound: MEMORY_BOUND, isLong }),
    ...flatChecks('table', tables, { warmS: plan.struckFromS, bound: TABLE_BOUND, isLong }),
  ];
};

const outcomeNotes = (outcomes: readonly Outcome[]): string => {
  const counts = new Map<string, number>();
  for (const { status, code, asked } of outcomes) {
    const name = `${asked.live ? 'live ' : ''}${status === 0 ? 'no response' : status} ${code}`.trim();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([name, n]) => `${name}: ${n}`)
    .join(', ');
};

export const run = async (options: {
  readonly quick: boolean;
  readonly minutes?: number;
  readonly seed?: number;
  /** Nothing is struck: processes live as long as the soak. */
  readonly calm?: boolean;
  readonly svg?: string;
}): Promise<Report> => {
  const { quick, minutes = quick ? 2 : 30, seed = 1, calm = false, svg } = options;
  if (minutes < 1) throw new RangeError(`--minutes is ${minutes}; allowed: from 1`);
  const struck = planOf(seed, minutes * 60);
  const plan = calm ? { ...struck, kills: [] } : struck;
  const dir = await mkdtemp(join(tmpdir(), 'sightline-soak-'));
  await chmod(dir, 0o755);
  const pace = { originMs: Date.now(), speed: SPEED };
  const clock = clockEnvironment(pace);
  const server = await openServer();
  const operator = startChild(new URL('./operator.ts', import.meta.url), [], [], clock);
  const stop = new AbortController();
  const interrupt = (signal: string) => stop.abort(new Error(`the soak was ended by ${signal}`));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
  let simulator: SoakSimulator | undefined;
  let fleet: Fleet | undefined;
  try {
    const { db, url } = await server.empty(DATABASE);
    for (const statement of sqlClock(DATABASE, pace)) await db.query(statement);
    simulator = await startSoakSimulator({ seed, size: ACCOUNTS }, clock);
    const handles = await simulator.seeds(SEEDS);
    const ask = <Answer>(question: OperatorQuestion) => operator.ask<Answer>(question);
    const keys = await ask<Keys>({
      does: 'prepare',
      url,
      home: join(dir, 'operator'),
      seeds: handles,
      lengthS: plan.lengthS,
    });
    let beganMs = performance.now();
    const nowS = () => (performance.now() - beganMs) / 1_000;
    fleet = await startFleet({
      dir,
      environment: { ...SETTINGS, ...clock, DATABASE_URL: url, SIMULATOR_URL: simulator.url },
      nowS,
    });
    await fleet.started(START_MS);
    beganMs = performance.now();
    progress(
      `  ${plan.kills.length} strikes and ${plan.faults.length} faults in ${plan.lengthS} s; logs in ${dir}`,
    );
    const bed: Bed = { plan, fleet, simulator, handles, keys, ask, db, nowS };
    const driven = await drive(bed, seed, stop.signal);
    const checks = [...(await finish(bed, driven)), ...trendChecks(plan, driven.samples)];
    const passed = checks.filter(({ ok }) => ok).length;
    const caption = `${minutes} minutes at ${SPEED} times the pace, seed ${seed}${calm ? ', calm' : ''}; ${passed} of ${checks.length} checks passed.`;
    if (svg !== undefined) await writeFile(svg, pictureOf(driven.samples, plan, caption));
    if (passed < checks.length) process.exitCode = 1;
    else await rm(dir, { recursive: true, force: true });
    return {
      bench: `soak: ${caption}`,
      table: [
        ['check', 'found', 'wanted', ''],
        ...checks.map(({ what, found, wanted, ok }) => [what, found, wanted, ok ? 'ok' : 'FAILED']),
      ],
      goals: [
        {
          bench: 'soak',
          what: 'checks passed, of all',
          ratio: passed / checks.length,
          goal: 1,
          kind: 'least',
        },
      ],
      notes: [
        ...checks
          .filter(({ ok }) => !ok)
          .map(({ what, found, wanted }) => `FAILED: ${what}: ${found} (wanted: ${wanted})`),
        `Responses: ${outcomeNotes(driven.outcomes)}`,
        ...countedLines(fleet.lines).map(([msg, n]) => `Logged ${n} times: ${msg.slice(0, 160)}`),
        ...(passed < checks.length ? [`Logs of all processes are kept in ${dir}`] : []),
      ],
    };
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
    await fleet?.close();
    await simulator?.close();
    await operator.stop();
    await server.close();
  }
};
