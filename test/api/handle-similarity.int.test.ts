import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { lookAlikeRisk } from '../../src/analysis/handles.ts';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import runHandleSimilarity from '../../src/api/endpoints/tools/runHandleSimilarity.ts';
import { createTestProgram, sighted, type TestProgram, unavailable } from '../support/program.ts';

const HOUR_MS = 3_600_000;
const ago = (hours: number) => new Date(Date.UTC(2026, 9, 31) - hours * HOUR_MS).toISOString();

let program: TestProgram;
let key: string;

// biome-ignore lint/suspicious/noExplicitAny: each test states what it expects
type Answer = { status: number; data: any; meta: any; error: any };

/** Calls the tool, whose answer has to be what its schema says, to the letter. */
const call = async (body: unknown): Promise<Answer> => {
  const { status, body: answered } = await program.post('/v2/tools/handle-similarity', body, key);
  const { data } = runHandleSimilarity as Endpoint;
  if (status === 200) expect(z.parse(data, answered.data)).toEqual(answered.data);
  return { status, ...answered };
};

const handlesIn = ({ data }: Answer): readonly string[] =>
  data.matches.map(({ handle }: { handle: string }) => handle);

const add = (
  platform: Parameters<TestProgram['append']>[0],
  handle: string,
  followers: number | null,
  id: string,
) => program.append(platform, handle, sighted(handle, ago(2), { id, followers }));

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey(['tools:run']);
  await add('x', 'paypal', 2_000_000, '1');
  await add('x', 'paypa1', 40, '2');
  await add('x', 'paypai', 70, '3');
  await add('x', 'paypals', 5_000, '4');
  await add('x', 'apypal', 9_000, '5');
  await add('x', 'payapl2', 8_000, '6');
  await add('x', 'paypalz', 500, '7');
  await add('x', 'unlike', 5_000, '8');
  await add('telegram', 'paypal_', 5_000, '9');
  await program.append(
    'youtube',
    'nаsа',
    sighted('nаsа', ago(2), { id: `UC${'a'.repeat(22)}`, followers: 30 }),
  );
  await program.append(
    'bluesky',
    'ada.bsky.social',
    sighted('ada.bsky.social', ago(2), { followers: 5_000 }),
  );
  await program.append(
    'youtube',
    `UC${'b'.repeat(22)}`,
    sighted(`UC${'b'.repeat(22)}`, ago(2), { id: `UC${'b'.repeat(22)}` }),
  );
  await program.project();
});
afterAll(() => program.close());

