import { describe, expect, it } from 'vitest';
import type { Http } from '../../../src/crawlers/http/port.ts';
import type { FollowsReading, PlatformAdapter, Reading } from '../../../src/crawlers/platforms/adapter.ts';
import { adapters } from '../../../src/crawlers/platforms/registry.ts';
import { withoutErased } from '../../../src/crawlers/platforms/shared/without-erased.ts';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { descriptorOf } from '../../../src/platforms/index.ts';
import type { Post } from '../../../src/write/accounts/post.ts';
import { emptyProfile, type Profile } from '../../../src/write/accounts/profile.ts';
import type { LeadFacts } from '../../../src/write/leads.ts';
import { createTestFence, fenceOf } from '../../support/erasures.ts';
import { plainPost } from '../../support/plain-post.ts';

const IDS: Readonly<Record<string, (name: string) => string>> = {
  youtube: (name) => `UC${name.padEnd(22, '0')}`,
  bluesky: (name) => `did:plc:${name.padEnd(24, '2')}`,
};

/** The names that an account has on a platform. */
const namesOn = ({ platform, parseHandle }: PlatformAdapter, name: string, number: string) => ({
  handle: parseHandle(name) ?? `${name}.bsky.social`,
  id: IDS[platform]?.(name) ?? number,
});

const page = { surface: 'page', warnings: [] } as const;

const profileOf = ({ id, handle }: { id: string | null; handle: string }, of: Partial<Profile> = {}) => ({
  ...emptyProfile(handle),
  id,
  ...of,
});

const post = (id: string, of: Partial<Post> = {}): Post => plainPost('', { id, text: null, ...of });

interface Shown {
  readonly profile: Profile;
  readonly posts: readonly Post[];
  readonly members: Extract<FollowsReading, { status: 'present' }>['members'];
  readonly facts?: LeadFacts;
}

/** An adapter whose every answer shows the same, and the requests that were sent through it. */
const showing = (adapter: PlatformAdapter, { profile, posts, members, facts }: Shown) => {
  const asked: string[] = [];
  const http: Http = {
    fetch: async ({ url }) => {
      asked.push(url);
      return { url, status: 200, headers: {}, body: '', bytes: 0 };
    },
    close: async () => undefined,
  };
  const ask = () => http.fetch({ platform: adapter.platform, url: 'https://example.com' });
  const reading: Reading = {
    ...page,
    status: 'present',
    profile,
    posts,
    measured: [],
    ...(facts === undefined ? {} : { facts }),
  };
  const listed = members.map(({ id, handle }) => ({
    id: `of ${id}`,
    author: id,
    handle,
    followers: null,
    verified: null,
    answers: null,
  }));
  const stub: PlatformAdapter = {
    ...adapter,
    read: async () => ask().then(() => reading),
    readPosts: async () => ask().then(() => reading),
    readPost: async () =>
      ask().then(() => ({
        ...page,
        status: 'present',
        profile,
        post: posts[0] as Post,
        measured: [],
        isPrivate: false,
      })),
    resolveUrl: async () =>
      ask().then(() => ({ status: 'present', address: { kind: 'handle', handle: profile.handle } })),
    registration: {
      parseHandle: adapter.parseHandle,
      read: async () => ask().then(() => ({ status: 'present', state: 'taken' })),
    },
    visibility: {
      search: async () => ask().then(() => ({ status: 'present', posts: listed })),
      suggestions: async () =>
        ask().then(() => ({ status: 'present', accounts: members.map(({ id }) => id) })),
      thread: async () =>
        ask().then(() => ({ status: 'present', replies: listed, cursor: null, hidden: null })),
    },
    readFollows: async () =>
      ask().then(() => ({
        ...page,
        status: 'present',
        members,
        profiles: new Map(members.map(({ id, handle }) => [id, profileOf({ id, handle: handle ?? id })])),
        order: 'unknown',
        cursor: null,
      })),
  };
  return { stub, http, asked };
};

type Named = Readonly<{ id: string; handle: string }>;

/** Everything that an adapter can be asked about an account, by its ID or its handle. */
const ASKS: Readonly<
  Record<string, (adapter: PlatformAdapter, http: Http, of: Named) => Promise<unknown>[]>
