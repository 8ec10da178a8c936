import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSessions, type Sessions } from '../../../infra/simulator/sessions.ts';
import { FetchError, type HttpRequest, type Page } from '../../../src/crawlers/http/port.ts';
import type { RateLimitedHttp } from '../../../src/crawlers/http/rate-limited-http.ts';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import {
  createSessionPool,
  statedLimitOf,
  withSessions,
} from '../../../src/crawlers/sessions/session-pool.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createKeyring, insertSession } from '../../../src/write/secrets.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { guestOf } from '../../support/sessions.ts';

const KEY = randomBytes(32).toString('base64');
const keyring = createKeyring([KEY]);

let database: TestDatabase;
let platform: Sessions;
/** How far the platform's clock was moved. */
let offsetMs: number;
/** Requests that reached the platform, by session. */
let sent: { readonly session: string; readonly operation: string; readonly status: number }[];

beforeEach(async () => {
  database = await createTestDatabase(2);
  platform = createSessions();
  sent = [];
  offsetMs = 0;
});
afterEach(() => database.drop());

const answer = (request: HttpRequest): Page => {
  const { pathname: path, host, searchParams: query } = new URL(request.url);
  const headers = request.headers ?? {};
  const asked = { method: 'GET' as const, host, path, query, headers, body: '', at: Date.now() + offsetMs };
  const admitted = platform.admit(asked);
  const status = admitted?.refusal?.status ?? 200;
  sent.push({
    session: headers['x-guest-token'] ?? '',
    operation: path.split('/').at(-1) ?? '',
    status,
  });
  return {
    url: request.url,
    status,
    headers: admitted?.headers ?? {},
    body: admitted?.refusal?.body.map(String).join('') ?? '{"data":{}}',
    bytes: 1,
  };
};

/** The HTTP of one process. */
const createProcess = (more: Partial<Parameters<typeof createSessionPool>[0]> = {}): RateLimitedHttp =>
  withSessions(
    {
      fetch: async (request, options) => {
        await new Promise((resolve) => setTimeout(resolve, 2));
        options?.onRequest?.();
        return answer(request);
      },
    } as RateLimitedHttp,
    createSessionPool({
      db: database.db,
      keyring,
      adapterOf,
      logger: silentLogger,
      clock: systemClock,
      ...more,
    }),
  );

const add = (name: string, proxy: string | null = null): Promise<string | null> =>
  insertSession(database.db, keyring, { platform: 'x', label: name, proxy }, guestOf(name));

const request = (operation: string, id?: string): HttpRequest => ({
  platform: 'x',
  url: `https://api.x.com/graphql/q/${operation}`,
  session: { operation, ...(id === undefined ? {} : { id }) },
});

const reasonOf = (error: unknown): string => (error instanceof FetchError ? error.reason : String(error));

const sentBy = (name: string) => sent.filter(({ session }) => session === name);

describe('three sessions, four processes, and a limit by operation', () => {
  it('send nearly everything allowed, and nothing more', async () => {
    for (const name of ['one', 'two', 'three']) {
      platform.set(name, { limits: { UserTweets: 50, Followers: 20 }, windowS: 900 });
      await add(name);
    }
    const processes = Array.from({ length: 4 }, () => createProcess());
    const outcomes = await Promise.all(
      processes.flatMap((http) =>
        Array.from({ length: 6 }, async () => {
          const seen: string[] = [];
          for (let i = 0; i < 14; i++) {
            const operation = i % 3 === 0 ? 'Followers' : 'UserTweets';
            seen.push(await http.fetch(request(operation)).then(() => 'sent', reasonOf));
          }
          return seen;
        }),
      ),
    );
    expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
    expect(sent.filter(({ operation }) => operation === 'UserTweets').length).toBeGreaterThanOrEqual(143);
    expect(sent.filter(({ operation }) => operation === 'Followers').length).toBeGreaterThanOrEqual(57);
    expect(new Set(outcomes.flat())).toEqual(new Set(['sent', 'session_limited']));
  });

  it('retire the one that is locked after two rejections, and use the others', async () => {
    for (const name of ['one', 'two', 'three']) {
      platform.set(name, { limit: 1_000, windowS: 900 });
      await add(name);
    }
    const processes = Array.from({ length: 4 }, () => createProcess());
    for (let i = 0; i < 9; i++) await processes[i % 4]?.fetch(request('UserTweets'));
    platform.set('two', { state: 'locked' });
    // In time the first rejection's rest is over.
    for (let i = 0; i < 40; i++) {
      await processes[i % 4]?.fetch(request('UserTweets')).catch(() => undefined);
      await database.db.query('update crawl.session_states set resting_until = clock_timestamp()');
    }
    expect(sentBy('two').filter(({ status }) => status === 403)).toHaveLength(2);
    expect(sent.at(-1)).toMatchObject({ status: 200 });
    const { rows } = await database.db.query(
      'select reason from crawl.session_states where retired_at is not null',
    );
    expect(rows).toEqual([{ reason: 'HTTP 403' }]);
  });

  it('rest after one rejection, and are used again if it was a mistake', async () => {
    await add('one');
    const http = createProcess();
    platform.set('one', { state: 'expired' });
    expect(await http.fetch(request('UserTweets')).catch(reasonOf)).toBe('session_unusable');
    platform.set('one', { state: 'ok' });
    expect(await http.fetch(request('UserTweets')).catch(reasonOf)).toBe('session_limited');
    expect(sentBy('one')).toHaveLength(1);
    await database.db.query('update crawl.session_states set resting_until = clock_timestamp()');
    expect(await http.fetch(request('UserTweets'))).toMatchObject({ status: 200 });
    platform.set('one', { state: 'expired' });
    expect(await http.fetch(request('UserTweets')).catch(reasonOf)).toBe('session_unusable');
    const { rows } = await database.db.query('select rejections, retired_at from crawl.session_states');
    expect(rows).toEqual([{ rejections: 1, retired_at: null }]);
  });
});