describe('runHandleSimilarity', () => {
  it('lists handles that look the same or are two edits away, by distance, then by followers', async () => {
    const answer = await call({ platform: 'x', handle: '@PayPal' });
    expect(answer.status).toBe(200);
    expect(handlesIn(answer)).toEqual(['apypal', 'paypals', 'paypai', 'paypa1', 'payapl2']);
    expect(answer.data).toMatchObject({
      platform: 'x',
      handle: 'paypal',
      followers: 2_000_000,
    });
    expect(answer.data.matches.map((match: { distance: number }) => match.distance)).toEqual([1, 1, 1, 1, 2]);
    const [, , , last] = answer.data.matches;
    expect(last).toMatchObject({
      display_name: 'PAYPA1',
      followers: 40,
      verified: false,
      skeleton_equal: true,
    });
    const { risk } = lookAlikeRisk({
      isSkeletonEqual: true,
      distance: 1,
      length: 6,
      followers: [2_000_000, 40],
    });
    expect(last.risk).toBeCloseTo(risk, 5);
    const summed = last.parts.map(({ value, weight }: { value: number; weight: number }) => value * weight);
    expect(summed.reduce((a: number, b: number) => a + b)).toBeCloseTo(last.risk, 5);
  });

  it('states what it compared, as of when, and what it cannot know', async () => {
    const { data, meta } = await call({ platform: 'x', handle: 'paypal' });
    expect(data.inputs).toMatchObject([
      { input: 'account', observed_at: ago(2) },
      { input: 'matches', observed_at: ago(2) },
    ]);
    expect(data.not_known).toHaveLength(3);
    expect(meta).toMatchObject({ coverage: { capped: false }, warnings: [], source: 'catalog' });
    expect(meta.coverage.sampled).toBe(meta.coverage.total);
    expect(meta.coverage.sampled).toBeGreaterThanOrEqual(5);
  });

  it('returns the first of more matches than requested', async () => {
    expect(handlesIn(await call({ platform: 'x', handle: 'paypal', limit: 2 }))).toEqual([
      'apypal',
      'paypals',
    ]);
  });

  it('compares a handle that no account has, without its size', async () => {
    const answer = await call({ platform: 'x', handle: 'paypall' });
    expect(handlesIn(answer)).toEqual(['paypal', 'paypals', 'apypal', 'payapl2']);
    expect(answer.data.followers).toBeNull();
    expect(answer.data.matches[0].parts[2]).toMatchObject({ part: 'size', value: null, weight: 0 });
    expect(answer.data.not_known.join()).toContain('followers of the handle are not known');
    expect(answer.data.inputs.map(({ input }: { input: string }) => input)).toEqual(['matches']);
  });

  it('resolves a native id to its account’s handle', async () => {
    expect((await call({ platform: 'x', handle: 'id:1' })).data).toMatchObject({ handle: 'paypal' });
  });

  it('finds letters of other scripts, and Bluesky names without their domain', async () => {
    expect((await call({ platform: 'youtube', handle: 'nasa' })).data.matches).toMatchObject([
      { handle: 'nаsа', distance: 2, skeleton_equal: true },
    ]);
    expect((await call({ platform: 'bluesky', handle: 'adaa.bsky.social' })).data.matches).toMatchObject([
      { handle: 'ada.bsky.social', distance: 1 },
    ]);
  });

  it('has no matches of other platforms, and none for a handle without look-alikes', async () => {
    expect((await call({ platform: 'x', handle: 'unlike' })).data.matches).toEqual([]);
    expect((await call({ platform: 'instagram', handle: 'paypal' })).data).toMatchObject({
      matches: [],
      inputs: [{ input: 'matches', observed_at: null, age_s: null }],
    });
  });

  describe('suspects', () => {
    const BIO = 'Writes about engines and numbers';
    const shown = { display_name: 'Ada Lovelace 🌍', bio: BIO, links: ['https://ada.example/'] };
    const other = { ...shown, bio: 'Looks at the sky all night', links: ['https://stars.example/'] };
    const put = (
      platform: Parameters<TestProgram['append']>[0],
      handle: string,
      profile: Parameters<typeof sighted>[2],
    ) => program.append(platform, handle, sighted(handle, ago(2), profile));
    const suspectsOf = (answer: Answer): readonly string[] =>
      answer.data.suspects.map(
        ({ platform, handle }: { platform: string; handle: string }) => `${platform}:${handle}`,
      );

    beforeAll(async () => {
      await put('x', 'adalovelace', {
        ...shown,
        id: '70',
        links: ['https://ada.example/', 'https://t.me/lovelace_ada'],
      });
      await put('telegram', 'lovelace_ada', { ...shown, links: ['https://x.com/adalovelace'] });
      await put('instagram', 'ada_lovelace77', {
        ...shown,
        id: '71',
        links: ['https://ada.example/', 'https://t.me/lovelace_ada'],
      });
      await put('tiktok', 'lovelaceada9', {
        ...shown,
        id: '72',
        links: ['https://ada.example/', 'https://t.me/lovelace_ada'],
      });
      await program.append('tiktok', 'lovelaceada9', unavailable(ago(1), 'suspended'));
      await put('bluesky', 'lovelace-ada8.bsky.social', {
        ...shown,
        display_name: 'Ada Lovelace (parody)',
        links: [],
      });
      await put('youtube', 'adalovelace', { ...other, id: `UC${'c'.repeat(22)}` });
      await put('linkedin', 'ada-lovelace-5', {
        ...shown,
        links: ['https://ada.example/', 'https://t.me/lovelace_ada'],
      });
      await program.project();
    });

    it('are accounts that pose as another one, not its own, namesakes, parodies, LinkedIn pages or closed accounts', async () => {
      const answer = await call({ platform: 'x', handle: 'adalovelace' });
      expect(suspectsOf(answer)).toEqual(['instagram:ada_lovelace77']);
      expect(answer.data.suspects_compared).toBe(3);
      const [suspect] = answer.data.suspects;
      expect(suspect).toMatchObject({
        id: '71',
        profile_url: 'https://www.instagram.com/ada_lovelace77/',
        display_name: 'Ada Lovelace 🌍',
        last_seen_at: ago(2),
        // It links to an account of hers, as an own account that she never linked to would.
        verdict: 'unconfirmed_copy',
        risk: null,
      });
      const sum = suspect.parts.reduce(
        (total: number, { value, weight }: { value: number | null; weight: number }) =>
          total + (value ?? 0) * weight,
        0,
      );
      expect(sum).toBeCloseTo(suspect.log_odds, 2);
      expect(suspect.parts.map(({ part }: { part: string }) => part)).toEqual(
        expect.arrayContaining(['prior', 'name_as_written', 'bio_equal', 'links_equal', 'handle_similar']),
      );
      expect(answer.data.inputs.at(-1)).toMatchObject({ input: 'suspects', observed_at: ago(2) });
    });

    it('are found by a handle that the account left', async () => {
      await put('x', 'grace_hopper', { ...other, id: '80', display_name: 'Grace Hopper' });
      await program.append(
        'x',
        'hopper_grace1',
        sighted('hopper_grace1', ago(1), { ...other, id: '80', display_name: 'Grace Hopper' }),
      );
      await program.append(
        'x',
        'grace_hopper',
        sighted('grace_hopper', ago(1), { ...other, id: '81', display_name: 'Grace Hopper' }),
      );
      await program.project();
      const answer = await call({ platform: 'x', handle: 'hopper_grace1' });
      const [suspect] = answer.data.suspects;
      expect(suspect).toMatchObject({ handle: 'grace_hopper', direction: 'copies' });
      expect(suspect.risk).toBeCloseTo(1 / (1 + Math.exp(-suspect.log_odds)), 3);
      const parts = suspect.parts.map(({ part }: { part: string }) => part);
      expect(parts).toContain('former_handle');
    });

    it('are null for a handle without a known account', async () => {
      const { data } = await call({ platform: 'x', handle: 'adalovelac' });
      expect([data.suspects, data.suspects_compared]).toEqual([null, null]);
      expect(data.not_known.join()).toContain('no account that the catalog has read has the handle');
    });

    it('are at most as many as requested', async () => {
      await put('bluesky', 'ada-lovelace78.bsky.social', {
        ...shown,
        links: ['https://ada.example/', 'https://t.me/lovelace_ada'],
      });
      await program.project();
      expect(suspectsOf(await call({ platform: 'x', handle: 'adalovelace' }))).toHaveLength(2);
      expect(suspectsOf(await call({ platform: 'x', handle: 'adalovelace', limit: 1 }))).toHaveLength(1);
    });
  });

  it('says that edits of a handle beyond the indexed length are not compared', async () => {
    const { data } = await call({ platform: 'telegram', handle: 'a'.repeat(18) });
    expect(data.not_known.at(-1)).toContain('longer than those that are indexed');
  });

  it('leaves out closed accounts and former handles', async () => {
    await add('x', 'renamed1', 5_000, '20');
    await program.append('x', 'renamed2', sighted('renamed2', ago(1), { id: '20', followers: 5_000 }));
    await add('x', 'renamed3', 5_000, '21');
    await program.append('x', 'renamed3', unavailable(ago(1), 'suspended'));
    await program.project();
    expect(handlesIn(await call({ platform: 'x', handle: 'renamed0' }))).toEqual(['renamed2']);
  });

  it.each([
    ['a platform that it does not serve', { platform: 'linkedin', handle: 'nasa' }, 'body.platform'],
    ['no platform', { handle: 'nasa' }, 'body.platform'],
    ['what is no handle of the platform', { platform: 'x', handle: 'no handle' }, 'body.handle'],
    ['an empty handle', { platform: 'x', handle: '' }, 'body.handle'],
    ['a limit out of bounds', { platform: 'x', handle: 'nasa', limit: 101 }, 'body.limit'],
    ['a limit of 0', { platform: 'x', handle: 'nasa', limit: 0 }, 'body.limit'],
    ['a field that it does not know', { platform: 'x', handle: 'nasa', distance: 3 }, 'body'],
  ])('refuses %s', async (_, body, path) => {
    const { status, error } = await call(body);
    expect([status, error.code]).toEqual([400, 'invalid_request']);
    expect(error.details.map((detail: { path: string }) => detail.path).join()).toContain(path);
  });

  it('answers 404 for an id that the catalog lacks, or whose account has no handle', async () => {
    for (const [platform, handle] of [
      ['x', 'id:999'],
      ['youtube', `UC${'b'.repeat(22)}`],
    ])
      expect(await call({ platform, handle })).toMatchObject({ status: 404, error: { code: 'not_found' } });
  });

  it('makes no request to a platform', () => {
    expect(program.asked).toEqual([]);
  });
});
