import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import checkAccount from '../../src/api/endpoints/accounts/checkAccount.ts';
import checkAccounts from '../../src/api/endpoints/accounts/checkAccounts.ts';
import { PLATFORMS } from '../../src/kernel/platform.ts';
import { registerHolder } from '../support/holders.ts';
import { createTestProgram, sighted, type TestProgram, unavailable, unchanged } from '../support/program.ts';

let program: TestProgram;
let key: string;

const minutesAgo = (n: number) => new Date(Date.now() - n * 60_000).toISOString();
const LAST_READ = minutesAgo(10);

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey();
  await program.append(
    'x',
    'nasa',
    sighted('nasa', minutesAgo(60), {
      id: '11348282',
      display_name: 'NASA',
      followers: 96,
      verified: true,
      created_at: '2007-12-19T20:20:32.000Z',
    }),
    unchanged(LAST_READ, { followers: 97 }),
  );
  await program.append('x', 'gone', unavailable(minutesAgo(5), 'absent'));
  await program.append('x', 'bad', sighted('bad', minutesAgo(50)), unavailable(minutesAgo(5), 'suspended'));
  await program.append(
    'instagram',
    'shy',
    sighted('shy', minutesAgo(3), { followers: 0, verified: null }, 'private'),
  );
  await program.append('linkedin', 'company:acme', sighted('company:acme', minutesAgo(3)));
  await program.project();
});

afterAll(() => program.close());

const check = async (path: string) => (await program.get(`/v2/accounts/${path}`, key)).body;

describe('checkAccount', () => {
  it('answers what the last reading proved, with its age', async () => {
    const { data, meta } = await check('x/@NASA');
    expect(data).toMatchObject({
      platform: 'x',
      handle: 'nasa',
      exists: true,
      status: 'active',
      display_name: 'NASA',
      followers: 97,
      verified: true,
      created_at: '2007-12-19T20:20:32.000Z',
      in_catalog: true,
      profile_url: 'https://x.com/nasa',
    });
    expect(data.stale_s).toBeGreaterThanOrEqual(600);
    expect(data.stale_s).toBeLessThanOrEqual((Date.now() - Date.parse(LAST_READ)) / 1_000);
    // The answer is sent after it was made.
    expect(meta.cache_age_s).toBeGreaterThanOrEqual(data.stale_s);
    expect(meta.source).toBe('catalog');
    expect(meta.request_id).toMatch(/^req_[0-9a-f]{32}$/);
    expect(() => z.parse(checkAccount.data, data)).not.toThrow();
  });

  it('distinguishes absent, suspended, private and unknown', async () => {
    expect((await check('x/gone')).data).toMatchObject({
      exists: false,
      status: 'absent',
      in_catalog: false,
      followers: null,
      first_seen_at: null,
    });
    expect((await check('x/bad')).data).toMatchObject({
      exists: true,
      status: 'suspended',
      in_catalog: true,
    });
    expect((await check('instagram/shy')).data).toMatchObject({
      exists: true,
      status: 'private',
      followers: 0,
      verified: null,
    });
    const unknown = await check('x/nobody_yet');
    expect(unknown.data).toEqual({
      platform: 'x',
      handle: 'nobody_yet',
      exists: null,
      status: 'unknown',
      queued: false,
      queued_reason: 'no_demand_pool',
      display_name: null,
      followers: null,
      verified: null,
      created_at: null,
      in_catalog: false,
      first_seen_at: null,
      last_seen_at: null,
      stale_s: null,
      profile_url: 'https://x.com/nobody_yet',
    });
    expect(unknown.meta.cache_age_s).toBeNull();
  });

  it('finds an account by its native id, and a company of LinkedIn', async () => {
    expect((await check('x/id:11348282')).data).toMatchObject({ handle: 'nasa' });
    expect((await check('x/id:5')).data).toMatchObject({ handle: null, exists: null, profile_url: null });
    expect((await check('linkedin/company:acme')).data).toMatchObject({
      handle: 'company:acme',
      exists: true,
    });
  });

  it('counts a look-up of an unknown account as demand, once per holder', async () => {
    await check('x/wanted');
    await check('x/wanted');
    await program.services.demand.flush();
    const { rows } = await program.database.db.query(
      "select holder from crawl.demand where handle = 'wanted'",
    );
    expect(rows).toEqual([{ holder: 'tester' }]);
    const known = await program.database.db.query("select from crawl.demand where handle = 'nasa'");
    expect(known.rowCount).toBe(0);
  });

  it('counts look-ups by native ID, and of entries that the catalog lacks, as demand too', async () => {
    const paths = [
      '/v2/accounts/x/id:4711',
      '/v2/directory/x/lost',
      '/v2/directory/tiktok/lost/history',
      '/v2/directory/telegram/lost_one/posts',
      '/v2/directory/x/id:4712/similar',
    ];
    const asked = await Promise.all(paths.map((path) => program.get(path, key)));
    expect(asked.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404]);
    await program.services.demand.flush();
    const { rows } = await program.database.db.query(
      `select platform || ' ' || handle as wanted from crawl.demand
       where handle like 'lost%' or handle like 'id:471%' order by 1`,
    );
    expect(rows.map(({ wanted }) => wanted)).toEqual([
      'telegram lost_one',
      'tiktok lost',
      'x id:4711',
      'x id:4712',
      'x lost',
    ]);
  });

  it('a rejected request does not count as demand', async () => {
    const free = await registerHolder(program, 'free', 'free', '2026-11-01T00:00:00.000Z');
    const asked = await Promise.all(
      Array.from({ length: 50 }, (_, i) => program.get(`/v2/accounts/x/unheard_${i}`, free)),
    );
    expect(asked.filter(({ status }) => status === 429)).toHaveLength(20);
    await program.services.demand.flush();
    const { rows } = await program.database.db.query(
      `select count(*)::int as n from crawl.demand where holder = 'free'`,
    );
    expect(rows).toEqual([{ n: 30 }]);
  });
});

