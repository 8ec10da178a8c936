import zlib from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { HttpClientOptions } from '../../../src/crawlers/http/http-client.ts';
import { FetchError, type HttpRequest } from '../../../src/crawlers/http/port.ts';
import { type Loopback, liveHttp, startLoopback } from './loopback.ts';

let platform: Loopback;
const open: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  platform = await startLoopback();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
  await platform.close();
});

const live = (options: Partial<HttpClientOptions> = {}) => {
  const made = liveHttp({ simulatorUrl: platform.url, ...options });
  open.push(made.http);
  return made;
};

const NASA: HttpRequest = { platform: 'x', url: 'https://x.com/nasa?a=1' };

const toServiceError = async (promise: Promise<unknown>): Promise<FetchError> => {
  const error = await promise.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(FetchError);
  return error as FetchError;
};

describe('the simulator’s address', () => {
  test('has the host as the first part of the path, and the page keeps its logical address', async () => {
    const page = await live().http.fetch(NASA);
    expect(platform.requests()[0]?.url).toBe('/x.com/nasa?a=1');
    expect(page).toMatchObject({ url: 'https://x.com/nasa?a=1', status: 200, body: 'ok', bytes: 2 });
  });

  test('does not bypass the refusal of unlisted hosts', async () => {
    const failure = await toServiceError(live().http.fetch({ platform: 'x', url: 'https://evil.example/' }));
    expect(failure.reason).toBe('host_refused');
    expect(platform.connections()).toBe(0);
  });

  test('is requested with our user agent, whatever the request says', async () => {
    await live().http.fetch({ ...NASA, headers: { 'user-agent': 'Googlebot', 'x-ig-app-id': '1' } });
    expect(platform.requests()[0]?.headers).toMatchObject({
      'user-agent': 'Sightline/0.1 (+https://example.org/contact)',
      'x-ig-app-id': '1',
    });
  });

  test('receives the body of a POST', async () => {
    platform.handle((request, response) => request.pipe(response));
    const page = await live().http.fetch({ ...NASA, method: 'POST', body: '{"a":1}' });
    expect(page.body).toBe('{"a":1}');
  });
});

describe('the memory of responses', () => {
  test('is freed between the responses of a connection without losing text', async () => {
    const texts = Array.from({ length: 40 }, (_, n) => `${n} `.repeat(200 + n * 1_500));
    platform.handle((request, response) => {
      const text = texts[Number(request.url?.split('/').at(-1))] as string;
      const zipped = text.length % 3 === 0;
      response.writeHead(200, zipped ? { 'content-encoding': 'gzip' } : {});
      response.end(zipped ? zlib.gzipSync(text) : text);
    });
    const { http } = live();
    for (const [n, text] of texts.entries()) {
      const page = await http.fetch({ platform: 'x', url: `https://x.com/${n}` });
      expect(page.body === text, `page ${n} is whole`).toBe(true);
    }
    const pages = await Promise.all(
      texts.map((_, n) => http.fetch({ platform: 'x', url: `https://x.com/${n}` })),
    );
    expect(pages.map(({ body }, n) => body === texts[n])).toEqual(texts.map(() => true));
  });
});

