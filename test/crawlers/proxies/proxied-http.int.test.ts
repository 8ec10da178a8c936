import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpClient } from '../../../src/crawlers/http/http-client.ts';
import { FetchError, type ProxyServer, type Transport } from '../../../src/crawlers/http/port.ts';
import type { Resolve } from '../../../src/crawlers/http/transport.ts';
import { createProxiedHttp, createProxyStates } from '../../../src/crawlers/proxies/proxied-http.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { CA, startPlatform, startProxy } from './tunnel.ts';

const PUBLIC = '93.184.216.34';

let database: TestDatabase;
let platform: Awaited<ReturnType<typeof startPlatform>>;
let first: Awaited<ReturnType<typeof startProxy>>;
let second: Awaited<ReturnType<typeof startProxy>>;
let status: number;
let hosts: (string | undefined)[];
const open: Transport[] = [];

beforeEach(async () => {
  database = await createTestDatabase(2);
  status = 200;
  hosts = [];
  platform = await startPlatform((request, response) => {
    hosts.push(request.headers.host);
    response.writeHead(status).end(`page ${request.url}`);
  });
  first = await startProxy(platform.port);
  second = await startProxy(platform.port);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((http) => http.close()));
  await Promise.all([first.close(), second.close(), platform.close()]);
  await database.drop();
});

const proxiesOf = (more: Partial<ProxyServer> = {}): ProxyServer[] => [
  { name: 'one', url: first.url, authorization: 'Basic b25lOnNlY3JldA==', platforms: ['x'], ca: CA, ...more },
  { name: 'two', url: second.url, authorization: null, platforms: ['x'], ca: CA, ...more },
];

const createHttp = (
  proxies: readonly ProxyServer[],
  resolve: Resolve = async () => [{ address: PUBLIC, family: 4 }],
  simulatorUrl: string | null = null,
): Transport => {
  const http = createProxiedHttp({
    http: createHttpClient({
      hostsOf: () => ['x.com', 'syndication.twitter.com'],
      userAgent: 'Sightline test',
      limits: { retries: 0, connectMs: 3_000 },
      clock: systemClock,
      random: seededRandom(1),
      resolve,
      proxies,
      simulatorUrl,
    }),
    proxies: simulatorUrl === null ? proxies : [],
    states: createProxyStates(database.db),
    logger: silentLogger,
  });
  open.push(http);
  return http;
};

const get = (http: Transport, path = '/nasa', more: object = {}) =>
  http.fetch({ platform: 'x', url: `https://x.com${path}`, ...more });

const reasonOf = (error: unknown): string => (error instanceof FetchError ? error.reason : String(error));

const stateOf = async () =>
  (await database.db.query('select proxy, failures, reason from crawl.proxy_states order by proxy')).rows;

describe('a request through a proxy', () => {
  it('asks the proxy for the checked address, and the platform by its name', async () => {
    const http = createHttp(proxiesOf().slice(0, 1));
    expect(await get(http)).toMatchObject({ status: 200, body: 'page /nasa', url: 'https://x.com/nasa' });
    expect(first.asked).toEqual([{ target: `${PUBLIC}:443`, authorization: 'Basic b25lOnNlY3JldA==' }]);
    expect(hosts).toEqual(['x.com']);
  });

  it.each(['127.0.0.1', '10.0.0.1', '169.254.169.254', '192.168.1.1', '100.64.0.1'])(
    'is not sent to %s, which the name resolves to',
    async (address) => {
      const http = createHttp(proxiesOf(), async () => [{ address, family: 4 }]);
      expect(await get(http).catch(reasonOf)).toBe('host_refused');
      expect([...first.asked, ...second.asked]).toEqual([]);
    },
  );

  it('can be sent to an IPv6 address', async () => {
    const http = createHttp(proxiesOf().slice(0, 1), async () => [
      { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 },
    ]);
    expect(await get(http)).toMatchObject({ status: 200 });
    expect(first.asked[0]?.target).toBe('[2606:2800:220:1:248:1893:25c8:1946]:443');
  });

  it('reaches only a server with the platform’s certificate', async () => {
    const http = createHttp(proxiesOf().map(({ ca: _, ...proxy }) => proxy));
    expect(await get(http).catch(reasonOf)).not.toBe('ok');
    expect(hosts).toEqual([]);
  });

  it('is never sent to a foreign host', async () => {
    const http = createHttp(proxiesOf());
    const refused = http.fetch({ platform: 'x', url: 'https://evil.example/' }).catch(reasonOf);
    expect(await refused).toBe('host_refused');
    expect([...first.asked, ...second.asked]).toEqual([]);
  });
});

