import { once } from 'node:events';
import { Command } from 'commander';
import { unlessAborted } from '../../kernel/abort.ts';
import type { Config } from '../../kernel/config.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { ROLES, type Role } from '../../runtime/roles/lifecycle.ts';
import type { Service } from '../../runtime/service.ts';
import { stopSignal } from '../with-runtime.ts';

/** `sightline start`: the service, until it is stopped. */
export const startCommand = (): Command =>
  new Command('start')
    .option(
      '--role <roles>',
      `roles of this process, separated by commas: ${ROLES.join(', ')}; default: all, with the API in a separate process`,
    )
    .description(
      'run Sightline: the crawlers, the projections, the API and the Kafka relay, or only some of them',
    )
    .addHelpText(
      'after',
      `
Each role may run in any number of processes; they share DATABASE_URL, EVENT_LOG_URL and KAFKA_BROKERS. Every process
serves /livez and /readyz on its PORT; /metrics and the details of /readyz are served on OPERATIONS_PORT.
See docs/scaling-out.md.

Ctrl-C or SIGTERM stops it in order. A second signal ends it at once; the next start recovers.

Examples:
  sightline start
  PORT=9000 DATABASE_URL=postgres://user@db/sightline sightline start
  PORT=9001 DATABASE_URL=postgres://user@db/sightline KAFKA_BROKERS=kafka:9092 sightline start --role project,relay`,
    )
    .action(async (options: { role?: string }) => {
      const [{ parseConfig }, { createLogger }, { startService }] = await Promise.all([
        import('../../kernel/config.ts'),
        import('../../kernel/logger.ts'),
        import('../../runtime/service.ts'),
      ]);
      const config = parseConfig(process.env);
      const roles = rolesOf(options.role, config);
      const logger = createLogger(config);
      const stop = stopSignal();
      await unlessAborted(stop, async () => {
        const service = await startService(config, logger, stop, roles);
        logger.info(placesOf(service, roles), 'Sightline started');
        const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort');
        const ended = await Promise.race([stopped.then(() => null), service.lost]);
        const failed = ended !== null && !stop.aborted;
        if (failed) logger.fatal(ended.about, ended.reason);
        else logger.info('stopping');
        await service.stop();
        process.exitCode = failed ? 1 : 0;
        if (!failed) logger.info('stopped');
        // The Kafka client retries unresponsive brokers for a minute; the process does not wait for it.
        setTimeout(() => process.exit(), EXIT_MS).unref();
      });
    });

/**
 * The roles of `--role api,crawl`; undefined without it.
 * @throws {OperatorError} `argument_invalid` for an unknown role, and for the relay without KAFKA_BROKERS.
 */
const rolesOf = (text: string | undefined, config: Config): ReadonlySet<Role> | undefined => {
  if (text === undefined) return undefined;
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !(ROLES as readonly string[]).includes(name));
  if (wrong !== undefined)
    throw new OperatorError('argument_invalid', `"${wrong}" is no role. They are: ${ROLES.join(', ')}`);
  const roles = new Set(names as Role[]);
  if (roles.has('relay') && config.KAFKA_BROKERS === undefined) {
    throw new OperatorError(
      'argument_invalid',
      'The role relay publishes the event log to Kafka: set KAFKA_BROKERS.',
    );
  }
  return roles;
};

/** How long the process may live on after it has stopped everything. */
const EXIT_MS = 2_000;

/** The addresses that an operator sees first. */
const placesOf = (
  { url, operationsUrl, consoleOrigin }: Service,
  roles: ReadonlySet<Role> = new Set(ROLES),
) => ({
  roles: [...roles].join(','),
  ...(roles.has('api') ? { api: `${url}/v2/`, reference: `${url}/docs` } : {}),
  ...(consoleOrigin === null ? {} : { console: consoleOrigin }),
  metrics: `${operationsUrl}/metrics`,
  health: `${operationsUrl}/readyz`,
});
