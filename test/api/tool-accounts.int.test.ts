import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account } from '../../infra/simulator/world/account.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';
import { sighted } from '../support/program.ts';

let program: LiveProgram;
let key: string;
/** An account of X that the catalog knows, read an hour ago, and another. */
let known: Account;
let beside: Account;
/** An account that only its platform knows. */
let unread: Account;

const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

const names = (await loadEndpoints()).flatMap(({ tool }) => tool?.name ?? []);
/** Tools that read platforms. */
const LIVE = ['follower-audit', 'shadowban-check', 'trust-report'];
/** Tools that are about a name, whether or not it has an account. */
const OF_NAMES = ['handle-availability', 'handle-similarity', 'username-score'];
const OF_CATALOG = names.filter((name) => !LIVE.includes(name) && !OF_NAMES.includes(name));

const run = (name: string, handle: string, more: object = {}) => {
  const other = { platform: 'x', handle: beside.handle };
  const besides: Readonly<Record<string, object>> = {
    'account-compare': { accounts: [other] },
    'audience-overlap': { other },
    'growth-projection': { days: 7 },
    'virality-check': { post_url: 'https://x.com/i/status/1580000000000000000' },
  };
  return program.post(`/v2/tools/${name}`, { platform: 'x', handle, ...besides[name], ...more }, key);
};

beforeAll(async () => {
  program = await createLiveProgram();
  key = await program.issueKey();
  const isLarge = (one: Account) => isOpen(one) && one.followers >= 100;
  known = program.account('x', isLarge);
  beside = program.account('x', (one) => isLarge(one) && one.id !== known.id);
  unread = program.account('x', (one) => isLarge(one) && one.id !== known.id && one.id !== beside.id);
  for (const { handle, id, followers } of [known, beside])
    await program.append('x', handle, sighted(handle, ago(1), { id, followers }));
  await program.project();
});
afterAll(() => program.close());

describe('an account that the catalog does not have', () => {
  it.each(OF_CATALOG)('is not found by %s, which reads the catalog', async (name) => {
    const { status, body, headers } = await run(name, unread.handle);
    expect([status, body.error?.code]).toEqual([404, 'not_found']);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  });

  it.each([...LIVE, ...OF_NAMES])('does not stop %s', async (name) => {
    expect((await run(name, unread.handle)).status).toBe(200);
  });

  it.each(LIVE)('is not found by %s, free, if its platform has none', async (name) => {
    const { status, body, headers } = await run(name, 'zz_nobody_zz');
    expect([status, body.error?.code]).toEqual([404, 'not_found']);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  });

  it.each(['instagram', 'tiktok', 'youtube', 'telegram'] as const)(
    'is read for a report where no follower is audited: %s',
    async (platform) => {
      const { handle } = program.account(
        platform,
        (one) => isOpen(one) && (platform !== 'telegram' || one.kind === 'channel'),
      );
      const { status, body } = await run('trust-report', handle, { platform });
      expect([status, body.data?.status, body.meta?.source], JSON.stringify(body)).toEqual([
        200,
        'active',
        'mixed',
      ]);
      expect(body.data.verdict).toBe('unknown');
      expect(body.data.inputs[0]).toMatchObject({ input: 'account', observed_at: expect.any(String) });
    },
  );

  it('is not called missing if its audit read it and found too few followers', async () => {
    const { handle } = program.account('x', (one) => isOpen(one) && one.followers > 0 && one.followers < 40);
    const { status, body } = await run('trust-report', handle);
    expect([status, body.error?.code], JSON.stringify(body)).toEqual([422, 'insufficient_data']);
  });

  it.each(['instagram', 'youtube'] as const)('is proven absent for a report: %s', async (platform) => {
    const { status, body } = await run('trust-report', 'zz_nobody_zz', { platform });
    expect([status, body.error?.code], JSON.stringify(body)).toEqual([404, 'not_found']);
  });
});

