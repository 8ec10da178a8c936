import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveDocument } from '../../../src/api/plugins/documents.ts';
import { createRateLimit } from '../../../src/api/plugins/throttle.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

let program: TestProgram;

beforeAll(async () => {
  program = await createTestProgram();
});
afterAll(() => program.close());

/** What is asked for here is more than an address is sent in a second: whoever waits is sent it. */
const get = (url: string, headers: Record<string, string> = {}) =>
  until('it is sent', async () => {
    const response = await program.app.inject({ url, headers });
    return response.statusCode === 429 ? null : response;
  });

describe.each(['/v2/openapi.json', '/docs/', '/docs/js/scalar.js', '/docs/guide'])('%s', (url) => {
  it('has the same bytes each time with a strong ETag, and is not sent again to a caller that has it', async () => {
    const first = await get(url);
    expect(first.statusCode).toBe(200);
    const tag = String(first.headers.etag);
    expect(tag).toMatch(/^"[^"]+"$/);
    expect(first.headers.vary).toBe('Accept-Encoding');
    const again = await get(url);
    expect([again.headers.etag, again.rawPayload.equals(first.rawPayload)]).toEqual([tag, true]);
    for (const known of [tag, `"other", ${tag}`, `W/${tag}`, '*']) {
      const kept = await get(url, { 'if-none-match': known });
      expect([kept.statusCode, kept.body, kept.headers.etag]).toEqual([304, '', tag]);
    }
    expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('is compressed where accepted, each encoding with its own ETag', async () => {
    const plain = await get(url, { 'accept-encoding': 'identity' });
    const brotli = await get(url, { 'accept-encoding': 'gzip, deflate, br' });
    const gzip = await get(url, { 'accept-encoding': 'br;q=0, gzip;q=0.5' });
    expect([brotli, gzip, plain].map(({ headers }) => headers['content-encoding'])).toEqual([
      'br',
      'gzip',
      undefined,
    ]);
    expect(brotliDecompressSync(brotli.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
    expect(new Set([brotli, gzip, plain].map(({ headers }) => headers.etag)).size).toBe(3);
    const stale = await get(url, { 'accept-encoding': 'br', 'if-none-match': String(plain.headers.etag) });
    expect(stale.statusCode).toBe(200);
  });
});

it('the reference is found without its trailing slash, under any host name', async () => {
  const bare = await get('/docs?x=1', { host: '%%' });
  expect([bare.statusCode, bare.headers.location]).toEqual([301, '/docs/']);
});

it('an address is sent a limited number of bytes a second, without affecting others', async () => {
  const app = fastify({ trustProxy: true }) as unknown as FastifyInstance;
  let now = 0;
  const limit = createRateLimit(250, () => now);
  app.get('/d', serveDocument('x'.repeat(100), 'text/plain', limit));
  app.setErrorHandler((error, _request, reply) => reply.code(429).send((error as { code: string }).code));
  const by = async (address: string) =>
    (await app.inject({ url: '/d', headers: { 'x-forwarded-for': address } })).statusCode;
  expect([await by('192.0.2.1'), await by('192.0.2.1'), await by('192.0.2.1')]).toEqual([200, 200, 429]);
  expect(await by('192.0.2.2')).toBe(200);
  // One customer of IPv6 has a whole network.
  expect([await by('2001:db8::1'), await by('2001:db8::2'), await by('2001:db8::3')]).toEqual([
    200, 200, 429,
  ]);
  expect(await by('2001:db8:0:1::1')).toBe(200);
  now = 1_000;
  expect(await by('192.0.2.1')).toBe(200);
});
