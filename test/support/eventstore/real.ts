import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { GenericContainer, Wait } from 'testcontainers';
import { openProxy } from '../proxy.ts';
import { openTestLog } from './log.ts';

/** A node outside the test process; `url` leads through a proxy where possible. */
export interface RealNode {
  readonly url: string;
  /** Breaks every connection; null if connections cannot be proxied: with TLS, or to several nodes. */
  readonly drop: (() => void) | null;
  close(): Promise<void>;
}

/** Why this machine cannot start a container; null if it can. */
export const dockerLacks = async (): Promise<string | null> => {
  try {
    await promisify(execFile)('docker', ['info'], { timeout: 10_000 });
    return null;
  } catch {
    return 'no Docker engine answers here';
  }
};

/** Sends connections through a proxy if possible. */
export const throughProxy = async (url: string): Promise<RealNode> => {
  if (!/^(?:esdb|kurrentdb):\/\/[^,?]+\/?\?(.*&)?tls=false/i.test(url)) {
    return { url, drop: null, close: async () => undefined };
  }
  const proxy = await openProxy(url);
  return { url: proxy.url, drop: proxy.thaw, close: proxy.close };
};

const PORT = 2113;

/** A node in a container of its own, in memory, without TLS. */
export const startContainer = async (): Promise<RealNode> => {
  const container = await new GenericContainer('eventstore/eventstore:23.10.0-jammy')
    .withEnvironment({
      EVENTSTORE_INSECURE: 'true',
      EVENTSTORE_CLUSTER_SIZE: '1',
      EVENTSTORE_RUN_PROJECTIONS: 'None',
      EVENTSTORE_MEM_DB: 'true',
    })
    .withExposedPorts(PORT)
    .withWaitStrategy(Wait.forHttp('/health/live', PORT).forStatusCode(204))
    .start();
  const node = await throughProxy(`esdb://${container.getHost()}:${container.getMappedPort(PORT)}?tls=false`);
  const log = openTestLog(node.url);
  // A node that is alive may not be the leader yet.
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(200)) {
    const answers = await log.head().then(
      () => true,
      () => false,
    );
    if (answers) break;
  }
  await log.close();
  return {
    ...node,
    close: async () => {
      await node.close();
      await container.stop();
    },
  };
};
