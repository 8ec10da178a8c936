import { afterEach, beforeEach, expect, it } from 'vitest';
import { fillOwnStreams, onlyOwnStreams } from '../../bench/rebuild/own-streams.ts';
import { accountHappenings } from '../../bench/rebuild/workload.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { directory } from '../../src/projections/views/directory/projection.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { collect, openTestLog } from '../support/eventstore/log.ts';
import { openNode, type TestNode } from '../support/eventstore/server.ts';

const ACCOUNTS = 7;

let node: TestNode;
let log: EventLog;

beforeEach(async () => {
  node = await openNode();
  log = openTestLog(node.url);
});
afterEach(async () => {
  await log.close();
  await node.close();
});

/** What another program, and another run of the bench, leave on the node. */
const appendForeign = async (stream: string): Promise<void> => {
  const events = accountHappenings(1).map(({ event }) => ({ id: uuidV7(Date.now()), ...event }));
  await log.append(stream, events, 'any');
};

it('a rebuild from a node with other events reads and counts only its own run’s', async () => {
  await appendForeign('account-x:nasa');
  await fillOwnStreams(log, 3, directory.types);
  const { own, events } = await fillOwnStreams(log, ACCOUNTS, directory.types);
  await appendForeign('account-x:nasa');
  await appendForeign('account-youtube:user1');

  const happened = Array.from({ length: ACCOUNTS }, (_, account) => accountHappenings(account)).flat();
  const wanted = happened.filter(({ event }) => directory.types.includes(event.type));
  expect(events).toBe(wanted.length);

  const narrowed = onlyOwnStreams(log, own);
  node.sent.events = 0;
  for (const streamPrefixes of [undefined, directory.streamPrefixes]) {
    const read = await collect(
      narrowed.readAll(0n, { types: directory.types, ...(streamPrefixes && { streamPrefixes }) }),
    );
    expect(read).toHaveLength(events);
    expect(new Set(read.map(({ stream }) => stream)).size).toBe(ACCOUNTS);
  }
  expect(node.sent.events).toBeLessThanOrEqual(2 * (happened.length + 2));

  const ofX = await collect(narrowed.readAll(0n, { streamPrefixes: ['account-x:'] }));
  expect(ofX).toHaveLength(happened.filter(({ platform }) => platform === 'x').length);
  expect(ofX.every(({ stream }) => stream.startsWith(`account-x:${own.run}.user`))).toBe(true);
  expect(await collect(narrowed.readAll(0n, { streamPrefixes: ['engine-'] }))).toEqual([]);
});
