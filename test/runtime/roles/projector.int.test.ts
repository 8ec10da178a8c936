import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { readinessOf } from '../../../src/operations/health/health.ts';
import { chooseSource } from '../../../src/operations/projections/source.ts';
import { activeBuild } from '../../../src/projections/builds/builds.ts';
import { rebuild } from '../../../src/projections/builds/rebuild.ts';
import { checkpointsOf, topicPartitions } from '../../../src/projections/checkpoints.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { projections } from '../../../src/projections/registry.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { people } from '../../../src/projections/views/people/projection.ts';
import type { Runtime } from '../../../src/runtime/open-runtime.ts';
import { startProjections } from '../../../src/runtime/roles/projector.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { createDecoder } from '../../../src/write/log/codec.ts';
import { runRelay } from '../../../src/write/messaging/relay.ts';
import { differences } from '../../support/compare.ts';
import { describeWithKafka, openTestKafka, type TestKafka } from '../../support/kafka.ts';
import { personsIn } from '../../support/people-fold.ts';
import { createTestProgram, sighted, type TestProgram, unchanged } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

await describeWithKafka('projectors over Kafka', () => {
  let kafka: TestKafka;
  let program: TestProgram;
  const stopping = new AbortController();
  beforeAll(async () => {
    kafka = await openTestKafka();
  });
  afterAll(() => kafka.close());
  beforeEach(async () => {
    program = await createTestProgram();
  });
  afterEach(() => program.close());

  const checkpoints = async ({ name, version }: Projection) => {
    const { db } = program.database;
    const build = await activeBuild(db, name, version);
    return build === null ? new Map<string, bigint>() : checkpointsOf(db, build.schema);
  };

  it('persons equal a rebuild’s, though they depend on the order of all streams', {
    tags: 'long',
  }, async () => {
    const { database, log } = program;
    const own = { db: database.db, log, logger: silentLogger, signal: stopping.signal };
    const relaying = runRelay({
      ...own,
      connectionString: database.url,
      messaging: kafka.messaging,
      retentionMs: 86_400_000,
    });
    const projecting = startProjections(
      {
        ...own,
        asyncCommitDb: database.db,
        url: database.url,
        decoder: createDecoder(eventTypes),
        config: {},
      } as unknown as Runtime,
      kafka.messaging,
    );
    try {
      const profile = (id: string, ...links: string[]) => ({ id, display_name: 'Nora Quill', links });
      const x = 'https://x.com/noraquill77';
      const instagram = 'https://www.instagram.com/noraquill77/';
      await program.append(
        'x',
        'noraquill77',
        sighted('noraquill77', '2026-06-01T10:00:00.000Z', profile('9', instagram)),
      );
      await program.append(
        'instagram',
        'noraquill77',
        sighted('noraquill77', '2026-06-01T11:00:00.000Z', profile('70', x)),
      );
      // The name on Instagram is another one's afterwards, who copies the profile.
      await program.append(
        'instagram',
        'nora.quill',
        sighted('nora.quill', '2026-06-02T10:00:00.000Z', profile('70', x)),
      );
      await program.append(
        'instagram',
        'noraquill77',
        sighted('noraquill77', '2026-06-03T10:00:00.000Z', profile('666', x)),
      );
      await program.append('x', 'noraquill77', unchanged('2026-06-04T10:00:00.000Z', { followers: 300 }));
      const head = await log.head();
      for (const projection of [accounts, people])
        await until(`${projection.name} have followed`, async () => {
          const at = [...(await checkpoints(projection)).values()];
          return at.length > 0 && at.every((position) => position >= head);
        });
      expect([...(await checkpoints(accounts)).keys()].sort()).toEqual([...topicPartitions(accounts)].sort());
      // One writer has them, in the order of the log: Kafka keeps that of a partition alone.
      expect((await checkpoints(people)).size).toBe(1);
      const schema = (await activeBuild(database.db, people.name, people.version))?.schema as string;
      expect(await personsIn(database.db, schema)).toEqual([['instagram:id:70', 'x:id:9']]);
      const fresh = await rebuild({ ...people, name: 'check_people' }, { ...own, graceMs: 0 });
      expect(await differences(database.db, schema, fresh.schema)).toEqual([]);
    } finally {
      stopping.abort();
      await projecting.stop();
      await relaying;
    }
  });

  it('while Kafka is down the API says which read models stand still, and they read the log once that is chosen', {
    tags: 'long',
  }, async () => {
    const down = await openTestKafka();
    onTestFinished(() => down.close());
    const { database, log } = program;
    const stop = new AbortController();
    const own = { db: database.db, log, logger: silentLogger, signal: stop.signal };
    const relaying = runRelay({
      ...own,
      connectionString: database.url,
      messaging: down.messaging,
      retentionMs: 86_400_000,
    });
    const projecting = startProjections(
      {
        ...own,
        asyncCommitDb: database.db,
        url: database.url,
        decoder: createDecoder(eventTypes),
        config: {},
      } as unknown as Runtime,
      down.messaging,
    );
    const fed = projections.filter(({ order }) => order === 'stream');
    /** The others that Kafka feeds lack nothing. */
    const ofAccounts = fed.filter(({ streamPrefixes }) => streamPrefixes?.includes('account-') === true);
    const followed = (names: readonly Projection[], head: bigint) =>
      until('they have followed', async () => {
        for (const projection of names) {
          const at = [...(await checkpoints(projection)).values()];
          if (at.length === 0 || at.some((position) => position < head)) return false;
        }
        return true;
      });
    const checksOf = async () => {
      await program.builds.refresh();
      return (await readinessOf(program.services.health, silentLogger)).checks;
    };
    try {
      await program.append('x', 'nora', sighted('nora', '2026-06-01T10:00:00.000Z'));
      await followed(projections, await log.head());
      expect([...(await checkpoints(accounts)).keys()].sort()).toEqual([...topicPartitions(accounts)].sort());

      await down.broker.stop('SIGKILL');
      await program.append('x', 'nora', unchanged('2026-06-02T10:00:00.000Z', { followers: 300 }));
      const head = await log.head();
      await followed(
        projections.filter((projection) => !fed.includes(projection)),
        head,
      );
      // It is as if an hour had passed since.
      await database.db.query(`update log.events set recorded_at = recorded_at - interval '1 hour'`);
      const cutOff = await until('the read models that Kafka feeds are told', async () => {
        const found = (await checksOf()).filter(({ detail }) => detail.includes('Kafka has delivered none'));
        return found.length === ofAccounts.length ? found : null;
      });
      expect(new Set(cutOff.map(({ name }) => name))).toEqual(
        new Set(ofAccounts.map(({ name }) => `projection ${name}`)),
      );
      // Their answers grow old, and are answers: the API serves on.
      expect(cutOff.every(({ ok, critical }) => !ok && !critical)).toBe(true);

      await chooseSource({ log }, 'log', 'the broker is down');
      await followed(projections, head);
      expect([...(await checkpoints(accounts)).keys()].sort()).toEqual([...PLATFORMS].sort());
      expect((await checksOf()).filter(({ detail }) => detail.includes('Kafka'))).toEqual([]);
      expect(projecting.checks.map((check) => check())).toEqual(
        fed.map(() =>
          expect.objectContaining({ ok: true, detail: expect.stringContaining('follows the log') }),
        ),
      );
    } finally {
      stop.abort();
      await projecting.stop();
      await relaying;
    }
  });
});