describe('redirects within the platform', () => {
  test('are followed to the last address', async () => {
    platform.handle((request, response) => {
      if (request.url === '/x.com/old')
        response.writeHead(301, { location: 'https://www.x.com/new?b=2' }).end();
      else response.end(request.url);
    });
    const page = await live().http.fetch({ platform: 'x', url: 'https://x.com/old' });
    expect(page).toMatchObject({ url: 'https://www.x.com/new?b=2', body: '/www.x.com/new?b=2' });
  });

  test('may be relative', async () => {
    platform.handle((request, response) => {
      if (request.url === '/x.com/old') response.writeHead(302, { location: '/new' }).end();
      else response.end(request.url);
    });
    expect((await live().http.fetch({ platform: 'x', url: 'https://x.com/old' })).url).toBe(
      'https://x.com/new',
    );
  });

  test('end after five, and the last one is returned', async () => {
    platform.handle((_, response, count) => response.writeHead(302, { location: `/hop${count}` }).end());
    const page = await live().http.fetch(NASA);
    expect(page).toMatchObject({ status: 302, url: 'https://x.com/hop5', headers: { location: '/hop6' } });
    expect(platform.requests()).toHaveLength(6);
  });

  test('take no credentials to another host', async () => {
    platform.handle((request, response) => {
      if (request.url?.startsWith('/x.com/'))
        response.writeHead(302, { location: 'https://api.x.com/' }).end();
      else response.end();
    });
    const headers = { authorization: 'Bearer secret', cookie: 'a=b', 'x-guest-token': '1', 'x-plain': '2' };
    await live().http.fetch({ ...NASA, headers });
    expect(platform.requests()[0]?.headers.authorization).toBe('Bearer secret');
    const second = platform.requests()[1]?.headers ?? {};
    expect(second).toMatchObject({ 'x-plain': '2' });
    expect(Object.keys(second)).not.toEqual(expect.arrayContaining(['authorization']));
    expect(second.cookie).toBeUndefined();
    expect(second['x-guest-token']).toBeUndefined();
  });
});

