import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { poolStream } from '../../src/write/pools/pool.ts';
import { poolCreated } from '../support/pools.ts';
import { createTestProgram, sighted, type TestProgram, type TestResponse } from '../support/program.ts';

let program: TestProgram;
let key: string;

const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

const inPath = (path: string) => (ref: string) =>
  program.get(`/v2${path.replace('{}', encodeURIComponent(ref))}`, key);
const inBody =
  (tool: string, more: object = {}) =>
  (ref: string) =>
    program.post(`/v2/tools/${tool}`, { platform: 'x', handle: ref, ...more }, key);

/** Every operation that looks the account of a handle or an ID up in the catalog. */
const ASKS: Readonly<Record<string, (ref: string) => Promise<TestResponse>>> = {
  checkAccount: inPath('/accounts/x/{}'),
  checkAccounts: async (ref) => {
    const { body, ...rest } = await program.post(
      '/v2/accounts/check',
      { accounts: [{ platform: 'x', handle: ref }] },
      key,
    );
    const [item] = body.data.items;
    // An item is refused by itself, as a request that asks for it alone would be.
    return item.error === null
      ? { ...rest, body: { ...body, data: item } }
      : { ...rest, status: 400, body: { error: { ...item.error, details: [item.error] } } };
  },
  resolveAccount: inPath('/accounts/resolve?url=x:{}'),
  getDirectoryEntry: inPath('/directory/x/{}'),
  listEntryHistory: inPath('/directory/x/{}/history'),
  listEntryPosts: inPath('/directory/x/{}/posts'),
  listSimilarEntries: inPath('/directory/x/{}/similar'),
  getXInsights: inPath('/insights/x/{}'),
  getXEngagement: inPath('/insights/x/{}/engagement'),
  getXGrowth: inPath('/insights/x/{}/growth'),
  getXPostingPatterns: inPath('/insights/x/{}/posting-patterns'),
  getXContentMix: inPath('/insights/x/{}/content-mix'),
  listXPeers: inPath('/insights/x/{}/peers'),
  listXTopTweets: inPath('/insights/x/{}/top-tweets'),
  listXViralPosts: inPath('/insights/x/{}/viral-posts'),
  lookupPerson: inPath('/people/lookup?platform=x&handle={}'),
  exportFollowerGraph: inPath('/leads/x/follower-graph?handle={}'),
  runAccountAge: inBody('account-age'),
  runAccountCompare: (ref) =>
    program.post(
      '/v2/tools/account-compare',
      {
        accounts: [
          { platform: 'x', handle: ref },
          { platform: 'x', handle: 'beside' },
        ],
      },
      key,
    ),
  runAccountScore: inBody('account-score'),
  runAudienceOverlap: inBody('audience-overlap', { other: { platform: 'x', handle: 'beside' } }),
  runBestTimeToPost: inBody('best-time-to-post'),
  runCrossPlatformMatch: inBody('cross-platform-match'),
  runEngagementAuthenticity: inBody('engagement-authenticity'),
  runEngagementRate: inBody('engagement-rate'),
  runFollowerRank: inBody('follower-rank'),
  runGrowthProjection: inBody('growth-projection', { days: 7 }),
  runHandleSimilarity: inBody('handle-similarity'),
  runPostPrice: inBody('post-price'),
  runValuation: inBody('valuation'),
};
const OF_ACCOUNTS = ['checkAccount', 'checkAccounts', 'resolveAccount'];

/** Operations that read the platform, whose answer is about what it shows; and those about a name or a post. */
const LIVE = new Set([
  'checkAccountLive',
  'runFollowerAudit',
  'runShadowbanCheck',
  'runTrustReport',
  'runHandleAvailability',
  'runUsernameScore',
  'runViralityCheck',
]);

const ids = { renamed: '501', plain: '700700', digits: '5', victim: '900900', displaced: '601' };

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey([
    'accounts:read',
    'directory:read',
    'insights:read',
    'people:read',
    'leads:read',
    'tools:run',
  ]);
  const see = (handle: string, hours: number, id: string) =>
    program.append('x', handle, sighted(handle, ago(hours), { id, followers: 5_000 }));
  await see('first', 9, ids.renamed);
  await see('second', 8, ids.renamed);
  await see('plain', 9, ids.plain);
  await see(ids.victim, 9, ids.digits);
  await see('victim', 9, ids.victim);
  await see('beside', 9, '7');
  // Renamed, and its present handle was taken by another account since; the former one has none.
  await see('left', 9, ids.displaced);
  await see('taken', 8, ids.displaced);
  await see('taken', 7, '602');
  const at = new Date().toISOString();
  await program.log.append(
    poolStream('asked'),
    [
      {
        id: uuidV7(Date.parse(at)),
        type: 'PoolCreated',
        data: poolCreated('asked', 'x', Date.parse(at), { rule: 'demand' }),
      },
    ],
    'any',
  );
  await program.database.db.query(
    `insert into crawl.demand (platform, handle, holder) values ('x', 'wanted', 'another')`,
  );
  await program.project();
});
afterAll(() => program.close());

const each = Object.entries(ASKS);

