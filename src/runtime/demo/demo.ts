import { prettifyError, ZodError } from 'zod';
import { hashOf, type Parameters, parseParameters } from '../../../infra/simulator/world/parameters.ts';
import { readWorld } from '../../../infra/simulator/world/read-world.ts';
import { unlessAborted } from '../../kernel/abort.ts';
import { type Config, parseConfig } from '../../kernel/config.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { createLogger } from '../../kernel/logger.ts';
import { createPhases } from '../../kernel/start-phases.ts';
import { print, printJson } from '../../kernel/terminal.ts';
import { prepareService } from '../service.ts';
import { createProgress, progressOfStart } from './progress.ts';
import { type RunningSimulator, startDemoSimulator } from './simulator.ts';

/** As many accounts for sale as a world may have: prices take ten sales of a platform. */
export const DEMO_WORLD = { market: { listed: 0.05 } };

export const printWorld = async (file: string | undefined): Promise<void> => {
  printJson(await worldOf(file), 2);
};

/**
 * Runs all roles on simulated platforms until stopped. Imports little itself: the simulator starts beside the database
 * and the API.
 * @param size simulated accounts per platform.
 * @param world file with the parameters of the simulated world.
 */
export const runDemo = async (size: number, world: string | undefined, stop: AbortSignal): Promise<void> => {
  const config = demoConfig();
  const parameters = await worldOf(world);
  const logger = createLogger(config);
  const phases = createPhases(logger);
  print(
    `Starting: Postgres and state in ${config.SIGHTLINE_HOME}, ${size} simulated accounts per platform (world ${hashOf(parameters)}).`,
  );
  const progress = createProgress(logger);
  progress.show(progressOfStart(phases));
  try {
    const service = prepareService(config, logger, undefined, phases);
    const simulator = await phases
      .run('simulator', () => startDemoSimulator({ seed: SEED, size, parameters, seeds: SEEDS }))
      .catch(async (error: unknown) => {
        await service.cancel();
        throw error;
      });
    try {
      await unlessAborted(stop, async () => {
        const started = await service.start(stop, simulated(config, simulator));
        const { serveDemo } = await import('./serve-demo.ts');
        await serveDemo(started, { simulator, progress, stop });
      });
    } finally {
      await simulator.close();
    }
  } finally {
    await progress.stop();
  }
  print('Stopped.');
};

const SEED = 7;
const SEEDS = 50;

const demoConfig = (): Config => ({
  ...parseConfig({
    LOG_LEVEL: 'warn',
    CRAWL_RATE_PER_S: '1000',
    CRAWL_CONCURRENCY: '16',
    CRAWL_RETRY_S: '5',
    // Effects of hours and of content take more posts than a page has.
    CRAWL_POSTS_PAGES: '3',
    // Findings are to be seen within the first minute: research runs often until there is one, and then by schedule.
    CRAWL_REPORT_CRON: '*/10 * * * * *',
    RESEARCH_CRON: '*/10 * * * *',
    LADDERS_CRON: '*/10 * * * *',
    FOLLOWS_MOST: '2000',
    FOLLOWS_REQUESTS_PER_DAY: '100000',
    // A connection of Postgres takes about 12 MB once it has worked with every view.
    DATABASE_POOL: '12',
    ...process.env,
    CRAWL_MODE: 'live',
    // The simulator accepts any X session.
    X_BEARER_TOKEN: 'simulated',
    X_GUEST_TOKEN: 'simulated',
  }),
});

const simulated = (config: Config, { url, marketplaceUrl }: RunningSimulator): Config => ({
  ...config,
  SIMULATOR_URL: url,
  MARKETPLACE_URL: marketplaceUrl,
});

/** Parameters of the simulated world in a JSON file; the demo's own without one. */
const worldOf = async (file: string | undefined): Promise<Parameters> => {
  try {
    return file === undefined ? parseParameters(DEMO_WORLD) : await readWorld(file);
  } catch (error) {
    const reason = error instanceof ZodError ? prettifyError(error) : String(error);
    throw new OperatorError('argument_invalid', `--world ${file} is no document of parameters:\n${reason}`);
  }
};
