import { expect, it } from 'vitest';
import { parseConfig } from '../../src/kernel/config.ts';
import { consequencesOf } from '../../src/operations/settings.ts';

it.each<[string, Record<string, string>, string]>([
  ['an embedded Postgres', { SIGHTLINE_HOME: '/nowhere/home' }, 'its data in /nowhere/home, which is made'],
  [
    'another Postgres, without its password',
    { DATABASE_URL: 'postgres://a:secret@db/s' },
    'Postgres is at postgres://db/s',
  ],
  ['EventStoreDB', { EVENT_LOG_URL: 'esdb://a:secret@log:2113' }, 'The event log is at esdb://log:2113'],
  ['Kafka', { KAFKA_BROKERS: 'k:9092' }, 'The relay publishes to Kafka at k:9092'],
  [
    'a replica',
    { READ_DATABASE_URL: 'postgres://r/s', READ_FALLBACK: 'true' },
    'and from the primary while it is down',
  ],
  [
    'the ports',
    { PORT: '9000', OPERATIONS_PORT: '9001' },
    '127.0.0.1:9000, health and metrics on 127.0.0.1:9001',
  ],
  ['a replay', { CRAWL_MODE: 'replay' }, 'without network'],
  ['a crawl without a contact', {}, 'set CRAWLER_CONTACT'],
])('what a start would do names %s', async (_, env, said) => {
  const lines = (await consequencesOf(parseConfig(env))).join('\n');
  expect(lines).toContain(said);
  expect(lines).not.toContain('secret');
});

it('a file of plans that can’t be used is refused before a start', async () => {
  await expect(consequencesOf(parseConfig({ PLANS_FILE: '/nowhere.yaml' }))).rejects.toMatchObject({
    code: 'plans_invalid',
  });
});
