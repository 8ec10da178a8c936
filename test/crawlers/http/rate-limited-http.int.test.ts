import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FetchError } from '../../../src/crawlers/http/port.ts';
import {
  createRateLimitedHttp,
  type RateLimitedHttp,
  type Tokens,
} from '../../../src/crawlers/http/rate-limited-http.ts';
import { type Loopback, liveHttp, startLoopback } from './loopback.ts';

let platform: Loopback;
let taken: number;
let left: number;
let http: RateLimitedHttp;

/** Tokens that are counted, and that run out with the pause of a platform. */
const tokens: Tokens = {
  take: async () => {
    if (left <= 0) throw new FetchError('paused', 'paused', { retryAfterMs: 5_000 });
    left -= 1;
    taken += 1;
  },
  open: async () => undefined,
  openForMs: async () => 0,
};

beforeEach(async () => {
  platform = await startLoopback();
  taken = 0;
  left = 1_000;
  http = createRateLimitedHttp(
    liveHttp({ simulatorUrl: platform.url, limits: { retries: 2 } }).http,
    tokens,
    4,
  );
});
afterEach(async () => {
  await http.close();
  await platform.close();
});

const read = (path: string) => http.fetch({ platform: 'x', url: `https://x.com/${path}` });

describe('every outgoing request', () => {
  it('takes a token, even a retry after a failure of the platform', async () => {
    platform.handle((_, response) => response.writeHead(503).end());
    await Promise.all(Array.from({ length: 10 }, (_, i) => read(`a${i}`)));
    expect(platform.requests()).toHaveLength(30);
    expect(taken).toBe(30);
    expect(http.takeTraffic('x', 'live')).toMatchObject({ requests: 0 });
    expect(http.takeTraffic('x', 'crawl')).toMatchObject({ requests: 30 });
  });

  it('takes a token, even a retry after a broken connection', async () => {
    platform.handle((request) => request.socket.destroy());
    const failure = await read('a').catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'http_error' });
    expect(platform.requests()).toHaveLength(3);
    expect(taken).toBe(3);
  });

  it('takes a token, even a redirect', async () => {
    platform.handle((request, response) => {
      const n = Number(/\/hop(\d+)/.exec(request.url ?? '')?.[1] ?? 0);
      response.writeHead(302, { location: `https://www.x.com/hop${n + 1}` }).end();
    });
    await Promise.all(Array.from({ length: 10 }, () => read('hop0')));
    expect(platform.requests()).toHaveLength(60);
    expect(taken).toBe(60);
  });

  it('is not sent without a token, even in the middle of a fetch', async () => {
    left = 2;
    platform.handle((_, response) => response.writeHead(503).end());
    const failure = await read('a').catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'paused', retryAfterMs: 5_000 });
    expect(platform.requests()).toHaveLength(2);
  });
});
