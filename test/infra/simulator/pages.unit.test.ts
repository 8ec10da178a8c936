import { describe, expect, it } from 'vitest';
import { truthOf } from '../../../infra/simulator/ground-truth.ts';
import { SITES } from '../../../infra/simulator/platforms/registry.ts';
import type { Visible, VisibleProfile } from '../../../infra/simulator/platforms/site.ts';
import { PLATFORMS, type Platform } from '../../../infra/simulator/simulated-platforms.ts';
import type { Account, Status } from '../../../infra/simulator/world/account.ts';
import { createWorld } from '../../../infra/simulator/world/world.ts';

const NOW = Date.UTC(2026, 9, 1);
const SIZE = 400;
const world = createWorld({ seed: 7, size: SIZE, clock: { now: () => NOW } });

// Paths into foreign JSON: what is not there is undefined and fails the comparison.
// biome-ignore lint/suspicious/noExplicitAny: a test digs through pages whose shape it is there to check
type Json = any;

const fetchPage = (
  platform: Platform,
  url: string,
  init: { headers?: Record<string, string>; body?: unknown } = {},
): { status: number; text: string; location: string | undefined } => {
  const { host, pathname, searchParams } = new URL(url);
  const reply = SITES[platform].serve(world, {
    method: init.body === undefined ? 'GET' : 'POST',
    host,
    path: decodeURIComponent(pathname),
    query: searchParams,
    headers: init.headers ?? {},
    body: JSON.stringify(init.body) ?? '',
    at: NOW,
  });
  return { status: reply.status, text: reply.body.map(String).join(''), location: reply.headers.location };
};

const between = (text: string, start: string, end: string): string => {
  const from = text.indexOf(start);
  if (from < 0) return '';
  return text.slice(from + start.length, text.indexOf(end, from + start.length));
};
const script = (text: string, opening: string): Json =>
  JSON.parse(between(text, opening, '</script>') || 'null');
