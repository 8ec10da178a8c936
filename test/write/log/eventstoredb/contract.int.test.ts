import { afterAll, beforeAll, describe } from 'vitest';
import type { EventLog } from '../../../../src/write/log/port.ts';
import { describeEventLog } from '../../../contracts/event-log.ts';
import { openTestLog } from '../../../support/eventstore/log.ts';
import {
  dockerLacks,
  type RealNode,
  startContainer,
  throughProxy,
} from '../../../support/eventstore/real.ts';
import { openNode, type TestNode } from '../../../support/eventstore/server.ts';

/** The contract on a node that is there from the first test to the last. */
const describeNode = (
  name: string,
  start: () => Promise<RealNode>,
  { breaks, before = () => undefined }: { readonly breaks: boolean; readonly before?: () => void },
): void => {
  let node: RealNode;
  let shared: EventLog;
  const logs: EventLog[] = [];
  const open = (): EventLog => {
    const log = openTestLog(node.url);
    logs.push(log);
    return log;
  };
  beforeAll(async () => {
    node = await start();
    shared = open();
  });
  afterAll(async () => {
    for (const log of logs) await log.close();
    await node?.close();
  });
  describeEventLog({
    name,
    open: async () => {
      before();
      return { log: shared, start: await shared.head() };
    },
    openAgain: async () => open(),
    breakConnections: breaks ? async () => node.drop?.() : null,
    refusesIdsElsewhere: false,
  });
};

describe('an in-process node', () => {
  let node: TestNode;
  const start = async () => {
    node = await openNode();
    return node;
  };
  // The server's own events stand between those of any two tests.
  describeNode('eventstoredb in-process', start, {
    breaks: true,
    before: () => node.store.system('$statsCollected'),
  });
});

const lacks = await dockerLacks();
if (lacks !== null)
  console.log(`skipped, as ${lacks}: the event log contract on EventStoreDB in a container`);
describe.skipIf(lacks !== null)('a node in a container', () => {
  describeNode('eventstoredb in a container', startContainer, { breaks: true });
});

const url = process.env.TEST_EVENTSTORE_URL;
if (url === undefined) {
  console.log(
    'skipped, as TEST_EVENTSTORE_URL is not set: the event log contract on an EventStoreDB that runs',
  );
}
describe.skipIf(url === undefined)('the node at TEST_EVENTSTORE_URL', () => {
  describeNode('eventstoredb at TEST_EVENTSTORE_URL', () => throughProxy(url ?? ''), {
    breaks: /tls=false/i.test(url ?? '') && !(url ?? '').includes(','),
  });
});
