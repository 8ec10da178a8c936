import { once } from 'node:events';
import { PLATFORMS } from '../../../infra/simulator/simulated-platforms.ts';
import { recruitSeeds } from '../../crawlers/seed-pool.ts';
import { systemClock } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors/error-message.ts';
import { readProgress } from '../../read/frontier/frontier.ts';
import type { Service } from '../service.ts';
import { demoKey, keyFileOf } from './demo-key.ts';
import { createExamples, type Example } from './examples.ts';
import { createDemoPools, importPlacements, recordPast } from './first-data.ts';
import { runUntilFound } from './first-finding.ts';
import { computeUntilEnough } from './first-ladders.ts';
import { listOwnersOf, readDemoLists } from './follower-lists.ts';
import type { Progress, ProgressLine } from './progress.ts';
import type { RunningSimulator } from './simulator.ts';

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

/** Reads follower lists, the rest of them behind everything else. */
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

const welcome = (service: Service, key: string, examples: readonly Example[]): string => `
Sightline started; it keeps crawling until you stop it with Ctrl-C.

The key (also in ${keyFileOf(service, 'demo')}):
  ${key}

Ask it:
${examples.map((example) => curlOf(service, key, example)).join('\n')}

The reference, to read and to try: ${service.url}/docs
`;

/** Waits until the demo is stopped. @returns whether its Postgres has ended instead. */
const untilStopped = async (service: Service, stop: AbortSignal): Promise<boolean> => {
  const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort');
  const isLost = await Promise.race([stopped.then(() => false), service.lost.then(() => true)]);
  return isLost && !stop.aborted;
};

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
    const reading = startLists(service, handle, options);
    lists = reading.ended;
    // Before the crawl: its accounts would compete with the first page of a list.
    await reading.hasMembers;
    await Promise.all(
      PLATFORMS.map((platform) => recruitSeeds(log, platform, seeds[platform], systemClock.now())),
    );
    console.log(welcome(service, key, await examples.untilAnswered(handle)));
    progress.show(progressOfCrawl(service, LATER_MS));
    if (await untilStopped(service, stop)) {
      console.log('The embedded Postgres has ended unexpectedly. Start again; no stored data is lost.');
      process.exitCode = 1;
    } else {
      console.log('Stopping.');
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
