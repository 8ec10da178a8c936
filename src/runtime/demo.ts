import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { prettifyError, ZodError } from 'zod';
import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import { startSimulator } from '../../infra/simulator/server.ts';
import { MARKETPLACE } from '../../infra/simulator/sites/marketplace.ts';
import type { Parameters } from '../../infra/simulator/world/parameters.ts';
import { readWorld } from '../../infra/simulator/world/read-world.ts';
import type { World } from '../../infra/simulator/world/world.ts';
import { recruitSeeds } from '../crawlers/seed-pool.ts';
import { unlessAborted } from '../kernel/abort.ts';
import { isoOf, systemClock } from '../kernel/clock.ts';
import { parseConfig } from '../kernel/config/parse-config.ts';
import type { Config } from '../kernel/config/settings.ts';
import { OperatorError } from '../kernel/errors/operator-error.ts';
import { createLogger } from '../kernel/logger.ts';
import { PLATFORMS, type Platform } from '../kernel/platform.ts';
import { addHolder } from '../operations/holders/holders.ts';
import { grantScopes, issueKey } from '../operations/holders/keys.ts';
import { activePlans, setPlan } from '../operations/holders/plans.ts';
import { readProgress } from '../read/frontier/frontier.ts';
import { createKeyReads } from '../read/holders/keys.ts';
import { hashKey, isKey } from '../write/holders/api-key.ts';
import { readDemoLists } from './demo-lists.ts';
import { type Service, startService } from './service.ts';

const SEED = 7;
const SEEDS = 50;
const HOLDER = 'demo';
/** Platforms that show follower lists, and accounts of each whose lists the demo reads. */
const LISTED = ['x', 'bluesky'] as const;
const LISTS = 3;
/** Fraction of accounts to read before the demo prints its examples, and the time limit for that. */
const ENOUGH = 0.9;
const PATIENCE_MS = 45_000;
const TICK_MS = 1_000;

const demoConfig = (simulatorUrl: string): Config => ({
  ...parseConfig({
    LOG_LEVEL: 'warn',
    CRAWL_RATE_PER_S: '1000',
    CRAWL_CONCURRENCY: '16',
    CRAWL_RETRY_S: '5',
    FOLLOWS_MOST: '2000',
    FOLLOWS_REQUESTS_PER_DAY: '100000',
    DATABASE_POOL: '24',
    ...process.env,
    CRAWL_MODE: 'live',
    // The simulator accepts any X session.
    X_BEARER_TOKEN: 'simulated',
    X_GUEST_TOKEN: 'simulated',
    SIMULATOR_URL: simulatorUrl,
    MARKETPLACE_URL: `https://${MARKETPLACE}/api/v1/listings`,
  }),
});

/** Grants the demo's key what has to be named, also a key that an earlier demo issued without it. */
const grantLeads = async ({ runtime }: Service, plan: string, keyId: string): Promise<void> => {
  const plans = await activePlans(runtime.config);
  const isIncluded = plans.all.find(({ name }) => name === plan)?.scopes.includes('leads:read') === true;
  if (isIncluded) await grantScopes(runtime, keyId, ['leads:read']);
};

/** The demo's key; the previous run's if it is still valid. */
const demoKey = async (service: Service): Promise<string> => {
  const { runtime } = service;
  const file = join(runtime.config.SIGHTLINE_HOME, 'demo-key');
  const plans = await activePlans(runtime.config);
  // The highest active plan: the demo shows everything.
  const plan = (plans.all.at(-1) ?? plans.default).name;
  await addHolder(runtime, { name: 'Demo', id: HOLDER, plan }).catch((error: unknown) => {
    if (!(error instanceof OperatorError) || error.code !== 'holder_exists') throw error;
  });
  await setPlan(runtime, { holder: HOLDER, plan, revokeSurplus: true });
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  const known = isKey(kept) ? await createKeyReads(runtime.db, service.builds).find(hashKey(kept)) : null;
  if (known !== null && !known.revoked && known.endsAtMs === null) {
    await grantLeads(service, plan, known.keyId);
    return kept;
  }
  const { key, keyId } = await issueKey(runtime, { holder: HOLDER, scopes: null, label: 'demo' });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  await grantLeads(service, plan, keyId);
  return key;
};

