import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

let program: TestProgram;
let key: string;

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey();
  for (const name of ['ann', 'ben', 'cat', 'dan']) {
    await program.append('x', name, sighted(name, '2026-11-01T00:00:00.000Z'));
  }
  await program.project();
});

afterAll(() => program.close());

const codeOf = async (
  path: string,
  options: { key?: string; headers?: Record<string, string> } = { key },
) => {
  const { status, body, headers } = await program.get(path, options.key, options.headers);
  expect(headers['x-request-id']).toBe(body.error.request_id);
  expect(headers['cache-control']).toBe('private, no-cache');
  return [status, body.error.code];
};

describe('bad input', () => {
  it('is refused with a documented code and stores nothing', async () => {
    const before = await program.log.head();
    const long = 'a'.repeat(1_025);
    const cases: [string, number, string][] = [
      ['/v2/accounts/x/not%20a%20handle', 400, 'invalid_request'],
      ['/v2/accounts/x/waytoolongforanxhandle', 400, 'invalid_request'],
      ['/v2/accounts/x/%00', 400, 'invalid_request'],
      [`/v2/accounts/x/${long.slice(1)}`, 400, 'invalid_request'],
      ["/v2/accounts/x/';drop table log.events;--", 400, 'invalid_request'],
      ['/v2/accounts/x/id:', 400, 'invalid_request'],
      ['/v2/accounts/myspace/tom', 400, 'invalid_request'],
      ['/v2/accounts/x/nasa?unknown=1', 400, 'invalid_request'],
      ['/v2/accounts/x/nasa/live?max_age_s=-1', 400, 'invalid_request'],
      ['/v2/accounts/x/nasa/live?max_age_s=1e3', 400, 'invalid_request'],
      ['/v2/accounts/resolve', 400, 'invalid_request'],
      ['/v2/directory?limit=0', 400, 'invalid_request'],
      ['/v2/directory?limit=1001', 400, 'invalid_request'],
      ['/v2/directory?limit=', 400, 'invalid_request'],
      ['/v2/directory?limit=ten', 400, 'invalid_request'],
      ['/v2/directory?limit=1&limit=2', 400, 'invalid_request'],
      ['/v2/directory?min_followers=', 400, 'invalid_request'],
      ['/v2/directory?verified=yes', 400, 'invalid_request'],
      ['/v2/directory?sort=random', 400, 'invalid_request'],
      ['/v2/directory?seen_since=yesterday', 400, 'invalid_request'],
      ['/v2/directory/top?by=luck', 400, 'invalid_request'],
      ['/v2/directory/changes?after=x', 400, 'invalid_request'],
      ['/v2/directory/x/%E0%A4%A', 400, 'invalid_request'],
      ['/v2/nothing', 404, 'route_not_found'],
      ['/v1/accounts/x/nasa', 404, 'route_not_found'],
      ['/v2/accounts/x/nasa/dead', 404, 'route_not_found'],
      ['/v2/directory/x/nobody_here', 404, 'not_found'],
    ];
    for (const [path, status, code] of cases) expect(await codeOf(path), path).toEqual([status, code]);
    expect(await program.log.head()).toBe(before);
  });

  it('has each fault named by its place', async () => {
    const { body } = await program.get('/v2/directory?limit=0&sort=random', key);
    expect(body.error.details.map((d: { path: string }) => d.path).sort()).toEqual([
      'query.limit',
      'query.sort',
    ]);
    const { body: other } = await program.get('/v2/directory?cursor=x', key);
    expect(other.error.details).toMatchObject([{ path: 'query.cursor' }]);
  });

  it('is refused in bodies too: malformed, mistyped, oversized, empty', async () => {
    const send = async (body: string, headers: Record<string, string> = {}) => {
      const response = await program.post('/v2/accounts/check', body, key, headers);
      expect(response.body.error.details, body.slice(0, 50)).not.toEqual([]);
      expect(response.body.error.details, body.slice(0, 50)).toBeDefined();
      return [response.status, response.body.error.code];
    };
    expect(await send('{')).toEqual([400, 'invalid_request']);
    expect(await send('[]')).toEqual([400, 'invalid_request']);
    expect(await send('null')).toEqual([400, 'invalid_request']);
    expect(await send('')).toEqual([400, 'invalid_request']);
    expect(await send('{"__proto__": {"a": 1}, "accounts": []}')).toEqual([400, 'invalid_request']);
    const { body: forbidden } = await program.post('/v2/accounts/check', '{"__proto__": {}}', key);
    expect(forbidden.error.message).toContain('__proto__');
    expect(await send('{}', { 'content-type': 'text/plain' })).toEqual([415, 'media_type_unsupported']);
    expect(await send('a=b', { 'content-type': 'application/x-www-form-urlencoded' })).toEqual([
      415,
      'media_type_unsupported',
    ]);
    expect(await send(JSON.stringify({ accounts: 'x'.repeat(300_000) }))).toEqual([413, 'body_too_large']);
  });

  it('names the allowed methods if its method is wrong', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const) {
      const response = await program.app.inject({ method, url: '/v2/accounts/x/nasa' });
      expect([response.statusCode, response.json().error.code, response.headers.allow]).toEqual([
        405,
        'method_not_allowed',
        'GET, HEAD',
      ]);
    }
    const get = await program.app.inject({ method: 'GET', url: '/v2/accounts/check' });
    // Of one segment more than `/accounts/{platform}/{handle}` has: a path of its own.
    expect([get.statusCode, get.headers.allow]).toEqual([405, 'POST']);
  });

  it('gets an answer in the contract’s shape even if it is not HTTP', async () => {
    await program.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = program.app.server.address() as AddressInfo;
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.end('NONSENSE\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toContain('HTTP/1.1 400');
    expect(JSON.parse(answer.slice(answer.indexOf('{'))).error.code).toBe('invalid_request');
  });
});

