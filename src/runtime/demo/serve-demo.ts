import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PLATFORMS } from '../../../infra/simulator/simulated-platforms.ts';
import { recruitSeeds } from '../../crawlers/pools/choose-pool.ts';
import { systemClock } from '../../kernel/clock.ts';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import { print } from '../../kernel/terminal.ts';
import {
  FOLLOW_DIRECTIONS,
  type FollowsResult,
  parseListOwners,
  readFollowLists,
} from '../../operations/crawl/read-follows.ts';
import { activePlans, setPlan } from '../../operations/holders/change-holder.ts';
import { addHolder } from '../../operations/holders/holders.ts';
import { grantScopes, issueKey } from '../../operations/holders/keys.ts';
import { addOperator, loginToken } from '../../operations/operators.ts';
import { FOLLOWS_PLATFORMS } from '../../platforms/index.ts';
import { readProgress } from '../../read/frontier.ts';
import { createKeyReads } from '../../read/holders.ts';
import { hashKey, isKey } from '../../write/holders/api-key.ts';
import { NAMED_ONLY, type Scope } from '../../write/holders/plans.ts';
import { openHttp, openRegistry } from '../crawler-http.ts';
import type { Runtime } from '../open-runtime.ts';
import type { Service } from '../service.ts';
import { createExamples, type Example } from './examples.ts';
import {
  computeUntilEnough,
  createDemoPools,
  importPlacements,
  recordPast,
  runUntilFound,
} from './first-data.ts';
import type { Progress, ProgressLine } from './progress.ts';
import type { RunningSimulator } from './simulator.ts';

/** Fills the started service, prints the welcome once every line of it answers, and stops the service at the end. */
export const serveDemo = async (service: Service, options: DemoOptions): Promise<void> => {
  const { simulator, progress, stop } = options;
  const { seeds } = simulator;
  let lists: Promise<void> | undefined;
  const isServed = new AbortController();
  const ended = AbortSignal.any([stop, isServed.signal]);
  const research = runUntilFound(service.runtime, ended, (summary) =>
    progress.print(`found ${summary}: ${service.url}/v2/research/findings`),
  );
  const ladders = computeUntilEnough(service.runtime, ended);
  const placements = importPlacements(service.runtime, simulator.marketplaceUrl, ended);
  try {
    progress.show(progressOfCrawl(service, SOON_MS));
    const { key } = await demoKey(service, 'demo');
    const start = await demoKey(service, 'demo-start');
    const { logger, log } = service.runtime;
    const base = `${service.url}/v2`;
    const examples = createExamples({
      base,
      ...start,
      stop,
      logger,
      isCrawled: () => isCrawled(service),
    });
    await createDemoPools(log, systemClock.now());
    await recordPast(log, simulator.past, systemClock.now());
    const handle = await examples.chooseAccount(seeds.x.slice(0, CANDIDATES));
    print(welcome(service, key, await examples.firstOf(handle)));
    const reading = startLists(service, handle, options);
    lists = reading.ended;
    // Before the crawl: its accounts would compete with the first page of a list.
    await reading.hasMembers;
    await Promise.all(
      PLATFORMS.map((platform) => recruitSeeds(log, platform, seeds[platform], systemClock.now())),
    );
    print(moreToTry(service, key, await examples.untilAnswered(handle), await consoleLink(service)));
    progress.show(progressOfCrawl(service, LATER_MS));
    if (await untilStopped(service, stop)) {
      print('The embedded Postgres ended unexpectedly. No stored data is lost; start the demo again.');
      process.exitCode = 1;
    } else {
      print('Stopping.');
    }
  } finally {
    isServed.abort();
    await progress.stop();
    await research;
    await ladders;
    await placements;
    await lists;
    await service.stop();
  }
};

/** The largest seeds of a platform; the demo reads a part of their lists. */
const LARGE = 3;
/** The smallest seeds of a platform; the demo reads their lists whole, so that two audiences can be compared. */
const SMALL = 2;

