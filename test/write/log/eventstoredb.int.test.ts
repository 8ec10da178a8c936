import { afterAll, beforeAll } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { parseLogAddress } from '../../../src/write/log/eventstoredb/address.ts';
import { createEventStoreLog } from '../../../src/write/log/eventstoredb/index.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { describeEventLog } from '../../contracts/event-log.ts';
import { openNode, type TestNode } from '../../support/eventstore/server.ts';

const closers: (() => Promise<void>)[] = [];
const openLog = async (url: string): Promise<EventLog> => {
  const log = createEventStoreLog(parseLogAddress(url), silentLogger);
  closers.push(() => log.close());
  return log;
};

let node: TestNode;
beforeAll(async () => {
  node = await openNode();
});

afterAll(async () => {
  for (const close of closers) await close();
  await node.close();
});

let shared: Promise<EventLog> | undefined;

describeEventLog({
  name: 'eventstoredb, in-process',
  open: async () => {
    shared ??= openLog(node.url);
    const log = await shared;
    node.store.system('$statsCollected');
    return { log, start: await log.head() };
  },
  openAgain: () => openLog(node.url),
  breakConnections: async () => node.drop(),
  refusesIdsElsewhere: false,
});
