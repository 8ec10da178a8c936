import { expect } from 'vitest';
import { until } from './wait.ts';

const DAY_MS = 86_400_000;

interface Caller {
  /** URL of the API without a version. */
  readonly origin: string;
  readonly key: string;
  /** An account of X. */
  readonly handle: string;
  /** Two accounts of X whose follower lists were read whole. */
  readonly listed: readonly [string, string];
}

/** Calls every endpoint, as a newcomer would after reading the reference, until each has answered with data. */
export const callEveryEndpoint = async ({ origin, key, handle, listed }: Caller): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const call = async (method: string, path: string, body?: unknown) => {
    const sent = method === 'POST' ? { method, body: JSON.stringify(body) } : {};
    const response = await fetch(`${origin}/v2${path}`, { headers, ...sent });
    // biome-ignore lint/suspicious/noExplicitAny: each test states what an answer has
    return { status: response.status, ...((await response.json()) as { data?: any }) };
  };
  // The welcome is printed early in the crawl: data that it does not show may follow.
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const first = (path: string, fits: (item: any) => boolean = () => true) =>
    until(`${path} has an item`, async () => (await call('GET', path)).data?.find(fits));
  const post = await first(
    `/scrape/x/tweets?handle=${handle}&limit=40`,
    ({ kind, likes, at }) =>
      kind === 'original' && likes !== null && Date.now() - Date.parse(at) > 3 * DAY_MS,
  );
  const ids: Readonly<Record<string, string>> = {
    companies: (await first('/leads/linkedin/companies?limit=1')).id,
    listings: (await first('/marketplace/listings?limit=1')).id,
    findings: (await first('/research/findings?limit=1')).id,
  };
  const handleOn = async (platform: string): Promise<string> => {
    if (platform === 'x') return handle;
    const entry = await first(`/directory/${platform}?limit=1`);
    return entry.handle ?? `id:${entry.id}`;
  };
  const withFigures = await until('another account has figures', async () => {
    for (const entry of (await call('GET', '/directory/x?sort=followers&limit=40')).data)
      if (entry.handle !== handle && (await call('GET', `/insights/x/${entry.handle}`)).status === 200)
        return entry.handle as string;
    return null;
  });
  const account = { platform: 'x', handle };
  const queries: Readonly<Record<string, string>> = {
    resolveAccount: `url=x:${handle}`,
    scrapeXTweet: `id=${post.id}`,
    lookupPerson: `platform=x&handle=${handle}`,
    searchPeople: `q=${handle.slice(0, 4)}`,
    ...Object.fromEntries(
      ['scrapeXUser', 'scrapeXTweets', 'scrapeXFollowers', 'exportFollowerGraph'].map((operation) => [
        operation,
        `handle=${handle}`,
      ]),
    ),
  };
  const bodies: Readonly<Record<string, unknown>> = {
    checkAccounts: { accounts: [account] },
    scrapeXUsers: { handles: [handle] },
    runUsernameScore: { handle },
    runHandleAvailability: { handle },
    runAudienceOverlap: { platform: 'x', handle: listed[0], other: { platform: 'x', handle: listed[1] } },
    runGrowthProjection: { ...account, days: 30 },
    runViralityCheck: { platform: 'x', post_url: post.url },
    runAccountCompare: { accounts: [account, { platform: 'x', handle: withFigures }] },
  };
  const endpoints: { operation: string; method: string; path: string }[] = (await call('GET', '/')).data
    .endpoints;
  expect(endpoints).toHaveLength(74);
  for (const { operation, method, path } of endpoints) {
    const verified = /\/scrape\/(\w+)\/verify/.exec(path)?.[1];
    const query = queries[operation] ?? (verified === undefined ? '' : `handle=${await handleOn(verified)}`);
    const url = path
      .replace('{platform}', 'x')
      .replace('{handle}', handle)
      .replace('{key}', 'x')
      .replace('{id}', encodeURIComponent(ids[path.split('/').at(-2) ?? ''] ?? handle));
    await until(`${operation} answers with data`, async () => {
      const { status, data } = await call(method, `${url}?${query}`, bodies[operation] ?? account);
      return status === 200 && !(Array.isArray(data) && data.length === 0);
    });
  }
};