describe('checkAccounts', () => {
  it('answers many accounts in the order requested, aged by the oldest', async () => {
    const accounts = [
      { platform: 'x', handle: 'gone' },
      { platform: 'x', handle: 'nobody_yet' },
      { platform: 'x', handle: 'NASA' },
    ];
    const { body } = await program.post('/v2/accounts/check', { accounts }, key);
    expect(body.data.items.map((i: { handle: string }) => i.handle)).toEqual(['gone', 'nobody_yet', 'nasa']);
    expect(body.meta.cache_age_s).toBeGreaterThanOrEqual(600);
  });

  it('rejects an empty, overlong or malformed batch', async () => {
    const many = Array.from({ length: 101 }, () => ({ platform: 'x', handle: 'nasa' }));
    for (const accounts of [[], many, [{ platform: 'x' }], [{ platform: 'x', handle: 'nasa', extra: 1 }]]) {
      const { status, body } = await program.post('/v2/accounts/check', { accounts }, key);
      expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    }
  });

  it.each(['not a handle', '', ' ', 'na\u0000sa', '\ud800', 'x'.repeat(2_000), 'id:', '@', 'id:nasa'])(
    'answers %j with its error, and the other items as usual',
    async (handle) => {
      const accounts = [handle, 'nasa', handle, '@NASA', 'id:11348282'].map((each) => ({
        platform: 'x',
        handle: each,
      }));
      const { status, body } = await program.post('/v2/accounts/check', { accounts }, key);
      expect(status).toBe(200);
      const refused = {
        platform: 'x',
        handle,
        exists: null,
        status: 'unknown',
        in_catalog: false,
        error: { code: 'invalid_request', message: expect.stringContaining('X'), retry_after_s: null },
      };
      const known = { handle: 'nasa', exists: true, error: null };
      expect(body.data.items).toMatchObject([refused, known, refused, known, known]);
      expect(() => z.parse(checkAccounts.data, body.data)).not.toThrow();
    },
  );
});

