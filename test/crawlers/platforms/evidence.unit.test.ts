import { describe, expect, it, test } from 'vitest';
import { truthOf } from '../../../infra/simulator/ground-truth.ts';
import { PLATFORMS } from '../../../infra/simulator/simulated-platforms.ts';
import type { Http } from '../../../src/crawlers/http/port.ts';
import type { Address, KnownStatus, Reading } from '../../../src/crawlers/platforms/adapter.ts';
import { withConfirmation } from '../../../src/crawlers/platforms/shared/confirmation.ts';
import { Fields } from '../../../src/crawlers/platforms/shared/field-reader.ts';
import { present } from '../../../src/crawlers/platforms/shared/reading-outcomes.ts';
import { surfaceOf } from '../../../src/crawlers/platforms/shared/surface.ts';
import { emptyProfile } from '../../../src/write/accounts/profile.ts';
import { page } from './pages.ts';
import { askable, honest, NOW, registry, SIZE, world } from './replaced-answers.ts';
import * as s from './samples.ts';
import { stubHttp } from './stub-http.ts';

/** HTTP to the simulated platforms, as they are. */
const simulated = () => {
  let requests = 0;
  const http: Http = {
    fetch: async (request) => {
      requests += 1;
      return honest(request);
    },
    close: () => Promise.resolve(),
  };
  return { http, requests: () => requests };
};

const gone = (platform: (typeof PLATFORMS)[number], status: 'suspended' | 'deactivated' | 'absent') =>
  Array.from({ length: SIZE }, (_, index) => truthOf(world, platform, index, NOW)).filter(
    (account) => account.status === status,
  );

describe.for(PLATFORMS)('%s', (platform) => {
  const adapter = registry.adapterOf(platform);

  it('never reads a closed account as existing, by handle or ID', async () => {
    for (const account of [
      ...gone(platform, 'suspended'),
      ...gone(platform, 'deactivated'),
      ...gone(platform, 'absent'),
    ]) {
      const addresses: Address[] = [
        { kind: 'handle', handle: account.handle },
        { kind: 'id', id: account.id },
      ];
      for (const address of addresses) {
        const reading = await adapter.read(address, { ...simulated(), posts: true });
        expect(['present', 'private'], `${account.handle} by ${address.kind}`).not.toContain(reading.status);
      }
    }
  });

  it('finds no evidence in an answer that only repeats the requested name', () => {
    const [{ handle } = { handle: '' }] = askable(platform);
    for (const address of [
      { kind: 'handle', handle },
      { kind: 'id', id: 'UCabcdefghijklmnopqrstuv' },
    ] as const) {
      const name = address.kind === 'handle' ? address.handle : address.id;
      const id = address.kind === 'id' ? address.id : null;
      const parse = (posts: [] | null) => () => ({
        ...present({ ...emptyProfile(name), id, display_name: 'x' }, posts, new Fields(), []),
        profile: { ...emptyProfile(name), id },
      });
      for (const posts of [[], null] as const) {
        const surface = surfaceOf(
          platform,
          's',
          'json',
          () => true,
          () => null,
          parse(posts as [] | null) as never,
        );
        const reading = surface.parse(page('{}', { url: adapter.profileUrl(name) }), address);
        expect(reading).toMatchObject({ status: 'unknown', detail: expect.stringContaining('repeats') });
      }
    }
  });
});

describe('youtube', () => {
  const youtube = registry.adapterOf('youtube');
  const terminated = gone('youtube', 'suspended');
  const closed = gone('youtube', 'deactivated');

  test('reports a terminated channel as suspended, and a closed one as absent', async () => {
    expect(terminated.length).toBeGreaterThan(0);
    for (const { id } of terminated) {
      const { http, requests } = simulated();
      const reading = await youtube.read({ kind: 'id', id }, { http, posts: true });
      expect(reading.status).toBe('suspended');
      expect(requests()).toBe(1);
    }
    for (const { id } of closed) {
      const reading = await youtube.read({ kind: 'id', id }, { ...simulated(), posts: true });
      expect(reading.status).toBe('absent');
    }
  });

  test('asks by the known ID whether the channel behind a lost handle was terminated', async () => {
    const statusOf = async ({ id, handle }: { id: string; handle: string }) => {
      const known = async (): Promise<KnownStatus> => 'seen';
      const knownNames = async () => ({ id, handle });
      const options = { ...simulated(), posts: false, known, knownNames };
      return (await youtube.read({ kind: 'handle', handle }, options)).status;
    };
    for (const account of terminated) expect(await statusOf(account)).toBe('suspended');
    for (const account of closed) expect(await statusOf(account)).toBe('absent');
  });

  test('ranks a stated termination above an ID to which the handle still leads', async () => {
    const error = { type: 'ERROR', text: { simpleText: 'This account has been terminated.' } };
    const alert = JSON.stringify({ alerts: [{ alertRenderer: error }] });
    const endpoint = { browseEndpoint: { browseId: `UC${'a'.repeat(22)}` } };
    const http = stubHttp({
      '/@sample': { body: `<script>var ytInitialData = ${alert};</script>` },
      resolve_url: { body: JSON.stringify({ endpoint }) },
    });
    const reading = await youtube.read({ kind: 'handle', handle: 'sample' }, { http, posts: false });
    expect(reading.status).toBe('suspended');
  });

  test('keeps the handle of a channel whose age gate shows none', async () => {
    const gated = Array.from({ length: SIZE }, (_, i) => truthOf(world, 'youtube', i, NOW)).find(
      ({ quirks, status }) => quirks.includes('age_gate') && status === 'active',
    );
    const { id = '', handle = '' } = gated ?? {};
    const knownNames = async () => ({ id, handle });
    const reading = await youtube.read({ kind: 'id', id }, { ...simulated(), posts: false, knownNames });
    expect(reading).toMatchObject({ status: 'present', profile: { id, handle } });
  });
});

