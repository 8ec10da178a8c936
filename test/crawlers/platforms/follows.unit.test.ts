import { describe, expect, test } from 'vitest';
import { FetchError, type Http, type HttpRequest } from '../../../src/crawlers/http/port.ts';
import type { FollowsReading } from '../../../src/crawlers/platforms/adapter.ts';
import { adapterOf } from '../../../src/crawlers/platforms/registry.ts';
import { createX } from '../../../src/crawlers/platforms/x/index.ts';
import * as s from './samples.ts';
import { stubHttp } from './stub-http.ts';

const json = (value: unknown, more: object = {}) => ({ body: JSON.stringify(value), ...more });

const read = (
  adapter: ReturnType<typeof adapterOf>,
  owner: string,
  http: ReturnType<typeof stubHttp>,
  cursor: string | null = null,
): Promise<FollowsReading> => {
  if (adapter.readFollows === undefined) throw new Error('the platform shows no lists');
  return adapter.readFollows(owner, 'followers', { http, cursor });
};

describe('X', () => {
  const x = createX();
  const members = [
    { id: '1', handle: 'Ann' },
    { id: '2', handle: 'Bob' },
  ];

  test('lists followers with the cursor of the next page', async () => {
    const http = stubHttp({ Followers: json(s.xFollowers(members, '17|9')) });
    const { profiles, withoutPicture, ...page } = (await read(x, '42', http)) as Extract<
      FollowsReading,
      { status: 'present' }
    >;
    expect([...(profiles?.keys() ?? [])]).toEqual(['1', '2']);
    expect(withoutPicture?.size).toBe(0);
    expect(profiles?.get('2')).toMatchObject({ id: '2', handle: 'bob' });
    expect(page).toEqual({
      status: 'present',
      surface: 'graphql',
      members: [
        { id: '1', handle: 'ann' },
        { id: '2', handle: 'bob' },
      ],
      order: 'newest_first',
      cursor: '17|9',
    });
    await read(x, '42', http, '17|9');
    expect(decodeURIComponent(http.asked.at(-1) ?? '')).toContain('"cursor":"17|9"');
  });

  test('knows the last page by its cursor', async () => {
    const last = stubHttp({ Followers: json(s.xFollowers(members, '0|9')) });
    expect(await read(x, '42', last)).toMatchObject({ members: { length: 2 }, cursor: null });
    const empty = stubHttp({ Followers: json(s.xFollowers([], '0|9')) });
    expect(await read(x, '42', empty)).toMatchObject({ status: 'present', members: [], cursor: null });
    // An empty page that goes on is no end: everyone after it would seem to have unfollowed.
    const hidden = stubHttp({ Followers: json(s.xFollowers([], '17|9')) });
    expect((await read(x, '42', hidden)).status).toBe('unknown');
  });

  test('does not mistake a refusal for an empty list', async () => {
    const hidden = { data: { user: { result: { __typename: 'UserUnavailable', reason: 'Protected' } } } };
    expect(await read(x, '42', stubHttp({ Followers: json(hidden) }))).toMatchObject({ status: 'private' });
    for (const answer of [
      json({ data: {} }),
      json({ errors: [{ code: 326, message: 'locked' }] }, { status: 403 }),
      json({}, { status: 404 }),
      { body: '<html>' },
      new FetchError('timeout', 'late'),
    ]) {
      expect((await read(x, '42', stubHttp({ Followers: answer }))).status).toBe('unknown');
    }
  });

  test('needs a session, the previous page’s if there is one', async () => {
    expect(await read(createX(), '42', stubHttp({}))).toMatchObject({ reason: 'not_configured' });
    const asked: HttpRequest[] = [];
    const http = stubHttp({ Followers: json(s.xFollowers(members, '17|9')) });
    const noting: Http = {
      ...http,
      fetch: (request) => {
        asked.push(request);
        return http.fetch(request);
      },
    };
    await createX().readFollows?.('42', 'followers', { http: noting, cursor: null });
    await createX().readFollows?.('42', 'followers', { http: noting, cursor: '17|9', session: 'ses_1' });
    expect(asked.map(({ session }) => session)).toEqual([
      { operation: 'Followers' },
      { operation: 'Followers', id: 'ses_1' },
    ]);
  });
});

describe('Bluesky', () => {
  const bluesky = adapterOf('bluesky');
  const actor = (name: string, more: object = {}) => ({
    did: `did:plc:${name}`,
    handle: `${name}.example`,
    ...more,
  });
  const subject = { did: s.DID, handle: 'sample.example' };

  test('lists followers, without those who opted out of being shown', async () => {
    const hidden = actor('shy', { labels: [{ val: '!no-unauthenticated' }] });
    const http = stubHttp({
      getFollowers: json({
        subject,
        followers: [
          actor('ann', { description: 'Hi', avatar: 'https://cdn.bsky.app/a' }),
          hidden,
          actor('gone', { handle: 'handle.invalid' }),
        ],
        cursor: 'c',
      }),
    });
    const { profiles, withoutPicture, ...page } = (await read(bluesky, s.DID, http)) as Extract<
      FollowsReading,
      { status: 'present' }
    >;
    // Figures are not listed; a bio and a picture that are missing are none.
    expect(profiles?.get('did:plc:ann')).toMatchObject({ followers: null, posts: null, bio: 'Hi' });
    expect(profiles?.get('did:plc:gone')).toMatchObject({ bio: '' });
    expect([...(withoutPicture ?? [])]).toEqual(['did:plc:gone']);
    expect(page).toEqual({
      status: 'present',
      surface: 'getFollowers',
      members: [
        { id: 'did:plc:ann', handle: 'ann.example' },
        { id: 'did:plc:gone', handle: null },
      ],
      order: 'newest_first',
      cursor: 'c',
    });
  });

  test('lists followed accounts by another call', async () => {
    const http = stubHttp({ getFollows: json({ subject, follows: [actor('ann')] }) });
    const reading = await bluesky.readFollows?.(s.DID, 'following', { http, cursor: null });
    expect(reading).toMatchObject({ surface: 'getFollows', members: { length: 1 }, cursor: null });
  });

  test('treats another account’s list, and every failure, as unknown', async () => {
    for (const [answer, verdict] of [
      [json({ subject: actor('other'), followers: [] }), 'unknown'],
      [json({ subject }), 'unknown'],
      [json({ error: 'AccountTakedown', message: 'x' }, { status: 400 }), 'suspended'],
      [json({ error: 'InvalidRequest', message: 'Actor not found' }, { status: 400 }), 'unknown'],
      [json({}, { status: 502 }), 'unknown'],
      [json({ subject: { ...subject, labels: [{ val: '!no-unauthenticated' }] }, followers: [] }), 'private'],
    ] as const) {
      expect((await read(bluesky, s.DID, stubHttp({ getFollowers: answer }))).status).toBe(verdict);
    }
  });
});

test('platforms without public lists have none', () => {
  for (const platform of ['instagram', 'tiktok', 'youtube', 'telegram', 'linkedin'] as const)
    expect(adapterOf(platform).readFollows).toBeUndefined();
});
