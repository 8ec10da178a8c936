import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { seedsOf } from '../../../infra/simulator/ground-truth.ts';
import { startSimulator } from '../../../infra/simulator/server.ts';
import type { World } from '../../../infra/simulator/world/world.ts';
import { recruitSeeds } from '../../crawlers/pools.ts';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { type Config, parseConfig } from '../../kernel/config/settings.ts';
import { createLogger } from '../../kernel/logger.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import { changeHolder } from '../../operations/holders/read-holders.ts';
import { readProgress } from '../../read/frontier/frontier.ts';
import { createKeyReads } from '../../read/holders/keys.ts';
import { type Service, startService } from '../../runtime/service.ts';
import { hashKey, isKey } from '../../write/holders/api-key.ts';
import { choosePlan, registerHolder } from '../../write/holders/holder-commands.ts';
import { loadPlans } from '../../write/metering/load-plans.ts';
import { issue } from '../commands/keys.ts';
import { unlessStopped } from '../with-runtime.ts';

const SEED = 7;
const SEEDS = 50;
const HOLDER = 'demo';
/** When enough is read for the first look, and how long that is waited for. */
const ENOUGH = 0.9;
const PATIENCE_MS = 45_000;
const TICK_MS = 1_000;

const demoConfig = (simulatorUrl: string): Config => ({
  ...parseConfig({
    LOG_LEVEL: 'warn',
    CRAWL_RATE_PER_S: '1000',
    CRAWL_CONCURRENCY: '16',
    CRAWL_RETRY_S: '5',
    DATABASE_POOL: '24',
    ...process.env,
    CRAWL_MODE: 'live',
    // What stands in for X lets any session in.
    X_BEARER_TOKEN: 'simulated',
    X_GUEST_TOKEN: 'simulated',
    SIMULATOR_URL: simulatorUrl,
  }),
});

/** The demo's key: the one of the last run where it is still good. */
const demoKey = async (service: Service): Promise<string> => {
  const { program } = service;
  const file = join(program.config.SIGHTLINE_HOME, 'demo-key');
  const plans = await loadPlans(program.config);
  // The highest plan in force, whichever that is: the demo shows everything.
  const plan = (plans.all.at(-1) ?? plans.default).name;
  await changeHolder(program, HOLDER, (at) =>
    registerHolder({ holder: HOLDER, name: 'Demo', plan }, plans, at),
  );
  await changeHolder(program, HOLDER, (at) => choosePlan(HOLDER, plan, plans, at, { revokeSurplus: true }));
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  const known = isKey(kept) ? await createKeyReads(program.db, service.builds).find(hashKey(kept)) : null;
  if (known !== null && !known.revoked && known.endsAtMs === null) return kept;
  const { key } = await issue(program, plans, HOLDER, null, 'demo');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return key;
};

const progressLine = (counts: ReadonlyMap<Platform, number>): string =>
  `${isoOf(Date.now()).slice(11, 19)}  read  ${PLATFORMS.map((p) => `${p} ${counts.get(p) ?? 0}`).join('  ')}`;

const readCounts = async (service: Service): Promise<ReadonlyMap<Platform, number>> =>
  new Map((await readProgress(service.program.db, service.builds)).map((row) => [row.platform, row.read]));

/** Prints how far crawling has come until there is enough to look at. */
const watchUntilEnough = async (service: Service, size: number, stop: AbortSignal): Promise<void> => {
  const until = Date.now() + PATIENCE_MS;
  while (!stop.aborted) {
    const counts = await readCounts(service);
    console.log(progressLine(counts));
    const done = PLATFORMS.every((platform) => (counts.get(platform) ?? 0) >= size * ENOUGH);
    const some = PLATFORMS.every((platform) => (counts.get(platform) ?? 0) > 0);
    if (done || (some && Date.now() > until)) return;
    await sleep(TICK_MS, undefined, { signal: stop }).catch(() => undefined);
  }
};

const KEEP_MS = 30_000;

const keepWatching = async (service: Service, stop: AbortSignal): Promise<void> => {
  while (!stop.aborted) {
    await sleep(KEEP_MS, undefined, { signal: stop }).catch(() => undefined);
    if (stop.aborted) return;
    console.log(progressLine(await readCounts(service)));
  }
};

/** An account of the catalog to ask for. */
const someHandle = async (service: Service, platform: Platform): Promise<string> => {
  const schema = service.builds.schema('accounts');
  const { rows } = await service.program.db.query<{ handle: string }>(
    `select handle from ${schema}.accounts where platform = $1 and status = 'active'
     order by followers desc nulls last, handle limit 1`,
    [platform],
  );
  return rows[0]?.handle ?? '';
};

const printWelcome = async (service: Service, key: string): Promise<void> => {
  const base = `${service.url}/v2`;
  const curl = (path: string) => `  curl -s -H 'Authorization: Bearer ${key}' '${base}${path}'`;
  const x = encodeURIComponent(await someHandle(service, 'x'));
  console.log(`
Sightline is up; it keeps crawling until you stop it with Ctrl-C.

The key (also in ${join(service.program.config.SIGHTLINE_HOME, 'demo-key')}):
  ${key}

Ask it:
${curl(`/accounts/x/${x}`)}
${curl('/directory?sort=followers&limit=5')}
${curl(`/directory/x/${x}/similar`)}

The reference, to read and to try: ${service.url}/docs
`);
};

/** Runs the service on the simulated platforms until it is stopped. */
const run = async (config: Config, size: number, world: World, stop: AbortSignal): Promise<void> => {
  const service = await startService(config, createLogger(config), stop);
  try {
    for (const platform of PLATFORMS) {
      const seeds = seedsOf(world, platform, SEEDS, Date.now());
      await recruitSeeds(service.program.log, platform, seeds, systemClock.now());
    }
    const key = await demoKey(service);
    await watchUntilEnough(service, size, stop);
    if (!stop.aborted) await printWelcome(service, key);
    const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort');
    const watching = keepWatching(service, stop);
    const lost = await Promise.race([stopped.then(() => false), service.lost.then(() => true)]);
    if (lost && !stop.aborted) {
      console.log('The embedded Postgres has ended. Start again: nothing that was kept is lost.');
      process.exitCode = 1;
    } else {
      console.log('Stopping.');
      await watching;
    }
  } finally {
    await service.stop();
  }
};

/**
 * Runs everything in one process on simulated platforms, until it is stopped.
 * @param size simulated accounts of each platform.
 */
export const runDemo = async (size: number, stop: AbortSignal): Promise<void> => {
  const simulator = await startSimulator({ seed: SEED, size });
  try {
    const config = demoConfig(simulator.url);
    console.log(
      `Starting: Postgres and state in ${config.SIGHTLINE_HOME}, ${size} simulated accounts a platform.`,
    );
    await unlessStopped(stop, () => run(config, size, simulator.world, stop));
    console.log('Stopped.');
  } finally {
    await simulator.close();
  }
};
