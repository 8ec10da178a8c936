import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { createBuildWriters } from '../../../../src/projections/builds/build-writers.ts';
import { activeBuild } from '../../../../src/projections/builds/builds.ts';
import { rebuild } from '../../../../src/projections/builds/rebuild.ts';
import { runProjection } from '../../../../src/projections/engine/runner.ts';
import { accounts } from '../../../../src/projections/views/accounts/projection.ts';
import { directory } from '../../../../src/projections/views/directory/projection.ts';
import { eventTypes } from '../../../../src/write/event-types.ts';
import { withValidation } from '../../../../src/write/log/codec.ts';
import type { EventLog } from '../../../../src/write/log/port.ts';
import { differences } from '../../../support/compare.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import { openTestLog } from '../../../support/eventstore/log.ts';
import { openNode, type TestNode } from '../../../support/eventstore/server.ts';
import { live } from '../../../support/generated-histories.ts';
import { allFollowed, expectAsRebuilt } from '../../../support/rebuilt.ts';
import { until } from '../../../support/wait.ts';

const FOLLOWED = [accounts, directory];

let node: TestNode;
let database: TestDatabase;
let log: EventLog;

beforeAll(async () => {
  [node, database] = await Promise.all([openNode(), createTestDatabase()]);
  log = withValidation(openTestLog(node.url), eventTypes);
});
afterAll(async () => {
  await log.close();
  await node.close();
  await database.drop();
});

it('projections follow a log in EventStoreDB across its failures, and a rebuild gives the same rows', {
  tags: 'long',
}, async () => {
  const { db, url } = database;
  const stop = new AbortController();
  const options = { db, connectionString: url, log, logger: silentLogger, signal: stop.signal };
  await live(log, 3, 300);
  const running = FOLLOWED.map((projection) => runProjection(projection, options));
  for (let i = 0; i < 4; i++) {
    await live(log, 3, 150, 300 + i * 150);
    if (i % 2 === 0) {
      node.drop();
    } else {
      node.stop();
      await node.start();
    }
  }
  await allFollowed(db, log, FOLLOWED);
  await expectAsRebuilt(db, log, FOLLOWED);

  const before = (await activeBuild(db, directory.name, directory.version))?.schema ?? '';
  const seen: bigint[] = [];
  const held = new AbortController();
  const rebuilding = rebuild(directory, {
    ...options,
    signal: held.signal,
    graceMs: 60_000,
    onProgress: (done, total) => {
      expect(total).toBeGreaterThan(0n);
      seen.push(done);
    },
  });
  await live(log, 3, 100, 900);
  const after = await until('the new build is served', async () => {
    const active = await activeBuild(db, directory.name, directory.version);
    return active?.schema === before ? null : active?.schema;
  });
  await live(log, 3, 50, 1_000);
  await allFollowed(db, log, FOLLOWED);
  held.abort();
  await rebuilding;
  expect(seen.length).toBeGreaterThan(0);
  expect(after).not.toBe(before);
  await expectAsRebuilt(db, log, FOLLOWED);
  expect(
    await differences(db, after, (await activeBuild(db, directory.name, directory.version))?.schema ?? ''),
  ).toEqual([]);
  stop.abort();
  await Promise.all(running);
});

it('a rebuild by two threads reads EventStoreDB in each, and has one writer’s rows', {
  tags: 'long',
}, async () => {
  const { db, url } = database;
  await live(log, 5, 300);
  const writers = createBuildWriters(
    { connectionString: url, logSettings: { EVENT_LOG_URL: node.url } },
    { count: 2, leastEvents: 1n },
  );
  const sentBy: number[] = [];
  let last = Promise.resolve();
  await rebuild(directory, {
    db,
    log,
    logger: silentLogger,
    signal: new AbortController().signal,
    graceMs: 0,
    writers: {
      ...writers,
      // One after the other: what the node sends meanwhile is sent to that thread.
      fold: (task, onReached, signal) => {
        last = last.then(async () => {
          const before = node.sent.events;
          await writers.fold(task, onReached, signal);
          sentBy.push(node.sent.events - before);
        });
        return last;
      },
    },
  });
  // More than the head of the log.
  expect(sentBy.map((sent) => sent > 10)).toEqual([true, true]);
  await expectAsRebuilt(db, log, [directory]);
});