describe('cursors', () => {
  const page = async (path: string) => (await program.get(path, key)).body.meta.next_cursor as string;

  it('are refused if forged, truncated, or of another list or filter', async () => {
    const cursor = await page('/v2/directory/x?limit=2&sort=handle');
    const bytes = Buffer.from(cursor, 'base64url');
    const flipped = Buffer.from(bytes);
    flipped[bytes.length - 40] = (flipped[bytes.length - 40] as number) ^ 1;
    const bad = [
      'nonsense',
      '%20',
      cursor.slice(0, -1),
      `${cursor}A`,
      bytes.subarray(0, 20).toString('base64url'),
      flipped.toString('base64url'),
      Buffer.from('["x"]').toString('base64url'),
      'A'.repeat(2_000),
    ];
    for (const forged of bad) {
      expect(await codeOf(`/v2/directory/x?limit=2&sort=handle&cursor=${forged}`), forged).toEqual([
        400,
        'cursor_invalid',
      ]);
    }
    for (const path of [
      '/v2/directory/x?limit=2',
      '/v2/directory/telegram?sort=handle',
      '/v2/directory?sort=handle',
      '/v2/directory/x?sort=handle&verified=true',
      '/v2/directory/changes?limit=2',
    ]) {
      const join = path.includes('?') ? '&' : '?';
      expect(await codeOf(`${path}${join}cursor=${cursor}`), path).toEqual([400, 'cursor_invalid']);
    }
  });

  it('resume with another limit, without changing the order', async () => {
    const cursor = await page('/v2/directory/x?limit=2&sort=handle');
    const { body } = await program.get(`/v2/directory/x?limit=100&sort=handle&cursor=${cursor}`, key);
    expect(body.data.map((e: { handle: string }) => e.handle)).toEqual(['cat', 'dan']);
  });
});

describe('keys', () => {
  it('are checked before anything else', async () => {
    expect(await codeOf('/v2/accounts/x/nasa', {})).toEqual([401, 'key_missing']);
    const typo = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    const queries: number[] = [];
    const { find } = program.services.keys;
    (program.services.keys as { find: typeof find }).find = (hash) => {
      queries.push(1);
      return find(hash);
    };
    for (const bad of [typo, 'slk_', 'Bearer', `${key} ${key}`, 'ü'.repeat(42)]) {
      const { status, body } = await program.get('/v2/directory?limit=0', bad);
      expect([status, body.error.code], bad).toEqual([401, 'key_invalid']);
    }
    expect(queries).toEqual([]);
    const { createKey } = await import('../../src/write/holders/api-key.ts');
    expect(await codeOf('/v2/directory', { key: createKey() })).toEqual([401, 'key_invalid']);
    const post = await program.post('/v2/accounts/check', '{', typo);
    expect(post.status).toBe(401);
  });

  it('may only do what their scopes allow', async () => {
    const narrow = await program.issueKey(['accounts:read']);
    expect((await program.get('/v2/accounts/x/ann', narrow)).status).toBe(200);
    const { status, body } = await program.get('/v2/directory', narrow);
    expect([status, body.error.code]).toEqual([403, 'scope_missing']);
    expect(body.error.details).toEqual([{ path: 'scope', message: 'directory:read' }]);
    const root = await program.get('/v2', narrow);
    expect(root.body.data.scopes).toEqual(['accounts:read']);
    const allowed = root.body.data.endpoints.filter((e: { allowed: boolean }) => e.allowed);
    expect(allowed.map((e: { operation: string }) => e.operation).sort()).toEqual([
      'checkAccount',
      'checkAccounts',
      'listPlatforms',
      'resolveAccount',
    ]);
    expect(
      root.body.data.endpoints.find((e: { operation: string }) => e.operation === 'listDirectory').reason,
    ).toBe('scope_missing');
  });

  it('stop working within a second of revocation, in every process', async () => {
    const doomed = await program.issueKey();
    expect((await program.get('/v2/directory', doomed)).status).toBe(200);
    const keyId = `key_${doomed.slice(4, 16)}`;
    const { uuidV7 } = await import('../../src/kernel/ids.ts');
    const at = new Date().toISOString();
    await program.log.append(
      'holder-tester',
      [{ id: uuidV7(Date.now()), type: 'KeyRevoked', data: { at, key_id: keyId } }],
      'any',
    );
    const { holders } = await import('../../src/projections/views/holders/projection.ts');
    const { openWriter } = await import('../../src/projections/writer.ts');
    // Another process folds the revocation; this one only looks, four times a second.
    const writer = await openWriter(program.database.db, holders, program.builds.schema('holders'));
    for await (const filled of program.log.readAll(writer.position(), { streamPrefixes: ['holder-'] }))
      await writer.write(filled);
    const deadline = Date.now() + 1_000;
    let last = await program.get('/v2/directory', doomed);
    while (last.status === 200 && Date.now() < deadline) last = await program.get('/v2/directory', doomed);
    expect([last.status, last.body.error.code]).toEqual([401, 'key_revoked']);
  });
});