const plain = (html: string): string =>
  html
    .replace(/<br\/>/g, '\n')
    .replace(/<[^>]+>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim();

const accounts = (platform: Platform, status: Status = 'active', quirks = 0): Account[] =>
  Array.from({ length: SIZE }, (_, index) => world.account(platform, index)).filter(
    (account) => account.status === status && account.quirks.size === quirks,
  );
const first = (platform: Platform, status: Status): Account => {
  const [found] = accounts(platform, status);
  if (!found) throw new Error(`no ${status} account on ${platform}`);
  return found;
};
const seen = (account: Account, surface: string): Visible => {
  const found = truthOf(world, account.platform, account.index, NOW).visible.find(
    (v) => v.surface === surface,
  );
  if (!found) throw new Error(`no surface ${surface}`);
  return found;
};
const profile = (account: Account, surface: string): VisibleProfile => {
  const found = seen(account, surface).profile;
  if (!found) throw new Error(`nothing visible on ${surface} of ${account.handle}`);
  return found;
};
const sample = (platform: Platform, quirks = 0) => accounts(platform, 'active', quirks).slice(0, 60);
const token = { authorization: 'Bearer a', 'x-guest-token': '1' };
const graphqlUser = (account: Account): Json => {
  const variables = encodeURIComponent(JSON.stringify({ screen_name: account.handle }));
  const url = `https://api.x.com/graphql/q/UserByScreenName?variables=${variables}&features=%7B%7D`;
  return JSON.parse(fetchPage('x', url, { headers: token }).text);
};

describe('X', () => {
  it('shows on its page what the ground truth says it shows', () => {
    for (const account of sample('x')) {
      const data = script(
        fetchPage('x', `https://x.com/${account.shown}`).text,
        'data-testid="UserProfileSchema-test">',
      );
      const counts = Object.fromEntries(
        data.mainEntity.interactionStatistic.map((one: Json) => [
          one.interactionType,
          one.userInteractionCount,
        ]),
      );
      const told = profile(account, 'page');
      expect(data['@type']).toBe('ProfilePage');
      expect([data.mainEntity.identifier, data.mainEntity.name, data.mainEntity.description]).toEqual([
        told.id,
        told.display_name,
        told.bio,
      ]);
      expect([data.dateCreated, data.mainEntity.image.contentUrl]).toEqual([
        told.created_at,
        told.avatar_url,
      ]);
      expect(counts).toEqual({
        'https://schema.org/FollowAction': told.followers,
        'https://schema.org/SubscribeAction': told.following,
        'https://schema.org/WriteAction': told.posts,
      });
    }
  });
  it('embeds the timeline with the whole user and no views', () => {
    for (const account of sample('x').filter((one) => one.posts > 0)) {
      const page = fetchPage(
        'x',
        `https://syndication.twitter.com/srv/timeline-profile/screen-name/${account.handle}`,
      );
      const { entries } = script(page.text, '<script id="__NEXT_DATA__" type="application/json">').props
        .pageProps.timeline;
      const { tweet } = entries[0].content;
      const told = profile(account, 'syndication');
      expect([tweet.user.id_str, tweet.user.followers_count, tweet.user.is_blue_verified]).toEqual([
        told.id,
        told.followers,
        told.verified,
      ]);
      expect(entries.length).toBe(Math.min(20, account.posts));
    }
  });
  it('answers GraphQL in two shapes with the same facts', () => {
    const shapes = new Set<boolean>();
    for (const account of sample('x')) {
      const user = graphqlUser(account).data.user.result;
      const told = profile(account, 'graphql');
      shapes.add('core' in user);
      const verified =
        user.is_blue_verified || Boolean(user.verification?.verified_type ?? user.legacy?.verified_type);
      expect([
        user.rest_id,
        user.relationship_counts?.followers ?? user.legacy.followers_count,
        user.tweet_counts?.tweets ?? user.legacy.statuses_count,
        user.profile_bio?.description ?? user.legacy.description,
        verified,
      ]).toEqual([told.id, told.followers, told.posts, told.bio, told.verified]);
    }
    expect(shapes.size).toBe(2);
  });
  it('distinguishes suspended from absent by GraphQL only', () => {
    const [suspended, gone] = [first('x', 'suspended'), first('x', 'deactivated')];
    expect(graphqlUser(suspended).data.user.result.__typename).toBe('UserUnavailable');
    expect(graphqlUser(gone).data.user).toBeUndefined();
    for (const handle of [suspended.handle, gone.handle, 'nobody_at_all']) {
      const page = fetchPage('x', `https://x.com/${handle}`);
      expect([page.status, page.text.includes('ProfilePage')]).toEqual([200, false]);
    }
    const closed = first('x', 'private');
    const url = `https://syndication.twitter.com/srv/timeline-profile/screen-name/`;
    expect(fetchPage('x', url + closed.handle).status).toBe(403);
    expect(fetchPage('x', url + suspended.handle).status).toBe(404);
  });
});

describe('Instagram', () => {
  const userOf = (account: Account): Json => {
    const text = fetchPage('instagram', `https://www.instagram.com/${account.handle}/`).text;
    return JSON.parse(between(text, '"xig_user_by_username":', '},"extensions"'));
  };
  const infoOf = (account: Account): Json =>
    JSON.parse(
      fetchPage(
        'instagram',
        `https://www.instagram.com/api/v1/users/web_profile_info/?username=${account.handle}`,
        {
          headers: { 'x-ig-app-id': '1' },
        },
      ).text,
    ).data.user;
  it('shows the same on its page and in its call', () => {
    for (const account of [...sample('instagram'), first('instagram', 'private')]) {
      const [page, info] = [userOf(account), infoOf(account)];
      const told = profile(account, 'web_profile_info');
      expect([page.pk, page.full_name, page.biography, page.follower_count, page.is_verified]).toEqual([
        told.id,
        told.display_name,
        told.bio,
        told.followers,
        told.verified,
      ]);
      expect([info.id, info.edge_followed_by.count, info.edge_owner_to_timeline_media.count]).toEqual([
        told.id,
        told.followers,
        told.posts,
      ]);
      expect(page.is_private).toBe(account.status === 'private');
      if (account.status === 'private') expect(page.polaris_ordered_timeline_connection.edges).toEqual([]);
    }
  });
});

describe('TikTok', () => {
  it('shows exact counts on its page and overflowed ones in the embed', () => {
    for (const account of sample('tiktok')) {
      const page = script(
        fetchPage('tiktok', `https://www.tiktok.com/@${account.handle}`).text,
        '<script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">',
      );
      const { userInfo, statusCode } = page.__DEFAULT_SCOPE__['webapp.user-detail'];
      const told = profile(account, 'page');
      expect([statusCode, userInfo.user.id, userInfo.user.signature]).toEqual([0, told.id, told.bio]);
      expect([userInfo.statsV2.followerCount, userInfo.statsV2.videoCount]).toEqual([
        String(told.followers),
        String(told.posts),
      ]);
      const embed = script(
        fetchPage('tiktok', `https://www.tiktok.com/embed/@${account.handle}`).text,
        '<script id="__FRONTITY_CONNECT_STATE__" type="application/json">',
      ).source.data[`/embed/@${account.handle}`].userInfo;
      const hearts = embed.heartCount < 0 ? embed.heartCount + 2 ** 32 : embed.heartCount;
      expect([embed.followerCount, hearts]).toEqual([told.followers, account.hearts]);
    }
  });
  it.each([
    ['suspended', 10221],
    ['private', 10222],
  ] as const)('answers for a %s account with %i', (status, code) => {
    const { text } = fetchPage('tiktok', `https://www.tiktok.com/@${first('tiktok', status).handle}`);
    expect(text).toContain(`"statusCode":${code}`);
  });
  it('returns 10202 for an unused name, with status 200', () => {
    const page = fetchPage('tiktok', 'https://www.tiktok.com/@nobody.at.all');
    expect([page.status, page.text.includes('"statusCode":10202')]).toEqual([200, true]);
  });
});

describe('YouTube', () => {
  it('states its counts in words, and the creation time in the feed only', () => {
    for (const account of sample('youtube')) {
      const { text } = fetchPage('youtube', `https://www.youtube.com/@${account.handle}`);
      const data = JSON.parse(between(text, 'var ytInitialData = ', ';</script>'));
      const told = profile(account, 'page');
      const meta = data.metadata.channelMetadataRenderer;
      expect([meta.externalId, meta.title, meta.description]).toEqual([told.id, told.display_name, told.bio]);
      const { metadataRows } =
        data.header.pageHeaderRenderer.content.pageHeaderViewModel.metadata.contentMetadataViewModel;
      const words = metadataRows.at(-1).metadataParts.map((part: Json) => part.text.content);
      const [number, suffix] = /^([\d.]+)([KMB]?) subscribers?$/.exec(words[0])?.slice(1) ?? [];
      const scale = { '': 1, K: 1e3, M: 1e6, B: 1e9 }[suffix ?? ''] ?? Number.NaN;
      expect(Math.round(Number(number) * scale)).toBe(told.followers);
      const feed = fetchPage(
        'youtube',
        `https://www.youtube.com/feeds/videos.xml?channel_id=${account.id}`,
      ).text;
      const created = Date.parse(between(feed, '<published>', '</published>'));
      expect(new Date(created).toISOString()).toBe(profile(account, 'feed').created_at);
    }
  });
  it('resolves a handle, and reports a terminated channel', () => {
    const call = (path: string, body: unknown) => {
      const page = fetchPage('youtube', `https://www.youtube.com/youtubei/v1/${path}`, { body });
      return { status: page.status, data: JSON.parse(page.text) as Json };
    };
    const [alive, ended] = [first('youtube', 'active'), first('youtube', 'suspended')];
    const found = call('navigation/resolve_url', { url: `https://www.youtube.com/@${alive.handle}` });
    expect(found.data.endpoint.browseEndpoint.browseId).toBe(alive.id);
    const gone = call('navigation/resolve_url', { url: 'https://www.youtube.com/@nobody-at-all' });
    expect([gone.status, gone.data.error.status]).toEqual([404, 'NOT_FOUND']);
    const { alerts } = call('browse', { browseId: ended.id }).data;
    expect(alerts[0].alertRenderer.text.simpleText).toContain('terminated');
  });
});

describe('Telegram', () => {
  it('shows for each kind what its page shows', () => {
    const kinds = new Set<string>();
    for (const account of sample('telegram')) {
      const { text } = fetchPage('telegram', `https://t.me/${account.shown}`);
      const told = profile(account, 'landing');
      expect(plain(between(text, '<div class="tgme_page_description" dir="auto">', '</div>'))).toBe(told.bio);
      const extras = [...text.matchAll(/tgme_page_extra">\s*([^<]*?)\s*</g)].map((hit) => hit[1] ?? '');
      const counted = extras.find((extra) => /^[\d ]+ (subscriber|member)/.test(extra));
      const n = counted ? Number(/^[\d ]+/.exec(counted)?.[0].replaceAll(' ', '')) : null;
      expect(n, extras.join()).toBe(told.followers);
      expect(text.includes('verified-icon')).toBe(told.verified);
      kinds.add(account.kind);
    }
    expect([...kinds].sort()).toEqual(['bot', 'channel', 'group', 'person']);
  });
  it('previews a channel’s posts from its creation on', () => {
    const channel = sample('telegram').find(
      (one) => one.kind === 'channel' && one.posts > 0 && one.posts < 20,
    );
    if (!channel) throw new Error('no such channel');
    const { text } = fetchPage('telegram', `https://t.me/s/${channel.handle}`);
    expect(text).toContain(`data-post="${channel.shown}/1"`);
    expect(text.match(/data-post=/g)?.length).toBe(channel.posts + 1);
  });
  it('shows an unused or former name as noindex and without a title', () => {
    for (const handle of ['nobody_at_all', first('telegram', 'suspended').handle]) {
      const { text } = fetchPage('telegram', `https://t.me/${handle}`);
      expect([text.includes('noindex'), /tgme_page_(title|extra)/.test(text)]).toEqual([true, false]);
      expect(fetchPage('telegram', `https://t.me/s/${handle}`).location).toBe(`https://t.me/${handle}`);
    }
  });
});

describe('Bluesky', () => {
  const get = (method: string, actor: string): Json =>
    JSON.parse(
      fetchPage('bluesky', `https://public.api.bsky.app/xrpc/app.bsky.${method}?actor=${actor}`).text,
    );
  it('shows the same for a handle and its DID', () => {
    for (const account of sample('bluesky')) {
      const data = get('actor.getProfile', account.handle);
      const told = profile(account, 'profile');
      expect([
        data.did,
        data.handle,
        data.description,
        data.followersCount,
        data.postsCount,
        data.createdAt,
      ]).toEqual([told.id, told.handle, told.bio, told.followers, told.posts, told.created_at]);
      expect(data.verification?.verifiedStatus === 'valid').toBe(told.verified);
      expect(get('actor.getProfile', account.id)).toEqual(data);
    }
  });
  it('gives the reason where there is no profile', () => {
    expect(get('actor.getProfile', first('bluesky', 'suspended').handle).error).toBe('AccountTakedown');
    expect(get('actor.getProfile', first('bluesky', 'deactivated').handle).error).toBe('AccountDeactivated');
    expect(get('actor.getProfile', 'nobody.bsky.social').message).toBe('Profile not found');
  });
  it('labels owners who opted out of logged-out display', () => {
    const [shy] = accounts('bluesky', 'active', 1);
    if (!shy) throw new Error('nobody opted out');
    expect(get('actor.getProfile', shy.handle).labels[0].val).toBe('!no-unauthenticated');
    expect(profile(shy, 'profile').followers).toBeNull();
  });
});

describe('LinkedIn', () => {
  it('shows persons and companies as their graph has them', () => {
    const people = sample('linkedin');
    const companies = [SIZE, SIZE + 1, SIZE + 2].map((index) => world.account('linkedin', index));
    for (const account of [...people, ...companies]) {
      const company = account.kind === 'company';
      const { text } = fetchPage(
        'linkedin',
        `https://www.linkedin.com/${company ? 'company' : 'in'}/${account.shown}`,
      );
      const graph = script(text, '<script type="application/ld+json">')['@graph'];
      const node = graph.find((one: Json) => one['@type'] === (company ? 'Organization' : 'Person'));
      const told = profile(account, 'page');
      expect([node.name, node.description]).toEqual([told.display_name, told.bio]);
      if (!company) expect(node.interactionStatistic.userInteractionCount).toBe(told.followers);
      expect(text).toContain(`${(told.followers ?? 0).toLocaleString('en-US')} followers`);
    }
  });
  it('answers Profile Not Found with 404 for people who left', () => {
    const page = fetchPage(
      'linkedin',
      `https://www.linkedin.com/in/${first('linkedin', 'deactivated').handle}`,
    );
    expect([page.status, page.text.includes('Profile Not Found')]).toEqual([404, true]);
  });
});

it('the simulator gives the same bytes for the same seed and instant, on every platform', () => {
  const again = createWorld({ seed: 7, size: SIZE, clock: { now: () => NOW } });
  const url: Record<Platform, string> = {
    x: '/H',
    instagram: '/H/',
    tiktok: '/@H',
    youtube: '/@H',
    telegram: '/s/H',
    bluesky: '/xrpc/app.bsky.feed.getAuthorFeed',
    linkedin: '/in/H',
  };
  for (const platform of PLATFORMS) {
    const handle = first(platform, 'active').handle;
    const [host = ''] = SITES[platform].hosts;
    const ask = {
      method: 'GET',
      host,
      path: url[platform].replace('H', handle),
      query: new URLSearchParams({ actor: handle }),
      headers: {},
      body: '',
      at: NOW,
    };
    const render = (of: typeof world) => SITES[platform].serve(of, ask).body.map(String).join('');
    expect(render(again)).toBe(render(world));
  }
});