describe('a session that was rejected', () => {
  it('is replaced by another one for the same request', async () => {
    await add('one');
    await add('two');
    const http = createProcess();
    platform.set('one', { state: 'expired' });
    for (let i = 0; i < 3; i++)
      expect(await http.fetch(request('UserTweets'))).toMatchObject({ status: 200 });
    expect(sentBy('one')).toHaveLength(1);
    expect(sentBy('two')).toHaveLength(3);
  });

  it('rests although earlier requests are still answered', async () => {
    const pool = createSessionPool({
      db: database.db,
      keyring,
      adapterOf,
      logger: silentLogger,
      clock: systemClock,
    });
    await add('one');
    const grants = await Promise.all([0, 1].map(() => pool.grant('x', 'UserTweets', 'live')));
    const [first, second] = grants.map((grant) => {
      if ('refused' in grant) throw new Error(grant.refused);
      return grant;
    });
    const page = { url: '', headers: {}, body: '{"data":{}}', bytes: 1 };
    expect(await first?.answered({ ...page, status: 401 })).toBe(false);
    expect(await second?.answered({ ...page, status: 200 })).toBe(true);
    const { rows } = await database.db.query(
      'select rejections, resting_until > clock_timestamp() as rests from crawl.session_states',
    );
    expect(rows).toEqual([{ rejections: 1, rests: true }]);
  });
});

