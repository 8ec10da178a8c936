import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardConnections, LIMITS, type Limits } from '../../../src/api/pipeline/connections.ts';
import { startServer } from '../../../src/api/server/app.ts';
import type { Server } from '../../../src/api/server/listen.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

const LISTEN = { host: '127.0.0.1', port: 0 };
/** Long enough for whoever is honest, short enough for a test. */
const PATIENCE: Partial<Limits> = { headersMs: 300, requestMs: 600, answerMs: 600, closeMs: 300 };

let program: TestProgram;
let server: Server | undefined;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  server = undefined;
  program = await createTestProgram();
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await server?.close();
  await program.close();
});

const open = async (limits: Partial<Limits> = {}, trusted: readonly string[] = []): Promise<void> => {
  server = await startServer({ ...program.services, trustedProxies: trusted }, LISTEN, {
    ...PATIENCE,
    ...limits,
  });
};

interface Caller {
  readonly socket: Socket;
  /** What it was told so far. */
  readonly heard: () => string;
  readonly isClosed: () => boolean;
}

const call = (text: string): Caller => {
  const socket = connect({ port: Number(new URL(server?.url ?? '').port), host: '127.0.0.1' });
  sockets.push(socket);
  let heard = '';
  let closed = false;
  socket.on('data', (chunk) => {
    heard += String(chunk);
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    closed = true;
  });
  socket.write(text);
  return { socket, heard: () => heard, isClosed: () => closed };
};

/** Sends on and on, until it is cut off. */
const pour = ({ socket, isClosed }: Caller, chunk: string): void => {
  const again = () => {
    if (isClosed() || socket.destroyed) return;
    socket.write(chunk);
    setTimeout(again, 5).unref();
  };
  again();
};

/** The headers of the first answer: what is told when the connection is cut off comes later. */
const head = ({ heard }: Caller): string => heard().split('\r\n\r\n')[0] ?? '';

const LIVE = 'GET /livez HTTP/1.1\r\nhost: x\r\n\r\n';
const HALF = 'GET /livez HTTP/1.1\r\nhost: x\r\nx-half: ';
const post = (headers: string) => `POST /v2/accounts/check HTTP/1.1\r\nhost: x\r\n${headers}\r\n`;

