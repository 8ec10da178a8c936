import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';

const AT = new Date(Date.now() - 3_600_000).toISOString();
const ORIGIN = 'https://app.example';

let program: TestProgram;
let key: string;

beforeAll(async () => {
  program = await createTestProgram({ corsOrigins: [ORIGIN] });
  key = await program.issueKey();
  for (let n = 0; n < 30; n++)
    await program.append('x', `user${n}`, sighted(`user${n}`, AT, { id: `${100 + n}` }));
  await program.project();
});
afterAll(() => program.close());

const get = (url: string, headers: Record<string, string>) =>
  program.app.inject({ url, headers: { authorization: `Bearer ${key}`, ...headers } });

describe('compression', () => {
  it.for([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ] as const)('an answer is sent as %s to a caller that accepts it', async ([encoding, decompress]) => {
    const response = await get('/v2/directory', { 'accept-encoding': encoding });
    expect(response.headers['content-encoding']).toBe(encoding);
    expect(String(response.headers.vary).toLowerCase()).toContain('accept-encoding');
    const { data } = JSON.parse(decompress(response.rawPayload).toString());
    expect(data).toHaveLength(25);
  });

  it('an answer is plain if nothing else is accepted, or if it is small', async () => {
    expect((await get('/v2/directory', {})).headers['content-encoding']).toBeUndefined();
    const small = await get('/v2/directory?limit=1&q=zzz', { 'accept-encoding': 'br' });
    expect(small.headers['content-encoding']).toBeUndefined();
  });

  it('a compressed body is refused, since it could have any size', async () => {
    const response = await program.app.inject({
      method: 'POST',
      url: '/v2/accounts/check',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      payload: Buffer.from('1f8b0800', 'hex'),
    });
    expect([response.statusCode, response.json().error.code]).toEqual([400, 'invalid_request']);
  });
});

describe('a page of another origin', () => {
  it('may call with a key where the operator allows it, and read all headers', async () => {
    const preflight = await program.app.inject({
      method: 'OPTIONS',
      url: '/v2/directory',
      headers: {
        origin: ORIGIN,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe(ORIGIN);
    expect(preflight.headers['access-control-allow-headers']).toContain('authorization');
    const answer = await get('/v2/directory', { origin: ORIGIN });
    expect(answer.headers['access-control-allow-origin']).toBe(ORIGIN);
    const exposed = String(answer.headers['access-control-expose-headers']).split(/, ?/);
    const own = Object.keys(answer.headers).filter((name) => /^(?:ratelimit|x-|etag|retry-after)/.test(name));
    expect(own.length).toBeGreaterThan(8);
    expect(exposed).toEqual(expect.arrayContaining([...own, 'retry-after', 'link']));
  });

  it('reads errors as well, even without a key', async () => {
    const missing = await program.app.inject({ url: '/v2/directory', headers: { origin: ORIGIN } });
    expect([missing.statusCode, missing.headers['access-control-allow-origin']]).toEqual([401, ORIGIN]);
    const nowhere = await get('/v2/nowhere', { origin: ORIGIN });
    expect([nowhere.statusCode, nowhere.headers['access-control-allow-origin']]).toEqual([404, ORIGIN]);
  });

  it('may not call where the operator does not allow it', async () => {
    const answer = await get('/v2/directory', { origin: 'https://evil.example' });
    expect(answer.headers['access-control-allow-origin']).not.toBe('https://evil.example');
  });
});

describe('the API guide', () => {
  it('is a page whose links reach its sections, linked from the description', {
    tags: 'long',
  }, async () => {
    const { body, statusCode, headers } = await program.app.inject({ url: '/docs/guide' });
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const anchors = [...body.matchAll(/href="#([^"]+)"/g)].map(([, anchor]) => anchor);
    expect(anchors.length).toBeGreaterThan(8);
    for (const anchor of anchors) expect(body, anchor).toContain(`id="${anchor}"`);
    const description = await program.app.inject({ url: '/v2/openapi.json' });
    expect(description.json().info.description).toContain('/docs/guide');
  });
});