> = {
  read: ({ read }, http, { id, handle }) => [
    read({ kind: 'id', id }, { http, posts: true }),
    read({ kind: 'handle', handle }, { http, posts: true }),
  ],
  readPosts: ({ readPosts }, http, { id }) => [readPosts?.(id, { http, cursor: null, limit: 20 }) ?? fail()],
  readFollows: ({ readFollows }, http, { id }) => [
    readFollows?.(id, 'followers', { http, cursor: null }) ?? fail(),
  ],
  registration: ({ registration }, http, { handle }) => [registration?.read(handle, http) ?? fail()],
  visibility: ({ visibility }, http, { handle }) => [
    visibility?.search(handle, http) ?? fail(),
    visibility?.suggestions(handle, http) ?? fail(),
  ],
};

/** What does not say before it is read whose it is. */
const READS: Readonly<Record<string, (adapter: PlatformAdapter, http: Http) => Promise<unknown>[]>> = {
  readPost: ({ readPost }, http) => [readPost?.('1', { http }) ?? fail()],
  resolveUrl: ({ resolveUrl }, http) => [resolveUrl?.('https://example.com/c/somebody', http) ?? fail()],
};

const fail = (): never => {
  throw new Error('the stub has every part');
};

const resultsOf = (results: readonly Promise<unknown>[]) => Promise.all(results);

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (one instanceof Map ? [...one] : one));

const refused = expect.objectContaining({ status: 'unknown', reason: 'erased' });

it('every part of an adapter that asks its platform is among those that are tried', () => {
  const pure = new Set(Object.keys(descriptorOf('x')).concat('hosts', 'probes', 'surfaces', 'sessions'));
  for (const platform of PLATFORMS) for (const name of Object.keys(descriptorOf(platform))) pure.add(name);
  const parts = new Set(
    adapters.flatMap((adapter) => Object.keys(adapter).filter((name) => !pure.has(name))),
  );
  expect([...parts].sort()).toEqual([...Object.keys(ASKS), ...Object.keys(READS)].sort());
});