describe('every operation that takes an account', () => {
  it('is in the list of this test', async () => {
    const named = (await loadEndpoints()).filter(({ path, params, query, body, group }) => {
      const shape = JSON.stringify(
        [params, query, body].map((part) => Object.keys((part as z.ZodObject | undefined)?.shape ?? {})),
      );
      return (
        group !== 'scrape' &&
        (path.includes('{handle}') || path.includes('/{platform}/{id}') || shape.includes('"handle"'))
      );
    });
    expect(named.length).toBeGreaterThan(20);
    const missing = named.map(({ operation }) => operation).filter((one) => !(one in ASKS) && !LIVE.has(one));
    expect(missing).toEqual([]);
  });

  it.each(each)('%s reports what a former handle became', async (operation, ask) => {
    for (const [former, now] of [
      ['first', 'second'],
      ['@first', 'second'],
      ['left', `id:${ids.displaced}`],
    ] as const) {
      const { status, body } = await ask(former);
      if (OF_ACCOUNTS.includes(operation))
        expect(body.data).toMatchObject({
          handle: former.replace('@', ''),
          exists: null,
          status: 'renamed',
          renamed_to: now,
          in_catalog: false,
          last_seen_at: null,
        });
      else {
        expect([status, body.error?.code], operation).toEqual([404, 'not_found']);
        expect(body.error.details[0], operation).toMatchObject({ renamed_to: now });
      }
    }
  });

  it.each(each)('%s reports whether an unknown account will be read', async (operation, ask) => {
    for (const [handle, follows] of [
      ['wanted', { queued: true }],
      ['nobody', { queued: false, queued_reason: 'too_few_holders' }],
      ['id:424242', { queued: false, queued_reason: 'handle_needed' }],
    ] as const) {
      const { status, body } = await ask(handle);
      // A name is compared whether or not it has an account.
      if (operation === 'runHandleSimilarity' && status === 200) continue;
      const said = OF_ACCOUNTS.includes(operation) ? body.data : body.error.details[0];
      expect({ queued: said.queued, queued_reason: said.queued_reason }, handle).toEqual({
        queued_reason: undefined,
        ...follows,
      });
    }
  });

  it.each(each)('%s accepts an id as answers show it, with or without its sign', async (operation, ask) => {
    const expected = await ask('plain');
    for (const ref of [`id:${ids.plain}`, ids.plain]) {
      const { status, body } = await ask(ref);
      expect(status, ref).toBe(expected.status);
      expect(body.error?.code, ref).toBe(expected.body.error?.code);
      expect(body.data?.handle, ref).toBe(expected.body.data?.handle);
      if (operation === 'exportFollowerGraph') expect(body.error.details).toBeUndefined();
      else expect(status, ref).not.toBe(404);
    }
  });

  it.each(each)('%s refuses a name that is neither handle nor id', async (operation, ask) => {
    const { status, body } = await ask(ids.victim);
    expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
    const [detail] = body.error.details;
    expect(detail.message).toContain(`@${ids.victim}`);
    expect(detail.message).toContain(`id:${ids.victim}`);
    if (operation === 'getDirectoryEntry') {
      expect((await ask(`@${ids.victim}`)).body.data.id).toBe(ids.digits);
      expect((await ask(`id:${ids.victim}`)).body.data.handle).toBe('victim');
    }
  });
});

describe('a former handle', () => {
  it('counts as demand for the present one', async () => {
    await program.services.demand.flush();
    const { rows } = await program.database.db.query<{ handle: string }>(
      `select distinct handle from crawl.demand where platform = 'x' order by 1`,
    );
    const asked = rows.map(({ handle }) => handle);
    expect(asked).toContain('second');
    expect(asked).not.toContain('first');
  });

  it('finds its account in a search of the directory', async () => {
    for (const path of ['/directory?q=first', '/directory/x?q=@First&sort=handle']) {
      const { body } = await program.get(`/v2${path}`, key);
      expect(body.data, path).toMatchObject([{ id: ids.renamed, handle: 'second' }]);
    }
  });

  it('finds its account’s person in a search of people', async () => {
    for (const q of ['first', '@First']) {
      const { body } = await program.get(`/v2/people/search?q=${q}`, key);
      expect(body.data, q).toMatchObject([{ accounts: [{ id: ids.renamed, handle: 'second' }] }]);
    }
  });

  it('is a handle like any other once another account takes it', async () => {
    await program.append('x', 'first', sighted('first', ago(1), { id: '502' }));
    await program.project();
    const { body } = await program.get('/v2/directory/x/first', key);
    expect(body.data).toMatchObject({ id: '502', handle: 'first' });
    expect((await program.get('/v2/accounts/x/first', key)).body.data.status).toBe('active');
    const { body: listed } = await program.get('/v2/directory?q=first', key);
    expect(listed.data).toMatchObject([{ id: '502' }]);
  });

  it('belongs to its account again once that takes it back', async () => {
    await program.append('x', 'left', sighted('left', ago(0), { id: ids.displaced }));
    await program.project();
    expect((await program.get('/v2/directory/x/left', key)).body.data.id).toBe(ids.displaced);
  });
});
