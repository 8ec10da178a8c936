import { once } from 'node:events';
import { Command } from 'commander';
import { parseConfig } from '../kernel/config.ts';
import { createLogger } from '../kernel/logger.ts';
import { stopSignal, unlessStopped } from './command.ts';
import { startService } from './program/service.ts';

/** `sightline start`: the service, until it is stopped. */
export const startCommand = (): Command =>
  new Command('start')
    .description('run Sightline: crawlers, projections and the API in one process')
    .addHelpText(
      'after',
      `
Stops in order on Ctrl-C or SIGTERM; a second signal ends it at once, and the next start recovers.

Examples:
  sightline start
  PORT=9000 DATABASE_URL=postgres://user@db/sightline sightline start`,
    )
    .action(async () => {
      const config = parseConfig(process.env);
      const logger = createLogger(config);
      const stop = stopSignal();
      await unlessStopped(stop, async () => {
        const service = await startService(config, logger, stop);
        logger.info({ api: `${service.url}/v2/`, reference: `${service.url}/docs` }, 'Sightline is up');
        const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort');
        const lost = service.lost.then(() => true);
        const failed = (await Promise.race([stopped.then(() => false), lost])) && !stop.aborted;
        if (failed)
          logger.fatal('the embedded Postgres has ended: Sightline stops; start it again to recover');
        else logger.info('stopping');
        await service.stop();
        process.exitCode = failed ? 1 : 0;
        if (!failed) logger.info('stopped');
      });
    });
