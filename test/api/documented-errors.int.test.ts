import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { FaultKind } from '../../infra/simulator/fault-kinds.ts';
import { tweetId } from '../../infra/simulator/platforms/x/tweet-ids.ts';
import { isSimulated, PLATFORMS, type Platform } from '../../infra/simulator/simulated-platforms.ts';
import type { Account, SimPost } from '../../infra/simulator/world/account.ts';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { errorsOf } from '../../src/api/description/document.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { Intake } from '../../src/api/intake.ts';
import { LIMITS } from '../../src/api/pipeline/connections.ts';
import { statusOf } from '../../src/api/pipeline/errors.ts';
import { createApp } from '../../src/api/server/app.ts';
import { FetchError } from '../../src/crawlers/http/port.ts';
import { createLiveReader } from '../../src/crawlers/live-read/reader.ts';
import { adapterOf } from '../../src/crawlers/platforms/registry.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import type { ErrorCode } from '../../src/kernel/errors.ts';
import { plansOf, SCOPES } from '../../src/write/holders/plans.ts';
import { alwaysAvailable } from '../support/availability.ts';
import { issued, keyIdOf, tellHolder } from '../support/holders.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';
import { testPlan } from '../support/metering.ts';
import { posted, sighted } from '../support/program.ts';

/** Every error that an endpoint documents is provoked here, by a request made from the endpoint's own example. */

const START = '2026-11-01T00:00:00.000Z';

const plans = plansOf('test', [
  testPlan('all', { units: 1_000_000_000 }),
  testPlan('none', { scopes: [] }),
  testPlan('slow', { units: 1_000_000, requests_per_minute: 1 }),
  testPlan('rarely', { units: 1_000_000, live_per_minute: 0 }),
  testPlan('spent', { units: 0, overage_micro_usd: null }),
  testPlan('beyond', { units: 0, overage_micro_usd: 1_000 }),
]);

let program: LiveProgram;
let endpoints: readonly Endpoint[];
let key: string;
/** The API with handlers that fail, with handlers that wait, and about to stop. */
let failing: FastifyInstance;
let held: FastifyInstance;
let stopping: FastifyInstance;
/** Its live reads find no proxy that can be used: unlike walls, this is so on every platform. */
let withoutProxy: FastifyInstance;
/** Its live reads find no session that they take, on any platform. */
let withoutSession: FastifyInstance;
/** An app that listens, with little patience. */
let listening: FastifyInstance;
let release: () => void;
let holders = 0;
let callers = 0;

interface Asked {
  readonly app?: FastifyInstance;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly body?: unknown;
}

interface Request {
  readonly url: string;
  readonly body: unknown;
}

/** The endpoint's example as a request; of one that reads live for some requests only, such a one. */
const exampleOf = ({ path, example, needsLiveRead }: Endpoint): Request => {
  const indirect = { url: `youtube.com/c/${accountOn('youtube').handle}` };
  const query = new URLSearchParams(
    Object.entries(needsLiveRead === undefined ? (example.query ?? {}) : indirect).map(([name, value]) => [
      name,
      String(value),
    ]),
  );
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(example.params?.[name] ?? 'x'),
  );
  return { url: `/v2${filled}${query.size === 0 ? '' : `?${query}`}`, body: example.body };
};

