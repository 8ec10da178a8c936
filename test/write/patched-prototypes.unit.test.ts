import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { ChannelCredentials } from '@grpc/grpc-js';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

interface RequestQueue {
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  scheduleCheckPendingRequests(): void;
  destroy(): void;
}

it('prototypes are patched only where the architecture says why', () => {
  const patching = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) =>
    /\bprototype(?:\.\w+|\[[^\]]+\])?\s*=(?!=|>)/.test(readFileSync(join(ROOT, file), 'utf8')),
  );
  const [, section = ''] = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').split(
    '## Patched prototypes',
  );
  const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `([\w/.-]+)`/gm)].map(
    ([, file]) => `src/${file}`,
  );
  expect(patching.sort()).toEqual(listed.sort());
});

it('kafkajs still polls an empty queue of requests', () => {
  const Queue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as new (
    options: object,
  ) => RequestQueue;
  const queue = new Queue({
    requestTimeout: 1_000,
    clientId: 'test',
    broker: 'test',
    isConnected: () => true,
  });
  queue.scheduleCheckPendingRequests();
  expect(queue.throttleCheckTimeoutId).not.toBeNull();
  queue.destroy();
});

it('gRPC still sends an address as a server name, which Node refuses', async () => {
  const connector = ChannelCredentials.createSsl()._createSecureConnector(
    { scheme: 'dns', path: '127.0.0.1:2113' },
    {},
  );
  await expect(connector.connect(new PassThrough() as never)).rejects.toThrow(/ServerName to an IP address/i);
});
