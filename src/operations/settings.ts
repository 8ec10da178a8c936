import { existsSync } from 'node:fs';
import { type Config, DEFAULT_CONTACT, withoutSecrets } from '../kernel/config.ts';
import { loadPlans } from '../write/holders/load-plans.ts';

const CRAWLS: Readonly<Record<Config['CRAWL_MODE'], string>> = {
  live: 'The crawlers read the platforms.',
  record: 'The crawlers read the platforms and record their responses.',
  replay: 'The crawlers play recordings back, without network.',
};

/**
 * What a start with these settings does, in sentences.
 * @throws {OperatorError} if a file that they name can't be used.
 */
export const consequencesOf = async (config: Config): Promise<readonly string[]> => {
  await loadPlans(config);
  const { DATABASE_URL, READ_DATABASE_URL, EVENT_LOG_URL, KAFKA_BROKERS, SIGHTLINE_HOME: home } = config;
  return [
    DATABASE_URL === undefined
      ? `Postgres is embedded, with its data in ${home}${existsSync(home) ? '' : ', which is made'}.`
      : `Postgres is at ${withoutSecrets(DATABASE_URL)}.`,
    EVENT_LOG_URL === undefined
      ? 'The event log is in Postgres.'
      : `The event log is at ${withoutSecrets(EVENT_LOG_URL)}.`,
    KAFKA_BROKERS === undefined
      ? 'Read models follow the log.'
      : `The relay publishes to Kafka at ${KAFKA_BROKERS.join(',')}, and read models follow it.`,
    READ_DATABASE_URL === undefined
      ? 'The API reads the catalog from the same Postgres.'
      : `The API reads the catalog from the replica at ${withoutSecrets(READ_DATABASE_URL)}${
          config.READ_FALLBACK ? ', and from the primary while it is down' : ''
        }.`,
    `The API is served on ${config.HOST}:${config.PORT}, health and metrics on ${config.OPERATIONS_HOST}:${
      config.OPERATIONS_PORT === 0 ? '<a free port>' : config.OPERATIONS_PORT
    }${config.OPERATIONS_TOKEN === undefined ? '' : ' with the token'}.`,
    CRAWLS[config.CRAWL_MODE],
    ...(config.CRAWL_MODE !== 'replay' && config.CRAWLER_CONTACT === DEFAULT_CONTACT
      ? ['The crawlers name no contact: set CRAWLER_CONTACT.']
      : []),
  ];
};