describe('a caller who keeps the service waiting', () => {
  it.each([
    ['says nothing at all', ''],
    ['falls silent within its headers', HALF],
  ])('%s, gets the error and is disconnected', async (_what, text) => {
    await open();
    const caller = call(text);
    await until('it is cut off', caller.isClosed);
    expect(caller.heard()).toMatch(/^HTTP\/1\.1 408 /);
    expect(caller.heard()).toMatch(/\r\nx-request-id: req_[0-9a-f]{32}\r\n/i);
    expect(caller.heard()).toContain('"code":"request_timeout"');
  });

  it('sends headers byte by byte and is cut off', async () => {
    await open();
    const caller = call(HALF);
    pour(caller, 'a');
    await until('it is cut off', caller.isClosed);
    expect(caller.heard()).toContain('"code":"request_timeout"');
  });

  it('never sends a body and is cut off', async () => {
    const key = await program.issueKey();
    await open();
    const caller = call(
      post(`authorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n`),
    );
    await until('it is cut off', caller.isClosed);
    expect(caller.heard()).toContain('"code":"request_timeout"');
  });

  it.each(['with a key', 'without one'])(
    'sends an endless body, %s, and is answered and cut off',
    async (how) => {
      const key = await program.issueKey();
      // Who asked is looked up before the body is refused: no limit of time comes before that.
      await open({ headersMs: 600_000, requestMs: 600_000 });
      const authorization = how === 'with a key' ? `authorization: Bearer ${key}\r\n` : '';
      const caller = call(
        post(`${authorization}content-type: application/json\r\ntransfer-encoding: chunked\r\n`),
      );
      pour(caller, `2000\r\n${'a'.repeat(8_192)}\r\n`);
      await until('it is cut off', caller.isClosed);
      expect(caller.heard()).toContain(
        how === 'with a key' ? '"code":"body_too_large"' : '"code":"key_missing"',
      );
      expect(caller.heard()).toMatch(/\r\nconnection: close\r\n/i);
    },
  );

  it('sends a body that a GET does not need and is cut off after the answer', async () => {
    await open();
    const caller = call('GET /livez HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
    pour(caller, '1\r\na\r\n');
    await until('it is cut off', caller.isClosed);
    expect(caller.heard()).toMatch(/^HTTP\/1\.1 200 /);
    expect(head(caller)).toMatch(/\r\nconnection: close(\r\n|$)/i);
  });

  it('does not read a long answer and is cut off', async () => {
    const plain = createServer((_request, response) => response.end(Buffer.alloc(64 * 1024 * 1024)));
    const unguard = guardConnections(plain, { ...LIMITS, answerMs: 300 }, () => false);
    await once(plain.listen(0, '127.0.0.1'), 'listening');
    const socket = connect({ port: (plain.address() as AddressInfo).port, host: '127.0.0.1' });
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.pause();
    socket.write(LIVE);
    const open = () =>
      new Promise<number>((resolve) => plain.getConnections((_error, count) => resolve(count)));
    await until('it has come', async () => (await open()) === 1);
    await until('it is cut off', async () => (await open()) === 0);
    unguard();
    plain.close();
  });
});

it('a connection is kept for the next request if the body was read', async () => {
  const key = await program.issueKey();
  await open();
  const body = JSON.stringify({ accounts: [{ platform: 'x', handle: 'nasa' }] });
  const caller = call(
    `${post(`authorization: Bearer ${key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n`)}${body}`,
  );
  await until('it is answered', () => caller.heard().includes('"meta"'));
  expect(caller.heard()).toMatch(/^HTTP\/1\.1 200 /);
  expect(caller.heard()).not.toMatch(/\r\nconnection: close\r\n/i);
  caller.socket.write(LIVE);
  await until('it is answered again', () => caller.heard().includes('"alive":true'));
});

describe('the connections of one address', () => {
  const most = async (count: number): Promise<Caller[]> => {
    const callers = Array.from({ length: count }, () => call(LIVE));
    await until('all are heard', () => callers.every(({ heard }) => heard() !== ''));
    return callers;
  };
  const answered = (callers: readonly Caller[]) =>
    callers.filter(({ heard }) => heard().startsWith('HTTP/1.1 200')).length;

  it('are limited, and others may follow those that end', async () => {
    await open({ perAddress: 3 });
    const callers = await most(5);
    expect(answered(callers)).toBe(3);
    const refused = callers.filter(({ heard }) => heard().startsWith('HTTP/1.1 429'));
    expect(refused).toHaveLength(2);
    expect(refused[0]?.heard()).toMatch(/\r\nretry-after: 1\r\n/i);
    await until('those are cut off', () => refused.every(({ isClosed }) => isClosed()));
    for (const { socket } of callers) socket.destroy();
    await until('another is let in', async () => answered(await most(1)) === 1);
  });

  it('are not counted for a trusted proxy', async () => {
    await open({ perAddress: 1 }, ['loopback']);
    expect(answered(await most(5))).toBe(5);
  });
});

it('a stop ends within its limit, whatever callers do', { tags: 'long' }, async () => {
  await open({ headersMs: 600_000, requestMs: 600_000, answerMs: 600_000 });
  const callers = [
    call(''),
    call(HALF),
    call(`${LIVE}${HALF}`),
    call(post('content-type: application/json\r\ntransfer-encoding: chunked\r\n')),
    call(LIVE.repeat(100_000)),
  ];
  callers[4]?.socket.pause();
  pour(callers[1] as Caller, 'a');
  pour(callers[3] as Caller, '1\r\na\r\n');
  await until('one is answered', () => callers[2]?.heard().includes('"alive":true'));
  // Left to themselves, they would keep it for longer than a test may take.
  await server?.close();
  server = undefined;
});
