import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Platform } from '../../infra/simulator/simulated-platforms.ts';
import type { Account } from '../../infra/simulator/world/account.ts';
import { codeOf, dayOf } from '../../src/crawlers/live-read/ownership.ts';
import { createLiveProgram, isOpen, type LiveProgram } from '../support/live.ts';

const OPERATIONS = [
  ['verifyXOwnership', 'x'],
  ['verifyInstagramOwnership', 'instagram'],
  ['verifyTiktokOwnership', 'tiktok'],
  ['verifyYoutubeOwnership', 'youtube'],
  ['verifyTelegramOwnership', 'telegram'],
  ['verifyBlueskyOwnership', 'bluesky'],
] as const;
const VERIFIED = OPERATIONS.map(([, platform]) => platform);
/** TikTok shows posts in a list that is read apart; it has originals as well. */
const PARTS = ['bio', 'name', 'post'] as const;

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];
let secrets: readonly Buffer[] = [OLD];

let program: LiveProgram;
let key: string;
let foreignKey: string;

beforeAll(async () => {
  program = await createLiveProgram({ verificationSecrets: () => secrets.map((secret) => ({ secret })) });
  key = await program.issueKey();
  foreignKey = await program.issueKey(undefined, { holder: 'stranger', plan: 'enterprise' });
});
afterAll(() => program.close());
afterEach(() => {
  secrets = [OLD];
  program.simulator.overrides.clear();
});

const accountOf = (platform: Platform): Account =>
  program.account(
    platform,
    (one) => isOpen(one) && (platform === 'telegram' ? one.kind === 'channel' : one.kind !== 'bot'),
  );

const show = (account: Account, part: (typeof PARTS)[number], text: string): void => {
  const written = `See ${text} there`;
  program.simulator.overrides.set(
    account.platform,
    account.index,
    part === 'bio' ? { bio: written } : part === 'name' ? { displayName: text } : { post: written },
  );
};

const verify = async (platform: Platform, handle: string, as = key) => {
  const answer = await program.get(`/v2/scrape/${platform}/verify?handle=${handle}`, as);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};

const codeFor = (
  account: Account,
  { holder = 'tester', platform = account.platform, handle = account.handle, ago = 0, secret = OLD } = {},
): string => codeOf(secret, { holder, platform, account: handle }, dayOf(Date.now()) - ago);

