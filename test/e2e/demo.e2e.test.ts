import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestHome, curlLines, type RunningProgram, sendLine, type TestHome } from '../support/cli.ts';
import { until } from '../support/wait.ts';

let home: TestHome;

beforeAll(async () => {
  home = await createTestHome({ PORT: '0' });
});

afterAll(() => home.remove());

const welcome = async (program: RunningProgram) => {
  await program.says(/The reference, to read and to try: (\S+)/);
  const text = program.out();
  const key = /\n {2}(slk_[0-9A-Za-z]{38})\n/.exec(text)?.[1] ?? '';
  const lines = curlLines(text);
  for (const line of lines) expect(line.key).toBe(key);
  return { key, lines, docs: /The reference, to read and to try: (\S+)/.exec(text)?.[1] ?? '' };
};

/** Accounts read on all platforms, by the progress lines. */
const counts = (text: string): number[] =>
  [...text.matchAll(/ read {2}(.+)/g)].map((m) =>
    [...(m[1] ?? '').matchAll(/\w+ (\d+)/g)].reduce((sum, n) => sum + Number(n[1]), 0),
  );

const MAY_LACK: ReadonlySet<string> = new Set([
  'getXGrowth',
  'getXPostingPatterns',
  'runBestTimeToPost',
  'runAccountCompare',
  'runValuation',
  'runPostPrice',
  'runGrowthProjection',
  'runEngagementAuthenticity',
  'runViralityCheck',
  'runAccountScore',
]);
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['listXViralPosts', 'listXPopulationViralPosts']);

/** Calls every endpoint that the key may call, as a newcomer would after reading the reference. */
const answersEverything = async (origin: string, key: string, handle: string): Promise<void> => {
  const headers = { authorization: `Bearer ${key}` };
  const get = async (path: string) => {
    const response = await fetch(`${origin}/v2${path}`, { headers });
    // biome-ignore lint/suspicious/noExplicitAny: the test says what an answer holds
    return (await response.json()) as any;
  };
  // The welcome comes before the crawl is far: what it does not show may follow.
  const first = (path: string) => until(`${path} has an item`, async () => (await get(path)).data?.[0]);
  const tweet = await first(`/scrape/x/tweets?handle=${handle}&limit=1`);
  const company = await first('/leads/linkedin/companies?limit=1');
  const listing = await first('/marketplace/listings?limit=1');
  const named = Object.fromEntries(
    await Promise.all(
      ['instagram', 'tiktok', 'youtube', 'telegram', 'bluesky'].map(async (platform) => {
        const entry = await first(`/directory/${platform}?limit=1`);
        return [platform, entry.handle ?? `id:${entry.id}`] as const;
      }),
    ),
  );
  // In a small world nobody may have about as many followers as the account of the welcome.
  const { handle: withPeers } = await until('an account has peers', async () => {
    for (const entry of (await get('/directory/x?limit=20')).data)
      if ((await get(`/insights/x/${entry.handle}/peers?limit=1`)).data?.length === 1) return entry;
    return null;
  });
  const queries: Readonly<Record<string, string>> = {
    resolveAccount: `url=x:${handle}`,
    scrapeXUser: `handle=${handle}`,
    scrapeXTweets: `handle=${handle}`,
    scrapeXTweet: `id=${tweet.id}`,
    scrapeXFollowers: `handle=${handle}`,
    verifyXOwnership: `handle=${handle}`,
    exportFollowerGraph: `handle=${handle}`,
    lookupPerson: `platform=x&handle=${handle}`,
    searchPeople: `q=${handle.slice(0, 4)}`,
  };
  const bodies: Readonly<Record<string, unknown>> = {
    checkAccounts: { accounts: [{ platform: 'x', handle }] },
    scrapeXUsers: { handles: [handle] },
    runEngagementRate: { platform: 'x', handle },
    runBestTimeToPost: { platform: 'x', handle },
    runAccountAge: { platform: 'x', handle },
    runFollowerRank: { platform: 'x', handle },
    runUsernameScore: { handle },
    runCrossPlatformMatch: { platform: 'x', handle },
    runHandleSimilarity: { platform: 'x', handle },
    runShadowbanCheck: { platform: 'x', handle },
    runHandleAvailability: { handle },
    runFollowerAudit: { platform: 'x', handle },
    runTrustReport: { platform: 'x', handle },
    runAudienceOverlap: { platform: 'x', handle, other: { platform: 'x', handle } },
    runValuation: { platform: 'x', handle },
    runPostPrice: { platform: 'x', handle },
    runGrowthProjection: { platform: 'x', handle, days: 30 },
    runEngagementAuthenticity: { platform: 'x', handle },
    runViralityCheck: { platform: 'x', post_url: tweet.url },
    runAccountScore: { platform: 'x', handle },
    runAccountCompare: {
      accounts: [
        { platform: 'x', handle },
        { platform: 'bluesky', handle: named.bluesky },
      ],
    },
  };
  const endpoints: { operation: string; method: string; path: string }[] = (await get('/')).data.endpoints;
  expect(endpoints).toHaveLength(74);
  for (const { operation, method, path } of endpoints) {
    const id = path.includes('/companies/') ? company.id : path.includes('/listings/') ? listing.id : handle;
    const verified = /\/scrape\/(\w+)\/verify/.exec(path)?.[1] ?? 'x';
    const query = queries[operation] ?? (verified === 'x' ? '' : `handle=${named[verified]}`);
    const url = path
      .replace('{platform}', 'x')
      .replace('{handle}', operation === 'listXPeers' ? withPeers : handle)
      .replace('{key}', 'x')
      .replace('{id}', encodeURIComponent(id));
    const isAnswered = async () => {
      const response = await fetch(`${origin}/v2${url}?${query}`, {
        method,
        headers: { ...headers, ...(method === 'POST' ? { 'content-type': 'application/json' } : {}) },
        ...(method === 'POST' ? { body: JSON.stringify(bodies[operation]) } : {}),
      });
      const { data } = (await response.json()) as { data?: unknown };
      // A small world is too even for a finding.
      if (operation === 'getFinding') return response.status === 404;
      // A first reading shows no growth, and may show too few posts for effects or outstanding ones.
      if (MAY_LACK.has(operation) && response.status === 422) return true;
      if (MAY_BE_EMPTY.has(operation)) return response.status === 200;
      const isEmpty = Array.isArray(data) && data.length === 0;
      return response.status === 200 && isEmpty === (operation === 'listFindings');
    };
    await until(`${operation} answers as it should`, isAnswered);
  }
};