describe.each(adapters)('an account of $name that was erased', (adapter) => {
  const { platform } = adapter;
  const her = namesOn(adapter, 'canaryada', '4455667788990');
  const other = namesOn(adapter, 'somebody', '1122334455');
  const lifted: string[] = [];
  const lift = async (...[of, handle]: readonly [string, string]) => {
    lifted.push(`${of}:${handle}`);
  };
  const fence = fenceOf(
    { platform, id: her.id, handles: [her.handle] },
    { platform: 'linkedin', id: null, handles: ['company:canarycompany'] },
  );
  const without = (stub: PlatformAdapter, of = fence) => withoutErased(stub, { fence: of, lift });

  it('causes no request, by whatever it is named', async () => {
    const { stub, http, asked } = showing(adapter, {
      profile: profileOf(her),
      posts: [post('1')],
      members: [],
    });
    for (const ask of Object.values(ASKS))
      for (const result of await resultsOf(ask(without(stub), http, her))) expect(result).toEqual(refused);
    for (const address of [
      { kind: 'id', id: her.id } as const,
      { kind: 'handle', handle: her.handle } as const,
    ])
      for (const surface of without(adapter).surfaces) expect(surface.request(address)).toBeNull();
    expect(asked).toEqual([]);
  });

  it('is not read under another name, nor through a post or an address', async () => {
    const { stub, http } = showing(adapter, {
      profile: profileOf({ id: her.id, handle: other.handle }),
      posts: [post('1')],
      members: [],
    });
    const { read, readPosts, readPost } = without(stub);
    expect(await read({ kind: 'handle', handle: other.handle }, { http, posts: true })).toEqual(refused);
    expect(await readPosts?.(other.id, { http, cursor: null, limit: 20 })).toEqual(refused);
    expect(await readPost?.('1', { http })).toEqual(refused);
    const named = showing(adapter, { profile: profileOf(her), posts: [post('1')], members: [] });
    for (const ask of Object.values(READS))
      for (const result of await resultsOf(ask(without(named.stub), http))) expect(result).toEqual(refused);
  });

  it('is not read if it was erased while the platform was asked, whatever that answered', async () => {
    for (const ask of Object.values(ASKS)) {
      const shown = { profile: profileOf(other), posts: [post('1')], members: [other] };
      const { stub, http } = showing(adapter, shown);
      const { fence: later, erase } = createTestFence();
      const asked = { ...stub, read: async () => ({ ...page, status: 'absent' }) as const };
      const results = resultsOf(ask(without(asked, later), http, her));
      erase({ platform, id: her.id, handles: [her.handle] });
      for (const result of await results) expect(result).toEqual(refused);
    }
  });

  it('is left out of all that others show', async () => {
    const address = adapter.profileUrl(her.handle);
    const mention = adapter.hasMentions ? `with @${her.handle}` : 'with her';
    const { stub, http } = showing(adapter, {
      profile: profileOf(other, { bio: `${mention}, ${address}`, links: [address, 'https://example.com/'] }),
      posts: [
        post('1', { text: `${mention} ${address} said`, mentions: [her.handle, 'third'], url: address }),
        post('2', { kind: 'reply', reply_to: { post: '7', account: her.handle }, text: 'yes' }),
        post('3', { kind: 'repost', target: { post: '8', account: her.id }, text: 'canaryada wrote it' }),
      ],
      members: [her, other],
      facts: {
        kind: 'person',
        isWhole: true,
        facts: {
          slug: 'x',
          name: null,
          title: null,
          company: platform === 'linkedin' ? { name: 'canary', slug: 'canarycompany' } : null,
          location: null,
          country: null,
        },
      },
    });
    const asked = { ...ASKS, ...READS };
    let shown = 0;
    for (const ask of Object.values(asked)) {
      for (const result of await resultsOf(ask(without(stub), http, other))) {
        expect(result).toMatchObject({ status: 'present' });
        expect(textOf(result)).not.toMatch(/canary|4455667788990/);
        shown += textOf(result).includes(other.id) ? 1 : 0;
      }
    }
    expect(shown).toBeGreaterThan(5);
    const thread = await without(stub).visibility?.thread('1', null, http);
    expect(thread).toMatchObject({ replies: [{ author: other.id }] });
    const reading = await without(stub).read({ kind: 'handle', handle: other.handle }, { http, posts: true });
    expect(reading).toMatchObject({
      profile: { links: ['https://example.com/'] },
      posts: [{ id: '1' }, { id: '2' }],
    });
  });

  it('loses its handle to another one that is seen to have it', async () => {
    lifted.length = 0;
    const next = { id: other.id, handle: her.handle };
    const { stub, http } = showing(adapter, {
      profile: profileOf(next),
      posts: [post('1')],
      members: [next],
    });
    const { read, readFollows, visibility } = without(stub);
    expect(await read({ kind: 'id', id: other.id }, { http, posts: true })).toMatchObject({ profile: next });
    expect(await readFollows?.(other.id, 'followers', { http, cursor: null })).toMatchObject({
      members: [next],
    });
    expect(await visibility?.search(null, http)).toMatchObject({ posts: [{ author: other.id }] });
    expect(lifted).toEqual(Array(3).fill(`${platform}:${her.handle}`));
  });

  it('keeps its handle where nobody knows its ID, or a reading shows none', async () => {
    lifted.length = 0;
    const next = { id: other.id, handle: her.handle };
    const { stub, http } = showing(adapter, {
      profile: profileOf(next),
      posts: [post('1')],
      members: [next, other],
    });
    const { read, readFollows } = without(stub, fenceOf({ platform, id: null, handles: [her.handle] }));
    expect(await read({ kind: 'id', id: other.id }, { http, posts: true })).toEqual(refused);
    expect(await readFollows?.(other.id, 'followers', { http, cursor: null })).toMatchObject({
      members: [other],
    });
    const nameless = showing(adapter, { profile: profileOf({ ...next, id: null }), posts: [], members: [] });
    const renamed = without(nameless.stub).read({ kind: 'id', id: other.id }, { http, posts: true });
    expect(await renamed).toEqual(refused);
    expect(lifted).toEqual([]);
  });

  it('costs a reading nothing while none was erased', async () => {
    const { stub, http } = showing(adapter, {
      profile: profileOf(other),
      posts: [post('1')],
      members: [other],
    });
    const { read, readFollows } = without(stub, fenceOf());
    const address = { kind: 'handle', handle: other.handle } as const;
    const options = { http, posts: true };
    expect(await read(address, options)).toBe(await stub.read(address, options));
    const followers = { http, cursor: null };
    expect(await readFollows?.(other.id, 'followers', followers)).toEqual(
      await stub.readFollows?.(other.id, 'followers', followers),
    );
  });
});