describe.each(OPERATIONS)('%s: an account of %s', (_, platform) => {
  it.each(PARTS)('is verified by today’s code and that of six days ago in its %s', async (part) => {
    const account = accountOf(platform);
    for (const ago of [0, 6]) {
      program.simulator.overrides.clear();
      show(account, part, codeFor(account, { ago }));
      expect(await verify(platform, account.handle)).toMatchObject({ verified: true, matched_in: part });
    }
  });

  it('is not verified by a code of eight days ago, or of another holder, handle or platform', async () => {
    const account = accountOf(platform);
    const others = [
      codeFor(account, { ago: 7 }),
      codeFor(account, { ago: 8 }),
      codeFor(account, { ago: -1 }),
      codeFor(account, { holder: 'stranger' }),
      codeFor(account, { handle: `${account.handle}2` }),
      codeFor(account, { platform: platform === 'x' ? 'tiktok' : 'x' }),
      codeFor(account, { secret: NEW }),
    ];
    for (const part of PARTS) {
      for (const code of others) {
        program.simulator.overrides.clear();
        show(account, part, code);
        expect(await verify(platform, account.handle)).toMatchObject({ verified: false, matched_in: null });
      }
    }
  });

  it('has one code a day, which the next call finds', async () => {
    const account = accountOf(platform);
    const first = await verify(platform, account.handle);
    expect(first).toMatchObject({ verified: false, status: 'active', handle: account.handle });
    expect(first.instructions).toContain(first.code);
    show(account, 'bio', first.code.toUpperCase().replaceAll('-', '‑'));
    const second = await verify(platform, account.handle);
    expect(second).toMatchObject({ verified: true, code: first.code, expires_at: first.expires_at });
    expect(await verify(platform, account.handle, foreignKey)).toMatchObject({ verified: false });
  });

  it('has a code for each reference, which verifies no other', async () => {
    const account = accountOf(platform);
    const as = (reference: string) => verify(platform, `${account.handle}&reference=${reference}`);
    const [ada, bob, nobody] = [await as('ada'), await as('bob'), await verify(platform, account.handle)];
    expect(new Set([ada.code, bob.code, nobody.code]).size).toBe(3);
    show(account, 'bio', ada.code);
    expect(await as('ada')).toMatchObject({ verified: true, id: ada.id });
    expect(await as('bob')).toMatchObject({ verified: false });
    expect(await verify(platform, account.handle)).toMatchObject({ verified: false });
  });

  it('has its code sought only in the requested parts', async () => {
    const account = accountOf(platform);
    for (const part of PARTS) {
      program.simulator.overrides.clear();
      show(account, part, codeFor(account));
      for (const parts of ['bio', 'name', 'post', 'bio,name', 'post,bio']) {
        const answer = await verify(platform, `${account.handle}&parts=${parts}`);
        const counts = parts.split(',').includes(part);
        expect([parts, part, answer.verified, answer.matched_in]).toEqual([
          parts,
          part,
          counts,
          counts ? part : null,
        ]);
        expect(answer.checked.toSorted()).toEqual(parts.split(',').toSorted());
      }
    }
    const refused = await program.get(`/v2/scrape/${platform}/verify?handle=a&parts=website`, key);
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'query.parts']);
  });

  it('is verified by a code of the previous secret after a rotation', async () => {
    const account = accountOf(platform);
    show(account, 'bio', codeFor(account, { ago: 3 }));
    secrets = [NEW, OLD];
    const found = await verify(platform, account.handle);
    expect(found).toMatchObject({ verified: true });
    expect(found.code).toBe(codeFor(account, { secret: NEW }));
    secrets = [NEW];
    expect(await verify(platform, account.handle)).toMatchObject({ verified: false });
  });

  it('is answered and charged if it is absent', async () => {
    const handle = platform === 'bluesky' ? 'zz-nobody-zz.bsky.social' : 'zznobodyzzq';
    const { status, body, headers } = await program.get(
      `/v2/scrape/${platform}/verify?handle=${handle}`,
      key,
    );
    // TikTok, Instagram and Telegram prove it by their pages.
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: 'absent', verified: false, matched_in: null });
    expect(body.data.instructions).toMatch(/absent: check the handle/);
    expect(headers).toMatchObject({ 'x-request-cost': '5' });
  });
});

describe('a post with the code that is not the account’s own original', () => {
  const forms = [
    ...(['x', 'bluesky'] as const).flatMap((platform) =>
      (['reply', 'repost', 'quote'] as const).map((kind) => [platform, kind] as const),
    ),
    ...(['reply', 'repost'] as const).map((kind) => ['telegram', kind] as const),
  ];
  it.each(forms)('verifies no account: %s, %s', async (platform, kind) => {
    const account = accountOf(platform);
    const stranger = program.account(platform, (one) => isOpen(one) && one.index !== account.index);
    const code = codeFor(account);
    const post = `See ${code} there`;
    program.simulator.overrides.set(platform, stranger.index, { post });
    program.simulator.overrides.set(platform, account.index, { post, postKind: kind, cites: stranger.index });
    expect(await verify(platform, account.handle)).toMatchObject({ verified: false, matched_in: null });
  });
});

it.each([
  '',
  'handle=',
  'handle=a&handle=b',
  'handle=x%00y',
  'handle=%F0%9F%98%80',
  `handle=${'a'.repeat(1_100)}`,
  'handle=nasa&platform=x',
])('a verification of "%s" is refused, and nothing is read', async (query) => {
  for (const platform of VERIFIED) {
    const { status, body, headers } = await program.get(`/v2/scrape/${platform}/verify?${query}`, key);
    expect(status).toBe(400);
    expect(body.error.code).toBe('invalid_request');
    expect(body.error.details.length).toBeGreaterThan(0);
    expect(headers).toMatchObject({ 'x-request-cost': '0' });
  }
});

it('a code is neither found nor missing where a part could not be read', async () => {
  const shy = program.account('instagram', (one) => one.status === 'private');
  const unread = await verify('instagram', shy.handle);
  expect(unread).toMatchObject({ status: 'private', verified: null, matched_in: null });
  expect(unread.checked).not.toContain('post');
  expect(await verify('instagram', `${shy.handle}&parts=bio`)).toMatchObject({ verified: false });
  show(shy, 'bio', codeFor(shy));
  expect(await verify('instagram', shy.handle)).toMatchObject({ verified: true, matched_in: 'bio' });
});