describe('the demo', () => {
  it('crawls, prints a key and URLs that work, stops cleanly, and resumes at the next start', async () => {
    const first = home.start(['demo', '--size', '150']);
    const { key, lines, docs } = await welcome(first);
    const urls = lines.map(({ url }) => url);
    // One of each group.
    expect(urls.map((url) => new URL(url).pathname.split('/')[2])).toEqual([
      'accounts',
      'directory',
      'scrape',
      'marketplace',
      'leads',
      'leads',
      'people',
      'insights',
      'research',
      'engines',
      'tools',
    ]);
    for (const line of lines) {
      const response = await until('it is answered in time', async () => {
        const given = await sendLine(line);
        return given.status !== 503 && given;
      });
      expect(response.status, line.url).toBe(200);
    }
    const check = await fetch(urls[0] as string, { headers: { authorization: `Bearer ${key}` } });
    const { data } = (await check.json()) as {
      data: { exists: boolean; followers: number; stale_s: number };
    };
    expect(data.exists).toBe(true);
    expect(data.followers).toBeGreaterThan(0);
    expect(data.stale_s).toBeGreaterThanOrEqual(0);
    expect((await fetch(docs)).status).toBe(200);
    await answersEverything(
      new URL(docs).origin,
      key,
      new URL(urls[0] as string).pathname.split('/').at(-1) as string,
    );
    expect((await readFile(join(home.home, 'demo-key'), 'utf8')).trim()).toBe(key);
    const read = await until('the progress lines show that the crawl goes on', () => {
      const shown = counts(first.out());
      return (shown[0] ?? 0) < (shown.at(-1) ?? 0) && shown;
    });
    expect(await first.end('SIGINT')).toBe(0);
    expect(first.out()).toMatch(/Stopped\.\n$/);

    const second = home.start(['demo', '--size', '150']);
    const again = await welcome(second);
    expect(again.key).toBe(key);
    const resumed = await until('the second run shows its progress', () => counts(second.out())[0]);
    expect(resumed).toBeGreaterThanOrEqual(read.at(-1) as number);
    expect(await second.end('SIGTERM')).toBe(0);
  });

  it('takes a key that an older demo kept, and grants it what has to be named', async () => {
    const old = await createTestHome({ PORT: '0' });
    try {
      await old.run(['holders', 'add', 'Demo', '--id', 'demo', '--plan', 'enterprise']);
      const issued = await old.run(['keys', 'issue', 'demo']);
      const kept = /slk_[0-9A-Za-z]{38}/.exec(issued.out)?.[0] ?? '';
      await writeFile(join(old.home, 'demo-key'), `${kept}\n`);
      const program = old.start(['demo', '--size', '150']);
      const { key, docs } = await welcome(program);
      expect(key).toBe(kept);
      const companies = await fetch(`${new URL(docs).origin}/v2/leads/linkedin/companies?limit=1`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect(companies.status).toBe(200);
      expect(await program.end('SIGTERM')).toBe(0);
    } finally {
      await old.remove();
    }
  });
});
