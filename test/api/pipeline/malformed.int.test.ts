import { METHODS, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadEndpoints } from '../../../src/api/endpoints/load-endpoints.ts';
import { startServer } from '../../../src/api/server/app.ts';
import { type Server, startOperations } from '../../../src/api/server/listen.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

const LISTEN = { host: '127.0.0.1', port: 0 };

let program: TestProgram;
let api: Server;
let operations: Server;

beforeAll(async () => {
  program = await createTestProgram();
  api = await startServer(program.services, LISTEN);
  operations = await startOperations(program.services.health, { own: [] }, silentLogger, LISTEN);
});
afterAll(async () => {
  await Promise.all([api?.close(), operations?.close()]);
  await program.close();
});

/** What a server says to these bytes until it closes the connection. */
const say = (server: Server, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => socket.write(text, 'latin1'));
    let heard = '';
    socket.on('data', (chunk) => {
      heard += String(chunk);
    });
    socket.on('error', reject);
    socket.once('close', () => resolve(heard));
  });

const ask = (
  server: Server,
  method: string,
  path: string,
): Promise<{ status: number; allow: string | undefined; body: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(`${server.url}${path}`, { method, agent: false }, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.once('end', () =>
        resolve({ status: response.statusCode ?? 0, allow: response.headers.allow, body }),
      );
    });
    asked.once('error', reject);
    asked.end();
  });

/** The error that was answered, whose request the header names too. */
const errorIn = (heard: string): { code: string; details?: readonly unknown[] } => {
  const { error } = JSON.parse(heard.slice(heard.indexOf('\r\n\r\n') + 4));
  expect(/\r\nx-request-id: (req_[0-9a-f]{32})\r\n/i.exec(heard)?.[1]).toBe(error.request_id);
  return error;
};

const STATUS_PATHS = ['/livez', '/readyz', '/metrics'];