describe('resolveAccount', () => {
  it('accepts profile addresses and platform:handle', async () => {
    for (const url of ['https://x.com/NASA', 'x:nasa', 'twitter.com/nasa?lang=en', 'X:@nasa']) {
      const { body } = await program.get(`/v2/accounts/resolve?url=${encodeURIComponent(url)}`, key);
      expect(body.data, url).toMatchObject({ platform: 'x', handle: 'nasa', exists: true });
    }
  });

  it('refuses addresses that are no profile', async () => {
    for (const url of ['https://example.com/nasa', 'nonsense', 'x:', 'http://', 'file:///etc/passwd']) {
      const { status, body } = await program.get(`/v2/accounts/resolve?url=${encodeURIComponent(url)}`, key);
      expect([status, body.error.code], url).toEqual([400, 'invalid_request']);
    }
  });
});

describe('resolveAccount of an address that only YouTube knows', () => {
  const url = encodeURIComponent('https://www.youtube.com/c/Sample');
  const resolveUrl = 'https://www.youtube.com/youtubei/v1/navigation/resolve_url?prettyPrint=false';
  const channel = `UC${'a'.repeat(22)}`;

  it('reads the channel live and charges a live call', async () => {
    program.outside.set(resolveUrl, {
      body: JSON.stringify({ endpoint: { browseEndpoint: { browseId: channel } } }),
    });
    const metadata = {
      channelMetadataRenderer: {
        externalId: channel,
        title: 'Sample',
        vanityChannelUrl: 'http://www.youtube.com/@Sample',
      },
    };
    program.outside.set(`https://www.youtube.com/channel/${channel}?hl=en`, {
      body: `<script>var ytInitialData = ${JSON.stringify({ metadata })};</script>`,
    });
    const answer = await program.get(`/v2/accounts/resolve?url=${url}`, key);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ platform: 'youtube', handle: 'sample', exists: true });
    expect(answer.body.meta.source).toBe('live');
    const free = await program.get('/v2/accounts/resolve?url=x:nasa', key);
    expect(Number(answer.headers['x-request-cost'])).toBeGreaterThan(Number(free.headers['x-request-cost']));
  });

  it('answers not_found at no cost if YouTube knows no channel', async () => {
    const missing = { status: 404, body: JSON.stringify({ error: { code: 404, status: 'NOT_FOUND' } }) };
    program.outside.set(resolveUrl, missing);
    const answer = await program.get(`/v2/accounts/resolve?url=${url}`, key);
    expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    expect(Number(answer.headers['x-request-cost'] ?? 0)).toBe(0);
  });

  it('is refused without live reads, with the reason and the call to make', async () => {
    const reader = await program.issueKey(['accounts:read']);
    const answer = await program.get(`/v2/accounts/resolve?url=${url}`, reader);
    expect([answer.status, answer.body.error.code]).toEqual([403, 'scope_missing']);
    expect(answer.body.error.message).toContain('GET /v2/accounts/youtube/{handle}');
    expect(answer.body.error.details).toEqual([{ path: 'scope', message: 'accounts:live' }]);
    expect((await program.get('/v2/accounts/resolve?url=x:nasa', reader)).status).toBe(200);
  });
});

describe('listPlatforms', () => {
  it('lists every platform with what the catalog holds of it, in pages', async () => {
    const { body } = await program.get('/v2/accounts/platforms', key);
    expect(body.data).toHaveLength(PLATFORMS.length);
    expect(body.data[0]).toMatchObject({
      platform: 'x',
      accounts: 2,
      in_directory: true,
      live: true,
      verify: true,
    });
    expect(body.data[6]).toMatchObject({
      platform: 'linkedin',
      accounts: 1,
      in_directory: false,
      verify: false,
    });
    expect(body.data[2]).toMatchObject({ platform: 'tiktok', accounts: 0, newest_sighting_at: null });
    expect(body.meta).toMatchObject({ source: 'service', cache_age_s: null, next_cursor: null, limit: 25 });
    const first = await program.get('/v2/accounts/platforms?limit=5', key);
    const rest = await program.get(
      `/v2/accounts/platforms?limit=5&cursor=${first.body.meta.next_cursor}`,
      key,
    );
    expect([...first.body.data, ...rest.body.data]).toEqual(body.data);
    expect(rest.body.meta.next_cursor).toBeNull();
  });
});

