import { afterAll, beforeAll, expect, it } from 'vitest';
import { countLiveTraffic, createLiveTraffic } from '../../../src/crawlers/engine/live-traffic.ts';
import { createSessionRests } from '../../../src/crawlers/engine/session-rests.ts';
import type { Http, HttpRequest } from '../../../src/crawlers/http/port.ts';
import { FetchError } from '../../../src/crawlers/http/port.ts';
import { createX } from '../../../src/crawlers/platforms/x/index.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const AT = Date.UTC(2026, 9, 1);
const SESSION = { bearerToken: 'a secret of the operator', guestToken: 'g' };

/** Another process with the same session: an adapter of its own, which shares nothing but the database. */
const process = (respond: (request: HttpRequest) => Promise<never>, settings = SESSION, nowMs = AT) => {
  const asked: string[] = [];
  const x = createX(settings, { now: () => nowMs }, createSessionRests(database.db, silentLogger));
  const http: Http = {
    fetch: (request) => {
      asked.push(request.url);
      return respond(request);
    },
    close: async () => undefined,
  };
  const followers = () => x.readFollows?.('1', 'followers', { http, cursor: null });
  return { asked, followers };
};

const limited = async (): Promise<never> => {
  throw new FetchError('rate_limited', 'HTTP 429', { retryAfterMs: 60_000 });
};

it('an operation that a platform limits is requested by no process with the session until it is allowed again', async () => {
  const first = process(limited);
  expect(await first.followers()).toMatchObject({ status: 'unknown', reason: 'rate_limited' });
  const second = process(limited);
  expect(await second.followers()).toMatchObject({
    status: 'unknown',
    detail: 'The session has used up its requests until 2026-10-01T00:01:00.000Z',
  });
  expect(second.asked).toEqual([]);
  const later = process(limited, SESSION, AT + 61_000);
  await later.followers();
  expect(later.asked).toHaveLength(1);
  const other = process(limited, { ...SESSION, guestToken: 'another' });
  await other.followers();
  expect(other.asked).toHaveLength(1);
});

it('a rest is never shortened, and the session is stored as a digest', async () => {
  const rests = createSessionRests(database.db, silentLogger);
  await rests.rest('s', 'Followers', AT + 1_000);
  await rests.rest('s', 'Followers', AT);
  expect(await rests.until('s', 'Followers')).toBe(AT + 1_000);
  expect(await rests.until('s', 'Following')).toBeNull();
  const { rows } = await database.db.query('select session from crawl.session_rests');
  expect(JSON.stringify(rows)).not.toContain(SESSION.bearerToken);
});

it('live reads of every process are counted once, by the engine that reports first', async () => {
  const traffic = createLiveTraffic(database.db);
  const api = (requests: number) => {
    let left = requests;
    return countLiveTraffic(
      {
        takeTraffic: (platform, trafficClass) => {
          const taken = platform === 'x' && trafficClass === 'live' ? left : 0;
          left -= taken;
          return { requests: taken, bytes: taken * 100 };
        },
      },
      traffic,
      silentLogger,
    );
  };
  await Promise.all([api(3).stop(), api(4).stop()]);
  const taken = await Promise.all([traffic.take('x'), traffic.take('x'), traffic.take('tiktok')]);
  expect(taken.map(({ requests }) => requests).toSorted()).toEqual([0, 0, 7]);
  expect(await traffic.take('x')).toEqual({ requests: 0, bytes: 0 });
});