/**
 * The accounts whose lists the demo reads, `platform:handle`.
 * @param first the account of X that the welcome shows.
 */
const listOwnersOf = (
  seeds: Readonly<Partial<Record<Platform, readonly string[]>>>,
  first: string,
): readonly string[] => [
  ...new Set([
    `x:${first}`,
    ...FOLLOWS_PLATFORMS.flatMap((platform) => {
      const own = seeds[platform] ?? [];
      return [...own.slice(-SMALL), ...own.slice(0, LARGE)].map((handle) => `${platform}:${handle}`);
    }),
  ]),
];

/** What the reading of lists reports. */
interface ListProgress {
  /** Members of a list were recorded. */
  onMembers(): void;
  /** A list was read to its end or cap. */
  onList(list: FollowsResult, members: number): void;
}

/** Reads the follower lists of some accounts, so that the follower graph has data. */
const readDemoLists = async (
  runtime: Runtime,
  names: readonly string[],
  stop: AbortSignal,
  { onMembers, onList }: ListProgress,
): Promise<void> => {
  const registry = openRegistry(runtime);
  const http = await openHttp(runtime, registry);
  const owners = parseListOwners(registry, names);
  try {
    for (const direction of FOLLOW_DIRECTIONS) {
      const options = { direction, http, signal: stop, onProgress: onMembers };
      for await (const result of readFollowLists(runtime, owners, options)) {
        const { platform, handle, reading, account } = result;
        if (account === null && ['done', 'capped'].includes(reading?.end.status ?? '')) {
          onList(result, reading?.members ?? 0);
        } else if (!stop.aborted) {
          runtime.logger.warn(
            { platform, handle, direction, reading, account },
            'a follower list was not read',
          );
        }
      }
    }
  } finally {
    await http.close();
  }
};

/** Names of the demo's holders: one for its user, and one for its own calls, so that these cost the user nothing. */
const HOLDERS = { demo: 'Demo', 'demo-start': 'Start of the demo' } as const;
type DemoHolder = keyof typeof HOLDERS;

const keyFileOf = ({ runtime }: Service, holder: DemoHolder): string =>
  join(runtime.config.SIGHTLINE_HOME, `${holder}-key`);

/** Grants a key the scope `leads:read`, which issuing does not include. A key of an earlier demo may lack it. */
const grantLeads = async ({ runtime }: Service, plan: string, keyId: string): Promise<void> => {
  const plans = await activePlans(runtime.config);
  const isIncluded = plans.all.find(({ name }) => name === plan)?.scopes.includes('leads:read') === true;
  if (isIncluded) await grantScopes(runtime, keyId, ['leads:read']);
};

/** A key, and what it may call. */
interface DemoKey {
  readonly key: string;
  readonly scopes: ReadonlySet<Scope>;
}

/** The key of one of the demo's holders; the previous run's if it is still valid. */
const demoKey = async (service: Service, holder: DemoHolder): Promise<DemoKey> => {
  const { runtime } = service;
  const file = keyFileOf(service, holder);
  const plans = await activePlans(runtime.config);
  // The highest active plan: the demo shows everything.
  const { name: plan, scopes: included } = plans.all.at(-1) ?? plans.default;
  await addHolder(runtime, { name: HOLDERS[holder], id: holder, plan }).catch((error: unknown) => {
    if (!(error instanceof OperatorError) || error.code !== 'holder_exists') throw error;
  });
  await setPlan(runtime, { holder, plan, revokeSurplus: true });
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  const known = isKey(kept) ? await createKeyReads(runtime.db, service.builds).find(hashKey(kept)) : null;
  if (known !== null && !known.revoked && known.endsAtMs === null) {
    await grantLeads(service, plan, known.keyId);
    const granted = new Set([...known.scopes, ...NAMED_ONLY]);
    return { key: kept, scopes: new Set(included.filter((scope) => granted.has(scope))) };
  }
  const { key, keyId } = await issueKey(runtime, { holder, scopes: null, label: holder });
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  await grantLeads(service, plan, keyId);
  return { key, scopes: new Set(included) };
};