describe('checkAccountLive', () => {
  const profile = (handle: string) =>
    `https://public.api.bsky.app/xrpc/app.bsky.actor.getProfile?actor=${encodeURIComponent(handle)}`;

  it('reads the platform, answers what it saw, and appends the sighting once', async () => {
    const body = JSON.stringify({
      did: 'did:plc:abc',
      handle: 'alice.test',
      displayName: 'Alice',
      followersCount: 7,
      followsCount: 1,
      postsCount: 2,
    });
    program.outside.set(profile('alice.test'), { body });
    const { status, body: answer } = await program.get('/v2/accounts/bluesky/Alice.test/live', key);
    expect(status).toBe(200);
    expect(answer.data).toMatchObject({
      handle: 'alice.test',
      exists: true,
      followers: 7,
      in_catalog: true,
      stale_s: 0,
    });
    expect(answer.meta).toMatchObject({ source: 'live', cache_age_s: 0 });
    const events = await program.log.readStream('account-bluesky:alice.test');
    expect(events.map((e) => e.type)).toEqual(['AccountSighted']);
    expect(events[0]?.data).toMatchObject({ source: 'live' });
    expect(events[0]?.metadata.request_id).toBe(answer.meta.request_id);
    await program.project();
    expect((await check('bluesky/alice.test')).data).toMatchObject({ exists: true, followers: 7 });
  });

  it('answers from the catalog if its reading is recent enough, without asking the platform', async () => {
    const before = program.asked.length;
    const { body } = await program.get('/v2/accounts/x/nasa/live?max_age_s=3600', key);
    expect(body.meta.source).toBe('catalog');
    expect(program.asked).toHaveLength(before);
  });

  it('answers from the catalog beyond the live calls of a minute, without using one', async () => {
    const starter = await registerHolder(program, 'starter', 'starter', '2026-11-01T00:00:00.000Z');
    const path = '/v2/accounts/x/nasa/live?max_age_s=31536000';
    const asked = await Promise.all(Array.from({ length: 25 }, () => program.get(path, starter)));
    expect(asked.map(({ status }) => status)).toEqual(Array(25).fill(200));
    expect(asked[24]?.headers).toMatchObject({ 'x-request-cost': '0', 'x-live-used': '0' });
    expect(asked[24]?.headers.ratelimit).toContain('"live";r=20;');
  });

  it('shares one reading between simultaneous callers', async () => {
    program.outside.set(profile('many.test'), {
      body: JSON.stringify({ did: 'did:plc:m', handle: 'many.test', followersCount: 1 }),
    });
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => program.get('/v2/accounts/bluesky/many.test/live', key)),
    );
    expect(answers.map((a) => a.status)).toEqual(Array(10).fill(200));
    expect(program.asked.filter((url) => url === profile('many.test'))).toHaveLength(1);
  });

  it('answers a proven absence with 200, and stores it', async () => {
    program.outside.set(profile('void.test'), {
      status: 400,
      body: JSON.stringify({ error: 'InvalidRequest', message: 'Profile not found' }),
    });
    const { status, body } = await program.get('/v2/accounts/bluesky/void.test/live', key);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ exists: false, status: 'absent', in_catalog: false, stale_s: 0 });
    expect(await program.log.readStream('account-bluesky:void.test')).toHaveLength(1);
  });

  it('answers an inconclusive reading with its own error, and stores nothing', async () => {
    const cases = [
      ['slow.test', null, 504, 'platform_timeout'],
      ['limited.test', { status: 429, headers: { 'retry-after': '30' } }, 503, 'platform_rate_limited'],
      ['broken.test', { status: 200, body: '<html>' }, 502, 'platform_layout_changed'],
      ['down.test', { status: 502, body: 'Bad gateway' }, 502, 'platform_error'],
    ] as const;
    for (const [handle, page, status, code] of cases) {
      if (page !== null) program.outside.set(profile(handle), page);
      const response = await program.get(`/v2/accounts/bluesky/${handle}/live`, key);
      expect([response.status, response.body.error.code], handle).toEqual([status, code]);
      if (status === 503) expect(response.headers['retry-after']).toBe('30');
      expect(await program.log.readStream(`account-bluesky:${handle}`)).toEqual([]);
    }
  });
});