describe('a method that a path does not have', () => {
  it('is refused with 405 and the allowed methods, for any method and path', {
    tags: 'long',
  }, async () => {
    const endpoints = await loadEndpoints();
    const pathOf = ({ path, example }: (typeof endpoints)[number]) =>
      `/v2${path.replaceAll(/\{(\w+)\}/g, (_, name) => example.params?.[name] ?? 'x')}`;
    const posted = new Set(endpoints.filter(({ method }) => method === 'POST').map(pathOf));
    const known = new Set([
      '/v2',
      '/v2/',
      '/v2/openapi.json',
      '/v2/openapi.json/',
      '/v2/%64irectory?limit=1',
      ...endpoints.map(pathOf),
      ...STATUS_PATHS,
      '/docs',
      '/docs/',
      '/docs/js/scalar.js',
    ]);
    for (const path of known) {
      const takes = posted.has(path) ? ['POST'] : ['GET', 'HEAD'];
      for (const method of METHODS.filter((each) => each !== 'CONNECT' && !takes.includes(each))) {
        const { status, allow, body } = await ask(api, method, path);
        const said = `${method} ${path}`;
        expect([status, allow], said).toEqual([405, takes.join(', ')]);
        if (method !== 'HEAD') expect(JSON.parse(body).error.code, said).toBe('method_not_allowed');
      }
    }
  });

  it.each(['BREW', 'get', "A!#$%&'*+-.^_`|~9"])('is rejected even if unregistered: %s', async (method) => {
    const answer = await say(api, `${method} /v2/directory/x?limit=1 HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(answer).toContain('\r\nAllow: GET, HEAD\r\n');
    expect(errorIn(answer).code).toBe('method_not_allowed');
    const nowhere = await say(api, `${method} /v2/nothing HTTP/1.1\r\nhost: x\r\n\r\n`);
    expect([nowhere.slice(9, 12), errorIn(nowhere).code]).toEqual(['404', 'route_not_found']);
  });

  it('is refused on the operations port too', async () => {
    for (const path of STATUS_PATHS) {
      const { status, allow, body } = await ask(operations, 'TRACE', path);
      expect([status, allow, JSON.parse(body).error.code]).toEqual([405, 'GET, HEAD', 'method_not_allowed']);
    }
    const { status, body } = await ask(operations, 'TRACE', '/v2/directory');
    expect([status, JSON.parse(body).error.code]).toEqual([404, 'route_not_found']);
  });

  it('reveals nothing about a path that does not exist', async () => {
    for (const path of ['/v2/nothing', '/v2//directory', '/v2/accounts/x//live', '/', '/v2/directory/%zz']) {
      const { status, allow } = await ask(api, 'TRACE', path);
      expect([status === 404 || status === 400, allow], path).toEqual([true, undefined]);
    }
  });

  it('opens no tunnel', async () => {
    const answer = await say(api, 'CONNECT example.org:443 HTTP/1.1\r\nhost: example.org\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1\.1 405 /);
    expect(errorIn(answer).code).toBe('method_not_allowed');
  });
});

describe('a request that the HTTP parser rejects', () => {
  const long = 'a'.repeat(20_000);
  it.each([
    [
      'an overlong request line',
      `GET /v2/directory?q=${long} HTTP/1.1\r\nhost: x\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['an overlong header', `GET /v2/ HTTP/1.1\r\nhost: x\r\nx-a: ${long}\r\n\r\n`, 431, 'headers_too_large'],
    [
      'many headers',
      `GET /v2/ HTTP/1.1\r\nhost: x\r\n${`a: ${'b'.repeat(90)}\r\n`.repeat(500)}\r\n`,
      431,
      'headers_too_large',
    ],
    ['no HTTP at all', 'NONSENSE\r\n\r\n', 400, 'invalid_request'],
    ['a NUL in a header', 'GET /v2/ HTTP/1.1\r\nhost: x\r\nx-a: \0\r\n\r\n', 400, 'invalid_request'],
    [
      'two lengths',
      'POST /v2/accounts/check HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'invalid_request',
    ],
    [
      'a length and chunks',
      'POST /v2/accounts/check HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n',
      400,
      'invalid_request',
    ],
  ])('is answered in the contract’s shape: %s', async (_what, text, status, code) => {
    for (const server of [api, operations]) {
      const answer = await say(server, text);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(errorIn(answer).code).toBe(code);
      expect(answer).toContain('\r\nConnection: close\r\n');
    }
  });

  it('may carry an unknown expectation, which is ignored', async () => {
    const answer = await say(
      api,
      'GET /livez HTTP/1.1\r\nhost: x\r\nexpect: 200-ok\r\nconnection: close\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a request that two readers could read differently', () => {
  const twice = (name: string, value: string) => `${name}: ${value}\r\n${name.toUpperCase()}: ${value}\r\n`;
  const faults: readonly (readonly [string, string, string])[] = [
    ['two hosts', `host: x\r\n${twice('Host', 'y')}`, 'headers.host'],
    ['the same host twice', twice('host', 'x'), 'headers.host'],
    ['no host', '', 'headers.host'],
    ['two keys', `host: x\r\n${twice('authorization', 'Bearer a')}`, 'headers.authorization'],
    ['two types', `host: x\r\n${twice('content-type', 'application/json')}`, 'headers.content-type'],
  ];
  const paths = [
    'GET /v2/',
    'GET /v2/openapi.json',
    'GET /docs/',
    'GET /livez',
    'GET /nowhere',
    'POST /v2/accounts/check',
    'PUT /v2/',
  ];

  it.each(faults)('is refused whatever it asks for: %s', async (_what, headers, path) => {
    for (const asked of paths)
      for (const server of [api, operations]) {
        const answer = await say(server, `${asked} HTTP/1.1\r\n${headers}connection: close\r\n\r\n`);
        expect(answer, asked).toMatch(/^HTTP\/1\.1 400 /);
        expect(errorIn(answer).code).toBe('invalid_request');
        if (server === api) expect(errorIn(answer).details).toEqual([{ path, message: expect.any(String) }]);
      }
  });

  it('may be of HTTP 1.0, which knows no host', async () => {
    expect(await say(api, 'GET /livez HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });
});