const ask = async (endpoint: Endpoint, asked: Asked = {}) => {
  const usual = exampleOf(endpoint);
  const { app = program.app, headers = {}, url = usual.url, body = usual.body } = asked;
  const bearer = asked.key === null ? {} : { authorization: `Bearer ${asked.key ?? key}` };
  const isPost = endpoint.method === 'POST';
  callers += 1;
  const response = await app.inject({
    method: endpoint.method,
    url,
    headers: {
      ...bearer,
      // Failed attempts are limited by address: each comes from its own.
      'x-forwarded-for': `10.0.${callers >> 8}.${callers & 255}`,
      ...(isPost ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(isPost ? { payload: typeof body === 'string' ? body : JSON.stringify(body) } : {}),
  });
  return { status: response.statusCode, code: response.json().error?.code as string | undefined };
};

const withQuery = ({ url }: Request, query: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${query}`;

/** A key of a new holder. */
const keyOf = async (
  plan: string,
  ...more: readonly (readonly [type: 'OverageSet', cap: string | null])[]
): Promise<string> => {
  const holder = `holder-${++holders}`;
  const issuedKey = await program.issueKey([...SCOPES], { holder, plan });
  for (const [type, cap] of more)
    await tellHolder(program, holder, { type, data: { at: START, on: true, cap_micro_usd: cap } });
  return issuedKey;
};

const shared = new Map<string, Promise<string>>();
/** One key for all endpoints. */
const once = (name: string, make: () => Promise<string>): Promise<string> => {
  const known = shared.get(name) ?? make();
  shared.set(name, known);
  return known;
};

/** Sends bytes to the listening app. @returns the status and code of the first answer. */
const send = async (bytes: string): Promise<{ status: number; code: string | undefined }> => {
  const { port } = listening.server.address() as AddressInfo;
  const heard = await new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
    socket.on('close', () => resolve(text));
  });
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(heard)?.[1] ?? 0);
  return { status, code: /"code":"(\w+)"/.exec(heard)?.[1] };
};

const lineOf = (endpoint: Endpoint): string =>
  `${endpoint.method} ${exampleOf(endpoint).url} HTTP/1.1\r\nhost: x\r\n`;

const platformOf = ({ path, example }: Endpoint): Platform => {
  const named = (example.body as { platform?: Platform } | undefined)?.platform ?? example.params?.platform;
  const inPath = PLATFORMS.find((name) => path.startsWith(`/scrape/${name}/`));
  return inPath ?? PLATFORMS.find((name) => name === named) ?? 'x';
};

/** Endpoints of other platforms have nothing to read. */
const isOfSimulated = ({ path }: Endpoint): boolean => {
  const name = /^\/scrape\/(\w+)\//.exec(path)?.[1];
  return name === undefined || isSimulated(name);
};

const accounts = new Map<Platform, Account>();
const accountOn = (platform: Platform): Account => {
  const known =
    accounts.get(platform) ??
    program.account(platform, (one) => isOpen(one) && (platform !== 'telegram' || one.kind === 'channel'));
  accounts.set(platform, known);
  return known;
};

/** The example about an account that the simulated platform has. */
const liveRequest = (endpoint: Endpoint): Request => {
  const { handle } = accountOn(platformOf(endpoint));
  const named = endpoint.example.body as Readonly<Record<string, unknown>> | undefined;
  const { url } = exampleOf({
    ...endpoint,
    example: {
      ...endpoint.example,
      ...(endpoint.example.params === undefined ? {} : { params: { ...endpoint.example.params, handle } }),
      ...(endpoint.example.query?.handle === undefined ? {} : { query: { handle } }),
    },
  });
  const body =
    named === undefined
      ? undefined
      : {
          ...named,
          ...('handle' in named ? { handle } : {}),
          ...('handles' in named ? { handles: [handle] } : {}),
          ...('max_age_s' in
          (endpoint.body?.toJSONSchema({ io: 'input', unrepresentable: 'any' }).properties ?? {})
            ? { max_age_s: 0 }
            : {}),
        };
  const ofOperation = ABOUT_ALIVE[endpoint.operation]?.();
  return {
    url: ofOperation?.url ?? url.replace(/[?&]max_age_s=\d+/, ''),
    body: { ...body, ...ofOperation?.body },
  };
};

/** What the example of an operation has to be about besides an account. */
const ABOUT_ALIVE: Readonly<Record<string, () => { readonly url?: string; readonly body?: object }>> = {
  scrapeXTweet: () => {
    const account = accountOn('x');
    const [post] = program.simulator.world.posts(account, program.simulator.clock.now(), 1);
    return { url: `/v2/scrape/x/tweet?id=${tweetId(account, post as SimPost)}` };
  },
  // A form of registration is the same after a redesign of pages.
  runHandleAvailability: () => ({ body: { handle: accountOn('telegram').handle, platforms: ['telegram'] } }),
};

const underFault = (kind: FaultKind) => async (endpoint: Endpoint) => {
  for (const platform of PLATFORMS) {
    try {
      program.simulator.faults.set(platform, kind);
    } catch {
      // Not every platform has every wall.
    }
  }
  return ask(endpoint, liveRequest(endpoint));
};

/** The example about an account that was never read. */
const unknownRequest = ({ ...endpoint }: Endpoint): Request => {
  const params = Object.fromEntries(
    Object.entries(endpoint.example.params ?? {}).map(([name, value]) => [
      name,
      name === 'handle'
        ? 'zz_nobody'
        : name === 'id' || name === 'key'
          ? (MISSING[endpoint.operation] ?? 'zz')
          : value,
    ]),
  );
  const named = endpoint.example.body as Readonly<Record<string, unknown>> | undefined;
  const query = endpoint.example.query ?? {};
  const { url } = exampleOf({
    ...endpoint,
    example: {
      ...endpoint.example,
      params,
      query: 'handle' in query ? { ...query, handle: 'zz_nobody' } : query,
    },
  } as Endpoint);
  const other = { platform: 'x', handle: 'zz_nobody' };
  return {
    url: MISSING_URL[endpoint.operation] ?? url,
    body:
      named === undefined
        ? undefined
        : {
            ...named,
            ...('handle' in named ? { handle: 'zz_nobody' } : {}),
            ...('other' in named ? { other: { ...other, handle: 'zz_nobody2' } } : {}),
            ...('accounts' in named ? { accounts: [other, { ...other, handle: 'zz_nobody2' }] } : {}),
            ...(MISSING_BODY[endpoint.operation] ?? {}),
          },
  };
};

/** IDs that are well-formed and lead nowhere. */
const MISSING: Readonly<Record<string, string>> = {
  getFinding: '00000000-0000-7000-8000-000000000000',
  getListing: 'nowhere:1',
  getCompany: 'zz-no-company',
};
const MISSING_URL: Readonly<Record<string, string>> = {
  lookupPerson: '/v2/people/lookup?platform=x&handle=zz_nobody',
  resolveAccount: '/v2/accounts/resolve?url=youtube.com/c/zz_nobody',
};
const MISSING_BODY: Readonly<Record<string, object>> = {
  // A handle without an account is compared as well.
  runHandleSimilarity: { platform: 'x', handle: 'id:1' },
  runFollowerRank: { platform: 'x', handle: 'zz_nobody', followers: undefined },
  runViralityCheck: { post_url: 'https://x.com/zz_nobody/status/1' },
};

/** Tools for which any account is enough, unless its reading is too old. */
const LACKS_NOTHING = new Set(['runAccountAge', 'runCrossPlatformMatch', 'runHandleSimilarity']);

/** The example about an account of which little but its name is known. */
const emptyRequest = (endpoint: Endpoint): Request => {
  const { url, body } = unknownRequest(endpoint);
  const text = (value: string) => value.replaceAll('zz_nobody', 'zz_empty');
  if (endpoint.operation === 'runFollowerAudit') {
    const { handle } = program.account('x', ({ status }) => status === 'private');
    return { url, body: { platform: 'x', handle } };
  }
  if (endpoint.operation === 'runShadowbanCheck' || endpoint.operation === 'runTrustReport') {
    const { handle } = program.account('x', ({ status }) => status === 'suspended');
    return { url, body: { platform: 'x', handle } };
  }
  if (LACKS_NOTHING.has(endpoint.operation))
    return { url, body: { platform: 'x', handle: 'zz_empty', max_age_s: 0 } };
  return { url: text(url), body: body === undefined ? undefined : JSON.parse(text(JSON.stringify(body))) };
};

/** What provokes each error. */
const PROVOKE: Readonly<
  Partial<Record<ErrorCode, (endpoint: Endpoint) => Promise<{ status: number; code: string | undefined }>>>
> = {
  invalid_request: (endpoint) => ask(endpoint, { url: withQuery(exampleOf(endpoint), 'surprise=1') }),
  request_timeout: (endpoint) => send(`${lineOf(endpoint)}content-length: 9\r\n`),
  headers_too_large: (endpoint) => send(`${lineOf(endpoint)}x-long: ${'a'.repeat(100_000)}\r\n\r\n`),
  key_missing: (endpoint) => ask(endpoint, { key: null }),
  key_invalid: (endpoint) => ask(endpoint, { key: `slk_${'0'.repeat(38)}` }),
  key_revoked: async (endpoint) =>
    ask(endpoint, {
      key: await once('revoked', async () => {
        const revoked = await keyOf('all');
        const data = { at: START, key_id: keyIdOf(revoked) };
        await tellHolder(program, `holder-${holders}`, { type: 'KeyRevoked', data });
        return revoked;
      }),
    }),
  holder_suspended: async (endpoint) =>
    ask(endpoint, {
      key: await once('suspended', async () => {
        const key = await keyOf('all');
        await tellHolder(program, `holder-${holders}`, {
          type: 'HolderSuspended',
          data: { at: START, why: 'unpaid' },
        });
        return key;
      }),
    }),
  ip_not_allowed: async (endpoint) =>
    ask(endpoint, {
      key: await once('pinned', async () => {
        const pinned = await keyOf('all');
        const data = { at: START, key_id: keyIdOf(pinned), allowlist: ['192.0.2.7/32'] };
        await tellHolder(program, `holder-${holders}`, { type: 'KeyPinned', data });
        return pinned;
      }),
    }),
  rate_limited: async (endpoint) => {
    const slow = await once('slow', () => keyOf('slow'));
    await program.get('/v2/', slow);
    return ask(endpoint, { key: slow });
  },
  scope_missing: async (endpoint) =>
    ask(endpoint, {
      key: await once(`without ${endpoint.scope}`, async () => {
        const holder = `holder-${++holders}`;
        await program.issueKey([...SCOPES], { holder, plan: 'all' });
        const [narrow, event] = issued(
          START,
          SCOPES.filter((scope) => scope !== endpoint.scope),
        );
        await tellHolder(program, holder, event);
        return narrow;
      }),
    }),
  plan_required: async (endpoint) => ask(endpoint, { key: await once('none', () => keyOf('none')) }),
  budget_exhausted: async (endpoint) => ask(endpoint, { key: await once('spent', () => keyOf('spent')) }),
  overage_cap_reached: async (endpoint) =>
    ask(endpoint, { key: await once('capped', () => keyOf('beyond', ['OverageSet', '0'])) }),
  wallet_empty: async (endpoint) =>
    ask(endpoint, { key: await once('poor', () => keyOf('beyond', ['OverageSet', null])) }),
  live_rate_limited: async (endpoint) => ask(endpoint, { key: await once('rarely', () => keyOf('rarely')) }),
  idempotency_in_flight: async (endpoint) => {
    const asked = { app: held, headers: { 'idempotency-key': endpoint.operation } };
    const first = ask(endpoint, asked);
    // The first has begun once its handler waits.
    await waiting.get(endpoint.operation)?.promise;
    const second = await ask(endpoint, asked);
    release();
    await first;
    return second;
  },
  idempotency_mismatch: async (endpoint) => {
    const holder = 'tester';
    const claimed = {
      holder,
      key: `mismatch ${endpoint.operation}`,
      fingerprint: 'f'.repeat(64),
      free: false,
    };
    await program.services.answers.claim(claimed);
    return ask(endpoint, { headers: { 'idempotency-key': claimed.key } });
  },
  cursor_invalid: (endpoint) => ask(endpoint, { url: withQuery(exampleOf(endpoint), 'cursor=zz') }),
  media_type_unsupported: (endpoint) => ask(endpoint, { headers: { 'content-type': 'text/csv' }, body: 'a' }),
  body_too_large: (endpoint) => ask(endpoint, { body: JSON.stringify({ a: 'x'.repeat(300_000) }) }),
  insufficient_data: (endpoint) => ask(endpoint, emptyRequest(endpoint)),
  not_found: (endpoint) => ask(endpoint, unknownRequest(endpoint)),
  platform_error: underFault('server_error'),
  platform_layout_changed: underFault('layout_changed'),
  platform_unavailable: (endpoint) => ask(endpoint, { app: withoutProxy, ...liveRequest(endpoint) }),
  not_readable: (endpoint) => ask(endpoint, { app: withoutSession, ...liveRequest(endpoint) }),
  platform_rate_limited: underFault('rate_limited'),
  platform_timeout: underFault('timeout'),
  internal: (endpoint) => ask(endpoint, { app: failing }),
  service_unavailable: (endpoint) => ask(endpoint, { app: stopping }),
};

/** Resolved when the handler of an operation has begun. */
const waiting = new Map<string, PromiseWithResolvers<void>>();

const withHandler = (handler: (endpoint: Endpoint) => Endpoint['handler']): Promise<FastifyInstance> =>
  createApp(
    program.services,
    endpoints.map(({ fromCatalog: _, ...endpoint }) => ({
      ...endpoint,
      handler: handler(endpoint),
    })),
  );

beforeAll(async () => {
  endpoints = await loadEndpoints();
  program = await createLiveProgram({
    plans,
    trustedProxies: ['127.0.0.1'],
    limits: { headersMs: 500, bodyMs: 500 },
    // A wall rejects sessions, which rest then.
    sessions: Array.from({ length: 30 }, (_, i) => `guest${i}`),
  });
  key = await program.issueKey([...SCOPES], { holder: 'tester', plan: 'all' });
  for (const platform of PLATFORMS)
    await program.append(
      platform,
      'zz_empty',
      sighted('zz_empty', START, { followers: null }),
      posted(START, { id: '1', at: START, likes: 1 }),
    );
  await program.append('x', 'zz_empty2', sighted('zz_empty2', START, { followers: null }));
  await program.project();
  failing = await withHandler(() => async () => {
    throw new Error('a defect');
  });
  held = await withHandler((endpoint) => async () => {
    const begun = waiting.get(endpoint.operation);
    const { promise, resolve } = Promise.withResolvers<void>();
    release = resolve;
    begun?.resolve();
    await promise;
    throw new Error('released');
  });
  for (const { operation } of endpoints) waiting.set(operation, Promise.withResolvers<void>());
  const unread = (reason: 'proxy_failed' | 'no_session') => {
    const live = createLiveReader({
      adapterOf,
      http: { fetch: () => Promise.reject(new FetchError(reason, 'Nothing can be sent')) },
      circuit: { openForMs: async () => 0 },
      log: program.log,
      availability: alwaysAvailable,
      clock: systemClock,
      concurrency: 3,
    });
    return createApp({ ...program.services, live }, endpoints);
  };
  withoutProxy = await unread('proxy_failed');
  withoutSession = await unread('no_session');
  const intake = new Intake();
  intake.stop();
  stopping = await createApp({ ...program.services, intake }, endpoints);
  listening = await createApp(program.services, endpoints, undefined, {
    ...LIMITS,
    headersMs: 300,
    requestMs: 600,
  });
  await listening.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  for (const app of [failing, held, stopping, withoutProxy, withoutSession, listening]) await app?.close();
  await program?.close();
});
beforeEach(async () => {
  program.simulator.faults.clear();
});

/** Sessions and platforms forget what a fault did to them. */
const forget = async () => {
  await program.database.db.query('delete from crawl.session_limits');
  await program.database.db.query('delete from crawl.session_states');
  await program.database.db.query('update crawl.buckets set paused_until = null');
};

const documented = (await loadEndpoints()).flatMap((endpoint) => errorsOf(endpoint));

it('each documented error is provoked by this test', () => {
  expect([...new Set(documented)].filter((code) => PROVOKE[code] === undefined)).toEqual([]);
});

/** What needs no state that another request changes is asked at once. */
const AT_ONCE: ReadonlySet<ErrorCode> = new Set(['request_timeout', 'headers_too_large', 'platform_timeout']);

it.each([...new Set(documented)].sort())(
  '%s is answered by each endpoint that documents it',
  async (code) => {
    const wrong: string[] = [];
    const provoke = async (endpoint: Endpoint) => {
      const answered = await PROVOKE[code]?.(endpoint);
      if (answered?.code !== code || answered.status !== statusOf(code))
        wrong.push(`${endpoint.operation}: ${answered?.status} ${answered?.code}`);
    };
    const documenting = endpoints.filter(
      (endpoint) => errorsOf(endpoint).includes(code) && isOfSimulated(endpoint),
    );
    if (AT_ONCE.has(code)) await Promise.all(documenting.map(provoke));
    else
      for (const endpoint of documenting) {
        if (code.startsWith('platform_')) await forget();
        await provoke(endpoint);
      }
    expect(wrong).toEqual([]);
  },
);