const progressLine = (counts: ReadonlyMap<Platform, number>): string =>
  `${isoOf(Date.now()).slice(11, 19)}  read  ${PLATFORMS.map((p) => `${p} ${counts.get(p) ?? 0}`).join('  ')}`;

const readCounts = async (service: Service): Promise<ReadonlyMap<Platform, number>> =>
  new Map((await readProgress(service.runtime.db, service.builds)).map((row) => [row.platform, row.read]));

/** Prints the progress of crawling until there is enough to look at. */
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

/** An account of the directory for the examples. */
const someHandle = async (service: Service, platform: Platform): Promise<string> => {
  const schema = service.builds.schema('accounts');
  const { rows } = await service.runtime.db.query<{ handle: string }>(
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
Sightline started; it keeps crawling until you stop it with Ctrl-C.

The key (also in ${join(service.runtime.config.SIGHTLINE_HOME, 'demo-key')}):
  ${key}

Ask it:
${curl(`/accounts/x/${x}`)}
${curl('/directory?sort=followers&limit=5')}
${curl(`/scrape/x/tweets?handle=${x}&limit=5`)}
${curl('/marketplace/listings?limit=5')}
${curl('/leads/linkedin/people?seniority=cxo&limit=5')}

The reference, to read and to try: ${service.url}/docs
`);
};

/** Runs the service on simulated platforms until stopped. */
const run = async (config: Config, size: number, world: World, stop: AbortSignal): Promise<void> => {
  const service = await startService(config, createLogger(config), stop);
  try {
    for (const platform of PLATFORMS) {
      const seeds = seedsOf(world, platform, SEEDS, Date.now());
      await recruitSeeds(service.runtime.log, platform, seeds, systemClock.now());
    }
    const key = await demoKey(service);
    const largest = LISTED.flatMap((platform) =>
      seedsOf(world, platform, SEEDS, Date.now())
        .slice(0, LISTS)
        .map((handle) => `${platform}:${handle}`),
    );
    await Promise.all([watchUntilEnough(service, size, stop), readDemoLists(service.runtime, largest, stop)]);
    if (!stop.aborted) {
      await readDemoLists(service.runtime, [`x:${await someHandle(service, 'x')}`], stop);
      await printWelcome(service, key);
    }
    const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort');
    const watching = keepWatching(service, stop);
    const lost = await Promise.race([stopped.then(() => false), service.lost.then(() => true)]);
    if (lost && !stop.aborted) {
      console.log('The embedded Postgres has ended unexpectedly. Start again; no stored data is lost.');
      process.exitCode = 1;
    } else {
      console.log('Stopping.');
      await watching;
    }
  } finally {
    await service.stop();
  }
};

/** Parameters of the simulated world in a JSON file; the defaults without one. */
const worldOf = async (file: string | undefined): Promise<Parameters> => {
  try {
    return await readWorld(file);
  } catch (error) {
    const reason = error instanceof ZodError ? prettifyError(error) : String(error);
    throw new OperatorError('argument_invalid', `--world ${file} is no document of parameters:\n${reason}`);
  }
};

export const printWorld = async (file: string | undefined): Promise<void> => {
  console.log(JSON.stringify(await worldOf(file), null, 2));
};

/**
 * Runs all roles on simulated platforms until stopped.
 * @param size simulated accounts per platform.
 * @param world file with the parameters of the simulated world.
 */
export const runDemo = async (size: number, world: string | undefined, stop: AbortSignal): Promise<void> => {
  const simulator = await startSimulator({ seed: SEED, size, parameters: await worldOf(world) });
  try {
    const config = demoConfig(simulator.url);
    console.log(
      `Starting: Postgres and state in ${config.SIGHTLINE_HOME}, ${size} simulated accounts per platform (world ${simulator.world.hash}).`,
    );
    await unlessAborted(stop, () => run(config, size, simulator.world, stop));
    console.log('Stopped.');
  } finally {
    await simulator.close();
  }
};
