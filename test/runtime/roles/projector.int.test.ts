import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { activeBuild } from '../../../src/projections/builds/builds.ts';
import { rebuild } from '../../../src/projections/builds/rebuild.ts';
import { checkpointsOf, topicPartitions } from '../../../src/projections/checkpoints.ts';
import type { Projection } from '../../../src/projections/projection.ts';
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
});