describe('max_age_s', () => {
  it.each([...OF_CATALOG, 'handle-similarity'])('makes %s refuse an older catalog reading', async (name) => {
    const { status, body, headers } = await run(name, known.handle, { max_age_s: 600 });
    expect([status, body.error?.code]).toEqual([422, 'insufficient_data']);
    expect(body.error.details).toMatchObject([
      { path: 'body.max_age_s', message: expect.stringMatching(/^was read 36\d\d s ago, needs 600;/) },
    ]);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
    const { body: answer } = await run(name, known.handle, { max_age_s: 7_200 });
    expect(JSON.stringify(answer)).not.toContain('max_age_s');
  });

  it.each([...LIVE, 'handle-availability'])('makes %s read the platform again', async (name) => {
    const { status, body } = await run(name, known.handle, { max_age_s: 0 });
    expect(status, JSON.stringify(body)).toBe(200);
    for (const { age_s } of body.data.inputs) expect(age_s ?? 0).toBeLessThan(60);
  });

  it('is a number of seconds for every tool', async () => {
    for (const name of names)
      for (const bad of [-1, 1.5, '600', null])
        expect((await run(name, known.handle, { max_age_s: bad })).status, `${name} ${bad}`).toBe(400);
  });
});

describe('further parameters of tools', () => {
  it.each([
    [{ handle: 'a b' }],
    [{ handle: ' ' }],
    [{ handle: '@' }],
    [{ handle: 'https://x.com/nasa' }],
    [{ handle: 'na.sa', platform: 'x' }],
    [{ handle: 'a'.repeat(21), platform: 'x' }],
    [{ handle: 'abc', platform: 'telegram' }],
  ])('%j is refused by username-score as no possible name', async (body) => {
    const { status, body: answer } = await program.post('/v2/tools/username-score', body, key);
    expect([status, answer.error?.code]).toEqual([400, 'invalid_request']);
    expect(answer.error.details).toMatchObject([{ path: 'body.handle' }]);
  });

  it.each([
    [{ handle: '@nasa' }],
    [{ handle: 'na.sa' }],
    [{ handle: 'na.sa', platform: 'instagram' }],
    [{ handle: 'nasa.bsky.social', platform: 'bluesky' }],
  ])('%j is accepted by username-score', async (body) => {
    const { status, body: answer } = await program.post('/v2/tools/username-score', body, key);
    expect([status, answer.data?.handle]).toEqual([200, body.handle.replace('@', '')]);
  });

  it('account-compare counts the account of the handle among the compared ones', async () => {
    const account = { platform: 'x', handle: beside.handle };
    const compare = (body: object) => program.post('/v2/tools/account-compare', body, key);
    const paths = async (body: object) =>
      (await compare(body)).body.error.details.map(({ path }: { path: string }) => path);
    const named = { platform: 'x', handle: known.handle };
    expect(await paths({ accounts: [account] })).toEqual(['body.accounts']);
    expect(await paths({ ...named, accounts: Array(5).fill(account) })).toEqual(['body.accounts']);
    expect(await paths({ handle: known.handle, accounts: [account, account] })).toEqual(['body']);
    expect(await paths({ ...account, accounts: [named, account] })).toEqual(['body.accounts.1.handle']);
    expect(await paths({ ...named, handle: unread.handle, accounts: [account] })).toEqual(['body.handle']);
  });

  it('handle-availability takes one platform or several, and says why one could not be read', async () => {
    const ask = (body: object) => program.post('/v2/tools/handle-availability', body, key);
    const { body } = await ask({ platform: 'x', handle: known.handle });
    expect(body.data.items).toMatchObject([{ platform: 'x', status: 'taken', error: null }]);
    const both = await ask({ platform: 'x', platforms: ['x'], handle: known.handle });
    expect(both.status).toBe(400);
    program.simulator.faults.set('telegram', 'server_error');
    const { body: part } = await ask({ handle: known.handle, platforms: ['x', 'telegram'] });
    program.simulator.faults.clear();
    expect(part.data.items).toMatchObject([
      { error: null },
      { status: 'unknown', error: { code: 'platform_error', message: expect.any(String) } },
    ]);
  });

  it('virality-check refuses a handle that is not the URL’s account', async () => {
    const post_url = `https://x.com/${beside.handle}/status/1580000000000000000`;
    const { status, body } = await run('virality-check', known.handle, { post_url });
    expect([status, body.error.details[0].path]).toEqual([400, 'body.post_url']);
    const own = await run('virality-check', beside.handle, { post_url });
    expect([own.status, own.body.error.message]).toEqual([404, 'The catalog has no such post.']);
    const nameless = await program.post(
      '/v2/tools/virality-check',
      { platform: 'x', post_url: 'https://x.com/i/status/1580000000000000000' },
      key,
    );
    expect(nameless.status).toBe(400);
  });
});
