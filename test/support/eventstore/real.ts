import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { GenericContainer, Wait } from 'testcontainers';
import { openProxy } from '../proxy.ts';
import { openTestLog } from './log.ts';

/** A node that is not ours, by the addresses that logs are opened at and their connections go through. */
export interface RealNode {
  readonly url: string;
  /** Breaks every connection; null where they can't be led through here: with TLS, or to several nodes. */
  readonly drop: (() => void) | null;
  close(): Promise<void>;
}

/** Why no container can be started here; null where one can. */
export const dockerLacks = async (): Promise<string | null> => {
  try {
    await promisify(execFile)('docker', ['info'], { timeout: 10_000 });
    return null;
  } catch {
    return 'no Docker engine answers here';
  }
};

/** Leads connections through a proxy where that is possible. */
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
  // Alive is not yet leader.
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