describe('bodies', () => {
  const TEXT = 'Sightline sieht. '.repeat(50);

  test.for([
    ['gzip', zlib.gzipSync],
    ['deflate', zlib.deflateSync],
    ['br', zlib.brotliCompressSync],
    ['zstd', zlib.zstdCompressSync],
  ] as const)('are decompressed from %s', async ([encoding, compress]) => {
    platform.handle((_, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(compress(TEXT)),
    );
    const page = await live().http.fetch(NASA);
    expect(page.body).toBe(TEXT);
    expect(page.bytes).toBe(TEXT.length);
  });

  test.for([
    ['gzip', zlib.gzipSync],
    ['br', zlib.brotliCompressSync],
  ] as const)('are abandoned at the limit for a %s bomb', async ([encoding, compress]) => {
    const bomb = compress(Buffer.alloc(64 * 1024 * 1024));
    platform.handle((_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(bomb));
    const before = process.memoryUsage().rss;
    const failure = await toServiceError(live({ limits: { maxBytes: 100_000 } }).http.fetch(NASA));
    expect(failure.reason).toBe('too_large');
    expect(process.memoryUsage().rss - before).toBeLessThan(48 * 1024 * 1024);
  });

  test('are abandoned while they arrive if they are too large', async () => {
    let sent = 0;
    platform.handle((_, response) => {
      const more = () => {
        while (sent < 50_000_000 && response.write(Buffer.alloc(65_536))) sent += 65_536;
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    });
    const failure = await toServiceError(live({ limits: { maxBytes: 100_000 } }).http.fetch(NASA));
    expect(failure.reason).toBe('too_large');
    expect(sent).toBeLessThan(20_000_000);
  });

  test('that are cut off are an error after the retries, even when compressed', async () => {
    platform.handle((_, response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('half');
      setImmediate(() => response.destroy());
    });
    const broken = live();
    expect((await toServiceError(broken.http.fetch(NASA))).reason).toBe('http_error');
    expect(platform.requests()).toHaveLength(3);
    const half = zlib.gzipSync(TEXT).subarray(0, 30);
    platform.handle((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(half));
    expect((await toServiceError(live().http.fetch(NASA))).reason).toBe('http_error');
  });

  test('of an unknown encoding are an error', async () => {
    platform.handle((_, response) => response.writeHead(200, { 'content-encoding': 'compress' }).end('x'));
    expect((await toServiceError(live({ limits: { retries: 0 } }).http.fetch(NASA))).reason).toBe(
      'http_error',
    );
  });

  test('are decoded with the charset of their header', async () => {
    const bytes = Buffer.from([0xcf, 0xf0, 0xe8]);
    platform.handle((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html; charset="windows-1251"' }).end(bytes),
    );
    expect((await live().http.fetch(NASA)).body).toBe('При');
  });
});

describe('time', () => {
  test('ends a request without an answer, which is not repeated', async () => {
    platform.handle(() => undefined);
    const failure = await toServiceError(live({ limits: { connectMs: 50, headersMs: 50 } }).http.fetch(NASA));
    expect(failure.reason).toBe('timeout');
    expect(platform.requests()).toHaveLength(1);
  });

  test('ends a body that drips steadily', async () => {
    platform.handle((_, response) => {
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    const failure = await toServiceError(live({ limits: { bodyMs: 200 } }).http.fetch(NASA));
    expect(failure.reason).toBe('timeout');
  });

  test('does not matter to a closed client, which fetches nothing', async () => {
    const { http } = live();
    await http.close();
    expect((await toServiceError(http.fetch(NASA))).reason).toBe('aborted');
  });
});

describe('retries', () => {
  test('repeat a 5xx twice, after growing random waits, and then return it', async () => {
    platform.handle((_, response) => response.writeHead(502).end('bad'));
    const { http, sleeps } = live();
    expect((await http.fetch(NASA)).status).toBe(502);
    expect(platform.requests()).toHaveLength(3);
    expect(sleeps).toHaveLength(2);
    expect(sleeps[0]).toBeLessThan(200);
    expect(sleeps[1]).toBeLessThan(400);
  });

  test('end with the first success', async () => {
    platform.handle((_, response, count) => response.writeHead(count === 1 ? 503 : 200).end());
    expect((await live().http.fetch(NASA)).status).toBe(200);
  });

  test('repeat a request after a reset connection', async () => {
    platform.handle((request, response, count) => {
      if (count < 3) request.socket.destroy();
      else response.end('there');
    });
    expect((await live().http.fetch(NASA)).body).toBe('there');
  });

  test('end in an error if the connection is refused', async () => {
    const gone = await startLoopback();
    await gone.close();
    const { http, sleeps } = live({ simulatorUrl: gone.url });
    expect((await toServiceError(http.fetch(NASA))).reason).toBe('http_error');
    expect(sleeps).toHaveLength(2);
  });

  test('never repeat a POST that was answered', async () => {
    platform.handle((_, response) => response.writeHead(500).end());
    await live().http.fetch({ ...NASA, method: 'POST', body: '{}' });
    expect(platform.requests()).toHaveLength(1);
  });

  test('never repeat what the client itself refused', async () => {
    platform.handle((_, response) => response.writeHead(999).end());
    expect((await live().http.fetch(NASA)).status).toBe(999);
    expect(platform.requests()).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  test('is waited for if it is short', async () => {
    platform.handle((_, response, count) => {
      if (count === 1) response.writeHead(429, { 'retry-after': '1' }).end();
      else response.end('there');
    });
    const { http, sleeps } = live();
    expect((await http.fetch(NASA)).body).toBe('there');
    expect(sleeps).toEqual([1000]);
  });

  test('may be a date', async () => {
    platform.handle((_, response, count) => {
      if (count === 1) response.writeHead(503, { 'retry-after': 'Thu, 01 Jan 2026 00:00:02 GMT' }).end();
      else response.end('there');
    });
    const { http, sleeps } = live();
    expect((await http.fetch(NASA)).body).toBe('there');
    expect(sleeps).toEqual([2000]);
  });

  test.for(['30', 'Thu, 01 Jan 2026 01:00:00 GMT'])('of %s is left to the caller', async (header) => {
    platform.handle((_, response) => response.writeHead(429, { 'retry-after': header }).end());
    const { http, sleeps } = live();
    const page = await http.fetch(NASA);
    expect(page.status).toBe(429);
    expect(page.headers['retry-after']).toBe(header);
    expect(sleeps).toEqual([]);
  });

  test('that is missing from a 429 leaves the wait to the caller', async () => {
    platform.handle((_, response) => response.writeHead(429).end());
    await live().http.fetch(NASA);
    expect(platform.requests()).toHaveLength(1);
  });
});