describe('several proxies', () => {
  it('take turns', async () => {
    const http = createHttp(proxiesOf());
    for (let i = 0; i < 4; i++) await get(http, `/${i}`);
    // Connections are kept: each proxy was asked for one.
    expect(first.asked.length).toBeGreaterThan(0);
    expect(second.asked.length).toBeGreaterThan(0);
  });

  it('replace one that fails, which rests for every process', async () => {
    first.refuse(502);
    const http = createHttp(proxiesOf());
    for (let i = 0; i < 4; i++) expect(await get(http, `/${i}`)).toMatchObject({ status: 200 });
    expect(first.asked).toHaveLength(1);
    expect(await stateOf()).toMatchObject([{ proxy: 'one', failures: 1 }]);
    const other = createHttp(proxiesOf());
    for (let i = 0; i < 3; i++) await get(other, `/${i}`);
    expect(first.asked).toHaveLength(1);
  });

  it('rest when the platform blocks them, longer each time, and are forgiven once they work', async () => {
    status = 429;
    const http = createHttp(proxiesOf().slice(0, 1));
    expect(await get(http)).toMatchObject({ status: 429 });
    const failure = await get(http).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: 'proxy_failed' });
    expect((failure as FetchError).retryAfterMs).toBeGreaterThan(50_000);
    await database.db.query('update crawl.proxy_states set resting_until = clock_timestamp()');
    await get(createHttp(proxiesOf().slice(0, 1)));
    expect(await stateOf()).toMatchObject([{ failures: 2, reason: 'HTTP 429' }]);
    const { rows } = await database.db.query(
      `select resting_until > clock_timestamp() + interval '110 s' as longer from crawl.proxy_states`,
    );
    expect(rows).toEqual([{ longer: true }]);
    await database.db.query('update crawl.proxy_states set resting_until = clock_timestamp()');
    status = 200;
    await get(createHttp(proxiesOf().slice(0, 1)));
    expect(await stateOf()).toEqual([]);
  });

  it('rest although earlier requests are still answered', async () => {
    const states = createProxyStates(database.db);
    await states.failed('x', 'one', 'HTTP 429');
    await states.worked('x', 'one');
    expect(await states.find('x')).toMatchObject([{ proxy: 'one', failures: 1 }]);
  });

  it('are blocked by five refusals in a row, not by one, which may be about an account', async () => {
    const http = createHttp(proxiesOf().slice(0, 1));
    const refuse = async (times: number) => {
      status = 403;
      for (let i = 0; i < times; i++) await get(http, `/${i}`);
    };
    await refuse(4);
    status = 200;
    await get(http);
    await refuse(4);
    expect(await stateOf()).toEqual([]);
    await refuse(1);
    expect(await stateOf()).toMatchObject([{ failures: 1, reason: 'HTTP 403' }]);
  });

  it('are ignored by a request bound to one, and by platforms without any', {
    tags: 'long',
  }, async () => {
    const http = createHttp(proxiesOf());
    for (let i = 0; i < 3; i++) await get(http, `/${i}`, { proxy: 'two' });
    expect(first.asked).toEqual([]);
    second.refuse(502);
    await second.close();
    second = await startProxy(platform.port);
    expect(await get(http, '/4', { proxy: 'three' }).catch(reasonOf)).toBe('proxy_failed');
    const direct = createHttp(proxiesOf({ platforms: ['tiktok'] }), async () => [
      { address: '127.0.0.1', family: 4 },
    ]);
    expect(await get(direct).catch(reasonOf)).toBe('host_refused');
    expect(first.asked).toEqual([]);
  });

  it('are not blamed for what a platform says about a session', async () => {
    status = 429;
    const http = createHttp(proxiesOf().slice(0, 1));
    await get(http, '/a', { session: { operation: 'UserTweets' } });
    expect(await stateOf()).toEqual([]);
  });

  it('that all fail are reported as such, not as a failing platform', async () => {
    first.refuse(407);
    second.refuse(407);
    const http = createHttp(proxiesOf());
    const failure = await get(http).catch((error: Error) => error);
    expect(failure).toMatchObject({ reason: 'proxy_failed' });
    expect(String(failure)).not.toContain('b25lOnNlY3JldA');
  });
});