describe('x', () => {
  test('ranks a suspension stated to a session above a header without a profile', async () => {
    const header = {
      props: { pageProps: { timeline: { entries: [] }, headerProps: { user: { protected: false } } } },
    };
    const reason = { __typename: 'UserUnavailable', reason: 'Suspended' };
    const http = stubHttp({
      'x.com/ann': { body: '<div id="react-root"></div>' },
      'screen-name/ann': { body: `<script id="__NEXT_DATA__">${JSON.stringify(header)}</script>` },
      graphql: { body: JSON.stringify({ data: { user: { result: reason } } }) },
    });
    const reading = await registry
      .adapterOf('x')
      .read({ kind: 'handle', handle: 'ann' }, { http, posts: false });
    expect(reading.status).toBe('suspended');
  });
});

describe('an answer that suspended accounts and unused names share', () => {
  const ambiguous: Reading = {
    status: 'unknown',
    reason: 'ambiguous',
    detail: 'either',
    surface: 'page',
    warnings: [],
  };
  const statusOf = async (known: KnownStatus | null, other: Reading = ambiguous) => {
    let asked = 0;
    const base = registry.adapterOf('tiktok');
    const [surface] = base.surfaces;
    if (surface === undefined) throw new Error('no surface');
    const adapter = withConfirmation({
      ...base,
      surfaces: [
        {
          ...surface,
          parse: () => {
            asked += 1;
            return asked === 1 ? ambiguous : other;
          },
        },
      ],
      read: async (address, { http }) => {
        const request = surface.request(address);
        if (request !== null) await http.fetch(request);
        return ambiguous;
      },
    });
    const http = stubHttp({ tiktok: {} });
    const options = { http, posts: false, known: async () => known };
    const reading = await adapter.read({ kind: 'handle', handle: 'ann' }, options);
    return [reading.status === 'unknown' ? reading.reason : reading.status, http.asked.length];
  };

  it('is a suspension if the catalog has seen the account, and four answers agree', async () => {
    expect(await statusOf('seen')).toEqual(['suspended', 4]);
  });

  it.for([null, 'absent'] as const)('proves neither if the catalog knows it as %s', async (known) => {
    expect(await statusOf(known)).toEqual(['ambiguous', 1]);
  });

  it('says nothing new about an account that was suspended before', async () => {
    expect(await statusOf('suspended')).toEqual(['suspended', 1]);
  });

  it('is unconfirmed if the next answer differs in kind', async () => {
    expect(await statusOf('seen', { ...ambiguous, reason: 'layout_changed' } as Reading)).toEqual([
      'unconfirmed',
      2,
    ]);
  });
});

describe('a Bluesky account that lost its handle', () => {
  const bluesky = registry.adapterOf('bluesky');
  const nameless = s.blueskyProfile({ handle: 'handle.invalid' });
  const read = async (profiles: readonly object[]) => {
    let asked = 0;
    const http: Http = {
      fetch: async ({ url }) => {
        const isProfile = url.includes('getProfile');
        if (isProfile) asked += 1;
        const author = { did: s.DID, handle: 'handle.invalid' };
        const answer = isProfile
          ? profiles[Math.min(asked, profiles.length) - 1]
          : { feed: [s.blueskyItem('a', { author })] };
        return page(JSON.stringify(answer), { url });
      },
      close: async () => undefined,
    };
    const address: Address = { kind: 'handle', handle: 'sample.example' };
    return { reading: await bluesky.read(address, { http, posts: false }), asked };
  };

  it('is found by a name that leads to it once three answers agree, since they name another', async () => {
    const { reading, asked } = await read([nameless]);
    expect(reading).toMatchObject({ status: 'present', profile: { id: s.DID, handle: s.DID } });
    expect(asked).toBe(3);
  });

  it('is not mistaken for the requested account if the next answer names that one', async () => {
    const { reading } = await read([nameless, s.blueskyProfile({ did: `did:plc:${'e'.repeat(24)}` })]);
    expect(reading).toMatchObject({ status: 'present', profile: { handle: 'sample.example' } });
  });
});
