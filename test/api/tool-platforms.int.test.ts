import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS, type Platform } from '../../infra/simulator/simulated-platforms.ts';
import type { Account } from '../../infra/simulator/world/account.ts';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import type { ErrorCode } from '../../src/kernel/errors.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';
import { sighted } from '../support/program.ts';

const tools = (await loadEndpoints()).filter(({ tool }) => tool !== undefined);
const nameOf = ({ tool }: Endpoint): string => tool?.name ?? '';

let program: LiveProgram;
let key: string;
let handles: ReadonlyMap<Platform, string>;
/** Another account of each platform. */
let others: ReadonlyMap<Platform, string>;

beforeAll(async () => {
  program = await createLiveProgram();
  key = await program.issueKey(['tools:run', 'leads:read']);
  const [known, beside] = [new Map<Platform, string>(), new Map<Platform, string>()];
  for (const platform of PLATFORMS) {
    const isWanted = (one: Account) =>
      isOpen(one) &&
      (platform !== 'telegram' || one.kind === 'channel') &&
      // Enough for an audit, where followers are listed.
      ((platform !== 'x' && platform !== 'bluesky') || one.followers >= 100);
    const first = program.account(platform, isWanted);
    const second = program.account(platform, (one) => isWanted(one) && one.handle !== first.handle);
    for (const [names, { handle, id, followers }] of [
      [known, first],
      [beside, second],
    ] as const) {
      names.set(platform, handle);
      await program.append(platform, handle, sighted(handle, new Date().toISOString(), { id, followers }));
    }
  }
  await program.project();
  [handles, others] = [known, beside];
});
afterAll(() => program.close());

/** Addresses of posts, for tools that take one. */
const postUrls: Readonly<Record<Platform, string>> = {
  x: 'https://x.com/zz/status/1580000000000000000',
  instagram: 'https://www.instagram.com/p/CxYz123abcd/',
  tiktok: 'https://www.tiktok.com/@zz/video/7580000000000000000',
  youtube: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
  telegram: 'https://t.me/zzzzz/5',
  bluesky: 'https://bsky.app/profile/zz.bsky.social/post/3kabcdefghi2x',
  linkedin: 'https://www.linkedin.com/posts/zz_activity-7580000000000000000-abcd',
};

/** The tool's example, about accounts of a platform. */
const bodyOn = ({ example }: Endpoint, platform: Platform): Record<string, unknown> => {
  const named = example.body as Record<string, unknown>;
  const account = { platform, handle: handles.get(platform) as string };
  const other = { platform, handle: others.get(platform) as string };
  return {
    ...named,
    ...('platform' in named ? { platform } : {}),
    ...('platforms' in named ? { platforms: [platform], max_age_s: 0 } : {}),
    ...('accounts' in named ? { accounts: [account, other] } : {}),
    ...('handle' in named ? { handle: account.handle } : {}),
    ...('other' in named ? { other } : {}),
    ...('post_url' in named ? { post_url: postUrls[platform] } : {}),
  };
};

/** What each tool answers about an account that was read once, without posts, lists, sales and ladders. */
const ANSWERS: Readonly<Record<string, 'result' | ErrorCode>> = {
  'engagement-rate': 'insufficient_data',
  'best-time-to-post': 'insufficient_data',
  'account-age': 'result',
  'follower-rank': 'insufficient_data',
  'cross-platform-match': 'result',
  'account-compare': 'insufficient_data',
  'handle-similarity': 'result',
  valuation: 'insufficient_data',
  'post-price': 'insufficient_data',
  'growth-projection': 'insufficient_data',
  'engagement-authenticity': 'insufficient_data',
  // The post is none of the account’s that were read.
  'virality-check': 'not_found',
  'account-score': 'insufficient_data',
  'audience-overlap': 'insufficient_data',
  'trust-report': 'result',
  'follower-audit': 'result',
  'handle-availability': 'result',
  'shadowban-check': 'result',
};

const isOfPlatforms = ({ tool }: Endpoint): boolean => (tool?.platforms ?? []).length > 0;

const cells = tools
  .filter(isOfPlatforms)
  .flatMap((endpoint) => PLATFORMS.map((platform) => ({ name: nameOf(endpoint), platform, endpoint })));

describe('each tool on each platform', () => {
  it('every tool that serves platforms is tested here', () => {
    expect(Object.keys(ANSWERS).sort()).toEqual(tools.filter(isOfPlatforms).map(nameOf).sort());
  });

  it.each(cells)('$name on $platform is served, or refused with the platforms that are', async (cell) => {
    const { endpoint, platform } = cell;
    const served = endpoint.tool?.platforms ?? [];
    const { status, body, headers } = await program.post(
      `/v2${endpoint.path}`,
      bodyOn(endpoint, platform),
      key,
    );
    if (served.includes(platform)) {
      const expected = ANSWERS[nameOf(endpoint)];
      expect(status === 200 ? 'result' : body.error.code, JSON.stringify(body)).toBe(expected);
      return;
    }
    expect([status, body.error?.code]).toEqual([400, 'invalid_request']);
    const refused = body.error.details.find(({ path }: { path: string }) => path.endsWith('platform'));
    for (const other of served) expect(refused?.message).toContain(other);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  });

  it('GET /tools names the same platforms and requests as the table of the documentation', async () => {
    const { body } = await program.get('/v2/tools?limit=100', key);
    const listed = body.data.map(
      ({
        name,
        platforms,
        upstream_reads,
      }: {
        name: string;
        platforms: string[];
        upstream_reads: number;
      }) => [
        name,
        ...PLATFORMS.map((platform) => (platforms.includes(platform) ? '✓' : '400')),
        String(upstream_reads),
      ],
    );
    const page = readFileSync(new URL('../../docs/methods/tools.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z-]+)` \|((?: (?:✓|400) \|){7}) (\d+) \|/gm)].map(
      ([, name = '', marks = '', reads = '']) => [
        name,
        ...marks.split('|').flatMap((mark) => (mark.trim() === '' ? [] : [mark.trim()])),
        reads,
      ],
    );
    const named = (list: readonly string[][]) => [...list].sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
    expect(named(rows)).toEqual(named(listed).filter(([, ...marks]) => marks.includes('✓')));
  });
});