describe('a session', () => {
  it('sends as many requests of a new operation as were answered, until its limit is stated', async () => {
    platform.set('one', { limits: { Followers: 3 }, windowS: 900 });
    await add('one');
    const processes = Array.from({ length: 4 }, () => createProcess());
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (processes[i % 4] as RateLimitedHttp).fetch(request('Followers')).then(() => 'sent', reasonOf),
      ),
    );
    expect(sent).toHaveLength(3);
    expect(sent.every(({ status }) => status === 200)).toBe(true);
    expect(outcomes.filter((one) => one === 'sent')).toHaveLength(3);
  });

  it('counts what others send with it', async () => {
    platform.set('one', { limits: { Followers: 10 }, windowS: 900 });
    await add('one');
    const http = createProcess();
    await http.fetch(request('Followers'));
    for (let i = 0; i < 8; i++) answer({ ...request('Followers'), headers: { 'x-guest-token': 'one' } });
    await http.fetch(request('Followers'));
    expect(await http.fetch(request('Followers')).catch(reasonOf)).toBe('session_limited');
    expect(sentBy('one').every(({ status }) => status === 200)).toBe(true);
  });

  it('has requests again once its window ends', async () => {
    platform.set('one', { limits: { Followers: 1 }, windowS: 900 });
    await add('one');
    const http = createProcess();
    await http.fetch(request('Followers'));
    const failure = await http.fetch(request('Followers')).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'session_limited' });
    expect((failure as FetchError).retryAfterMs).toBeGreaterThan(800_000);
    await database.db.query('update crawl.session_limits set resets_at = clock_timestamp()');
    platform.clear('one');
    expect(await http.fetch(request('Followers'))).toMatchObject({ status: 200 });
  });

  it('rests for the operation that got a 429, and no other', async () => {
    platform.set('one', { limits: { Followers: 0 }, windowS: 900 });
    await add('one');
    const http = createProcess();
    expect(await http.fetch(request('Followers'))).toMatchObject({ status: 429 });
    expect(await http.fetch(request('Followers')).catch(reasonOf)).toBe('session_limited');
    expect(await http.fetch(request('Following'))).toMatchObject({ status: 200 });
    expect(sent).toHaveLength(2);
  });

  it('is requested by the one that read the previous page, and replaced once it is gone', async () => {
    const ids = [await add('one'), await add('two')] as string[];
    const http = createProcess();
    for (let i = 0; i < 4; i++) {
      expect(await http.fetch(request('Followers', ids[1]))).toMatchObject({ session: ids[1] });
    }
    expect(sentBy('two')).toHaveLength(4);
    await database.db.query('delete from secrets.sessions where id = $1', [ids[1]]);
    expect(await createProcess().fetch(request('Followers', ids[1]))).toMatchObject({ session: ids[0] });
  });

  it('is bound to its proxy', async () => {
    await add('one', 'eu1');
    const asked: HttpRequest[] = [];
    const http = withSessions(
      {
        fetch: async (each: HttpRequest) => {
          asked.push(each);
          return answer(each);
        },
      } as RateLimitedHttp,
      createSessionPool({ db: database.db, keyring, adapterOf, logger: silentLogger, clock: systemClock }),
    );
    await http.fetch(request('Followers'));
    expect(asked).toMatchObject([{ proxy: 'eu1' }]);
  });

  it('gets an unsent request back', async () => {
    platform.set('one', { limits: { Followers: 2 }, windowS: 900 });
    await add('one');
    let isPaused = false;
    const http = withSessions(
      {
        fetch: async (each: HttpRequest, options) => {
          if (isPaused) throw new FetchError('paused', 'paused');
          options?.onRequest?.();
          return answer(each);
        },
      } as RateLimitedHttp,
      createSessionPool({ db: database.db, keyring, adapterOf, logger: silentLogger, clock: systemClock }),
    );
    await http.fetch(request('Followers'));
    isPaused = true;
    for (let i = 0; i < 5; i++) expect(await http.fetch(request('Followers')).catch(reasonOf)).toBe('paused');
    isPaused = false;
    expect(await http.fetch(request('Followers'))).toMatchObject({ status: 200 });
  });

  it('leaves live reads a share of its window, which passes to the crawl towards the end', async () => {
    platform.set('one', { limits: { Followers: 40 }, windowS: 900 });
    await add('one');
    const clock = { now: () => Date.now() + offsetMs };
    const http = createProcess({ liveShare: 0.5, clock });
    const sendAll = async (trafficClass: 'crawl' | 'live') => {
      for (let n = 0; ; n++) {
        const reason = await http.fetch(request('Followers'), { trafficClass }).catch(reasonOf);
        if (reason === 'session_limited') return n;
      }
    };
    expect(await sendAll('crawl')).toBeGreaterThanOrEqual(20);
    expect(sent.length).toBeLessThanOrEqual(21);
    expect(await http.fetch(request('Followers'), { trafficClass: 'live' })).toMatchObject({ status: 200 });
    // Half of the window is over.
    offsetMs = 450_000;
    await database.db.query(
      `update crawl.session_limits set resets_at = clock_timestamp() + interval '450 s'`,
    );
    const later = await sendAll('crawl');
    expect(later).toBeGreaterThanOrEqual(7);
    expect(later).toBeLessThanOrEqual(10);
    const before = sent.length;
    expect(await sendAll('live')).toBe(40 - before);
  });

  it('leaves a part of its window to the next holder, however much one asks for', async () => {
    platform.set('one', { limits: { Followers: 15 }, windowS: 900 });
    await add('one');
    const clock = { now: () => Date.now() + offsetMs };
    const processes = [createProcess({ clock }), createProcess({ clock })];
    const sendAll = async (holder: string) => {
      for (let n = 0; ; n++) {
        const asked = processes[n % 2]?.fetch(request('Followers'), { trafficClass: 'live', holder });
        const refused = await asked?.then(
          () => null,
          (error: unknown) => error,
        );
        if (refused === null) continue;
        expect(refused).toMatchObject({ reason: 'session_limited' });
        return { n, waitMs: (refused as FetchError).retryAfterMs as number };
      }
    };
    const greedy = await sendAll('greedy');
    expect(greedy.n).toBe(8);
    // It is told when it has more: before the window is over, of which nobody else has used anything.
    expect(greedy.waitMs).toBeGreaterThan(0);
    expect(greedy.waitMs).toBeLessThan(300_000);
    expect((await sendAll('second')).n).toBe(4);
    expect((await sendAll('third')).n).toBe(2);
    expect((await sendAll('fourth')).n).toBe(1);
    expect((await sendAll('fifth')).n).toBe(0);
    expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
    // The next window is shared again.
    offsetMs = 900_000;
    await database.db.query('update crawl.session_limits set resets_at = clock_timestamp()');
    expect((await sendAll('fifth')).n).toBe(8);
  });

  it('gives one holder what nobody else has used by the end of its window', async () => {
    platform.set('one', { limits: { Followers: 15 }, windowS: 900 });
    await add('one');
    const clock = { now: () => Date.now() + offsetMs };
    const http = createProcess({ clock });
    const sendAll = async () => {
      for (let n = 0; ; n++) {
        const options = { trafficClass: 'live', holder: 'alone' } as const;
        if ((await http.fetch(request('Followers'), options).then(() => '', reasonOf)) !== '') return n;
      }
    };
    const passed = async (ms: number) => {
      offsetMs = ms;
      await database.db.query(
        `update crawl.session_limits set resets_at = clock_timestamp() + $1 * interval '1 ms'`,
        [900_000 - ms],
      );
    };
    expect(await sendAll()).toBe(8);
    await passed(450_000);
    // Of an eleventh, half would be more than the five that are left.
    expect(await sendAll()).toBe(2);
    await passed(890_000);
    expect(await sendAll()).toBe(5);
    expect(sent.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('rests if its proxy fails, and another one sends the request', async () => {
    platform.set('one', { limits: { Followers: 10 }, windowS: 900 });
    const ids = [await add('one', 'eu1'), await add('two')];
    const http = withSessions(
      {
        fetch: async (each: HttpRequest, options) => {
          options?.onRequest?.();
          if (each.proxy !== undefined)
            throw new FetchError('proxy_failed', 'down', { retryAfterMs: 30_000 });
          return answer(each);
        },
      } as RateLimitedHttp,
      createSessionPool({ db: database.db, keyring, adapterOf, logger: silentLogger, clock: systemClock }),
    );
    for (let i = 0; i < 6; i++) {
      expect(await http.fetch(request('Followers'))).toMatchObject({ session: ids[1] });
    }
    const { rows } = await database.db.query('select used from crawl.session_limits where session = $1', [
      ids[0],
    ]);
    expect(rows).toEqual([{ used: 0 }]);
  });

  it('does not count an unsent request towards its holder’s share', async () => {
    platform.set('one', { limits: { Followers: 15 }, windowS: 900 });
    await add('one');
    let isAway = false;
    const http = withSessions(
      {
        fetch: async (each: HttpRequest, options) => {
          if (isAway) throw new FetchError('paused', 'paused');
          options?.onRequest?.();
          return answer(each);
        },
      } as RateLimitedHttp,
      createSessionPool({ db: database.db, keyring, adapterOf, logger: silentLogger, clock: systemClock }),
    );
    const send = () =>
      http.fetch(request('Followers'), { trafficClass: 'live', holder: 'a' }).then(() => 'sent', reasonOf);
    await send();
    isAway = true;
    for (let i = 0; i < 20; i++) expect(await send()).toBe('paused');
    const { rows } = await database.db.query('select used, holders from crawl.session_limits');
    expect(rows).toEqual([{ used: 1, holders: { a: 1 } }]);
  });

  it('from the environment works like the others, and is not stored', async () => {
    const environment = [{ platform: 'x' as const, credentials: guestOf('environment-secret') }];
    const http = createProcess({ keyring: null, environment });
    expect(await http.fetch(request('Followers'))).toMatchObject({ status: 200 });
    const { rows } = await database.db.query(
      'select l::text as row from crawl.session_limits l union all select s::text from crawl.session_states s',
    );
    expect(JSON.stringify(rows)).toContain('env_');
    expect(JSON.stringify(rows)).not.toContain('environment-secret');
  });
});

describe('without a usable session', () => {
  it('nothing is sent, and the failure says whether none is configured or none can be used', async () => {
    expect(await createProcess().fetch(request('Followers')).catch(reasonOf)).toBe('no_session');
    await add('one');
    const other = createKeyring([randomBytes(32).toString('base64')]);
    expect(await createProcess({ keyring: other }).fetch(request('Followers')).catch(reasonOf)).toBe(
      'session_unusable',
    );
    expect(await createProcess({ keyring: null }).fetch(request('Followers')).catch(reasonOf)).toBe(
      'session_unusable',
    );
    await database.db.query(
      'insert into crawl.session_states (session, retired_at) select id, now() from secrets.sessions',
    );
    const failure = await createProcess()
      .fetch(request('Followers'))
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({
      reason: 'session_unusable',
      message: expect.stringContaining('are retired'),
    });
    expect(sent).toEqual([]);
  });
});

it('limits are read from an answer’s headers', () => {
  const headers = {
    'x-rate-limit-limit': '50',
    'x-rate-limit-remaining': '49',
    'x-rate-limit-reset': '1000',
  };
  expect(statedLimitOf({ headers }, 990_000)).toEqual({ capacity: 50, remaining: 49, resetsInMs: 10_000 });
  expect(statedLimitOf({ headers: { 'x-rate-limit-limit': '-1' } }, 0)).toEqual({
    capacity: null,
    remaining: null,
    resetsInMs: null,
  });
});