interface DemoOptions {
  readonly simulator: Pick<RunningSimulator, 'seeds' | 'past' | 'marketplaceUrl'>;
  readonly progress: Progress;
  readonly stop: AbortSignal;
}

/** How often progress is printed: before the welcome, and behind it. */
const SOON_MS = 1_000;
const LATER_MS = 10_000;
/** Accounts of X of which the welcome shows one. */
const CANDIDATES = 40;

/** Accounts read on each platform. */
const progressOfCrawl = ({ runtime, builds }: Service, everyMs: number): ProgressLine => ({
  everyMs,
  line: async () => {
    const counts = new Map((await readProgress(runtime.db, builds)).map((row) => [row.platform, row.read]));
    return `read  ${PLATFORMS.map((platform) => `${platform} ${counts.get(platform) ?? 0}`).join('  ')}`;
  },
});

/** Fraction of the known accounts that counts as most of them. */
const MOST = 0.9;

const isCrawled = async ({ runtime, builds }: Service): Promise<boolean> => {
  try {
    const rows = await readProgress(runtime.db, builds);
    return rows.length === PLATFORMS.length && rows.every(({ known, read }) => read >= known * MOST);
  } catch (error) {
    // On a busy machine a connection can take longer than it may: the demo asks again.
    runtime.logger.debug({ err: errorMessage(error) }, 'progress of the crawl could not be read');
    return false;
  }
};

/** Starts to read follower lists; most of them are read in the background. */
const startLists = (
  { runtime }: Service,
  handle: string,
  { simulator: { seeds }, progress, stop }: DemoOptions,
): { readonly hasMembers: Promise<void>; readonly ended: Promise<void> } => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const ended = readDemoLists(runtime, listOwnersOf(seeds, handle), stop, {
    onMembers: resolve,
    onList: ({ platform, handle: owner, direction }, members) =>
      progress.print(`list  ${platform}:${owner} ${direction} ${members}`),
  }).catch((error: unknown) => {
    if (!stop.aborted) runtime.logger.error({ err: error }, 'follower lists could not be read');
  });
  return { hasMembers: Promise.race([promise, ended]), ended };
};

const curlOf = (service: Service, key: string, { path, body }: Example): string => {
  const sent = body === undefined ? '' : ` -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  return `  curl -s -H 'Authorization: Bearer ${key}'${sent} '${service.url}/v2${path}'`;
};

/** What is printed once the first call is answered: a newcomer need not wait for the others. */
const welcome = (service: Service, key: string, first: Example): string => `
Sightline started; it keeps crawling until you stop it with Ctrl-C.

The key (also in ${keyFileOf(service, 'demo')}):
  ${key}

Try it:
${curlOf(service, key, first)}
`;

/** A link that logs the demo's operator in. */
const consoleLink = async ({ runtime, consoleOrigin }: Service): Promise<string> => {
  await addOperator(runtime, OPERATOR, 'administrator');
  return `${consoleOrigin}/login?token=${await loginToken(runtime, OPERATOR)}`;
};

const OPERATOR = 'demo';

const moreToTry = (
  service: Service,
  key: string,
  examples: readonly Example[],
  consoleUrl: string,
): string => `
More to try:
${examples.map((example) => curlOf(service, key, example)).join('\n')}

API reference, where you can try every endpoint: ${service.url}/docs
Console, to see how it works and to act; the link works once, within five minutes:
  ${consoleUrl}
`;

/** Waits until the demo is stopped. @returns whether its Postgres has ended instead. */
const untilStopped = async (service: Service, stop: AbortSignal): Promise<boolean> => {
  const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort');
  const isLost = await Promise.race([stopped.then(() => false), service.lost.then(() => true)]);
  return isLost && !stop.aborted;
};
