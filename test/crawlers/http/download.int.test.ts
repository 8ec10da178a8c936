import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type DownloadOptions, download } from '../../../src/crawlers/http/download.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** A server that replaces every host; its paths begin with the host. */
const serving = async (listener: RequestListener): Promise<string> => {
  server = createServer(listener);
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const read = async (address: string, options: Partial<DownloadOptions> = {}): Promise<string> => {
  const all = {
    hosts: ['market.example'],
    userAgent: 'test',
    simulatorUrl: null,
    signal: new AbortController().signal,
    ...options,
  };
  return download(address, all, async ({ body }) => {
    const parts: Buffer[] = [];
    for await (const chunk of body) parts.push(chunk);
    return Buffer.concat(parts).toString();
  });
};

const FILE = 'https://market.example/dump.csv';

describe('a download', () => {
  it.each(['127.0.0.1', '10.0.0.7', '169.254.169.254', '::1', 'fd00::1', '::ffff:127.0.0.1'])(
    'never reaches %s, whatever name resolves to it',
    async (address) => {
      let asked = 0;
      const resolve = async () => {
        asked += 1;
        return [{ address, family: address.includes(':') ? (6 as const) : (4 as const) }];
      };
      await expect(read(FILE, { resolve })).rejects.toMatchObject({ reason: 'host_refused' });
      expect(asked).toBeGreaterThan(0);
    },
  );

  it.each([
    'https://elsewhere.example/dump.csv',
    'http://market.example/dump.csv',
    'https://market.example:8443/dump.csv',
    'https://user:secret@market.example/dump.csv',
    'https://127.0.0.1/dump.csv',
  ])('of %s is refused before anything is requested', async (address) => {
    const resolve = async () => {
      throw new Error('it was asked');
    };
    await expect(read(address, { resolve })).rejects.toMatchObject({ reason: 'host_refused' });
  });

  it('follows redirects on its hosts only', async () => {
    const simulatorUrl = await serving((request, response) => {
      if (request.url === '/market.example/dump.csv')
        response.writeHead(302, { location: '/moved.csv' }).end();
      else if (request.url === '/market.example/moved.csv') response.end('id\n1\n');
      else response.writeHead(302, { location: 'https://169.254.169.254/latest/meta-data/' }).end();
    });
    expect(await read(FILE, { simulatorUrl })).toBe('id\n1\n');
    const other = 'https://market.example/other.csv';
    await expect(read(other, { simulatorUrl })).rejects.toMatchObject({ reason: 'host_refused' });
  });

  it('ends after too many bytes, stated or not, and after too long a silence', async () => {
    const simulatorUrl = await serving((request, response) => {
      if (request.url?.endsWith('stated')) response.writeHead(200, { 'content-length': '5000000' });
      response.write('x'.repeat(100_000));
      if (!request.url?.endsWith('silent')) response.end('x'.repeat(4_900_000));
    });
    const limits = { maxBytes: 1_000_000, idleMs: 300 };
    for (const path of ['stated', 'unstated'])
      await expect(read(`https://market.example/${path}`, { simulatorUrl, limits })).rejects.toMatchObject({
        reason: 'too_large',
      });
    await expect(read('https://market.example/silent', { simulatorUrl, limits })).rejects.toMatchObject({
      reason: 'timeout',
    });
  });

  it('ends when it is stopped', async () => {
    const simulatorUrl = await serving((_, response) => response.write('x'));
    const stop = new AbortController();
    const reading = read(FILE, { simulatorUrl, signal: stop.signal });
    stop.abort();
    await expect(reading).rejects.toMatchObject({ reason: 'aborted' });
  });

  it('of anything but a file fails with the status', async () => {
    const simulatorUrl = await serving((_, response) => response.writeHead(403).end());
    await expect(read(FILE, { simulatorUrl })).rejects.toThrow('status 403');
  });
});
