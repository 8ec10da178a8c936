import { isoOf } from '../../../../src/kernel/clock.ts';
import type { Account } from '../../world/account.ts';
import type { World } from '../../world/world.ts';
import { bundle, html, json, redirect, scriptJson, styles } from '../response.ts';
import {
  header,
  nothing,
  profileOf,
  type Reply,
  type Site,
  type SiteRequest,
  type Visible,
} from '../site.ts';
import { feed } from './feed.ts';
import { avatarOf, browseData } from './payloads.ts';
import { cut, localeOf } from './words.ts';

const HEAD = Buffer.concat([
  Buffer.from('<!DOCTYPE html><html style="font-size: 10px" lang="en"><head><meta charset="utf-8">'),
  styles(40_000, 51),
  bundle(120_000, 52),
  Buffer.from('</head><body dir="ltr">'),
]);
const TAIL = Buffer.concat([bundle(60_000, 53), Buffer.from('</body></html>')]);

const NOT_FOUND = {
  error: {
    code: 404,
    message: 'Requested entity was not found.',
    errors: [{ message: 'Requested entity was not found.', domain: 'global', reason: 'notFound' }],
    status: 'NOT_FOUND',
  },
};

/** The account of a handle: terminated and closed channels have lost theirs. */
const byHandle = (world: World, handle: string, at: number): Account | null => {
  const account = world.current('youtube', handle, at);
  return account?.status === 'active' ? account : null;
};

const byId = (world: World, id: string, at: number): Account | null => {
  const index = world.findById('youtube', id);
  const account = index === null ? null : world.account('youtube', index, at);
  return account?.status === 'absent' ? null : account;
};

const page = (data: unknown, status: number): Reply =>
  html([HEAD, `<script nonce="s1">var ytInitialData = ${scriptJson(data)};</script>`, TAIL], status);

const resolve = (world: World, url: string, at: number): Reply => {
  const path = URL.canParse(url) ? decodeURIComponent(new URL(url).pathname) : url;
  const named = /^\/(?:@|c\/|user\/)(.+)$/.exec(path)?.[1];
  const account =
    named !== undefined ? byHandle(world, named, at) : byId(world, path.replace('/channel/', ''), at);
  if (!account) return json(NOT_FOUND, 404);
  return json({
    responseContext: { mainAppWebResponseContext: { loggedOut: true } },
    endpoint: {
      commandMetadata: {
        webCommandMetadata: {
          webPageType: 'WEB_PAGE_TYPE_CHANNEL',
          rootVe: 3611,
          apiUrl: '/youtubei/v1/browse',
        },
        resolveUrlCommandMetadata: { isVanityUrl: true },
      },
      browseEndpoint: { browseId: account.id, params: 'EgC4AQCSAwDyBgQKAjIA' },
    },
  });
};

interface InnertubeBody {
  readonly url?: string;
  readonly browseId?: string;
  readonly context?: { readonly client?: { readonly hl?: string } };
}

const innertube = (world: World, request: SiteRequest): Reply => {
  let body: InnertubeBody;
  try {
    body = JSON.parse(request.body) as InnertubeBody;
  } catch {
    return json(
      { error: { code: 400, message: 'Invalid JSON payload received.', status: 'INVALID_ARGUMENT' } },
      400,
    );
  }
  if (request.path.endsWith('/resolve_url')) return resolve(world, body.url ?? '', request.at);
  const locale = localeOf(body.context?.client?.hl ?? 'en');
  return json(browseData(byId(world, body.browseId ?? '', request.at), locale));
};

export const youtube: Site = {
  platform: 'youtube',
  hosts: ['www.youtube.com', 'youtube.com', 'm.youtube.com', 'consent.youtube.com'],
  serve: (world, request) => {
    if (request.host === 'consent.youtube.com')
      return html('<!DOCTYPE html><title>Before you continue to YouTube</title>');
    if (request.host !== 'www.youtube.com')
      return redirect(`https://www.youtube.com${encodeURI(request.path)}`, 301);
    if (request.path.startsWith('/youtubei/v1/') && request.method === 'POST')
      return innertube(world, request);
    if (request.path === '/feeds/videos.xml') {
      return feed(world, byId(world, request.query.get('channel_id') ?? '', request.at), request.at);
    }
    const locale = localeOf(request.query.get('hl') ?? header(request, 'accept-language'));
    const [, first = '', second = ''] = request.path.split('/');
    if (first === 'channel') return page(browseData(byId(world, second, request.at), locale), 200);
    const account = first.startsWith('@') ? byHandle(world, first.slice(1), request.at) : null;
    return account
      ? page(browseData(account, locale), 200)
      : html('<!DOCTYPE html><html><title>404 Not Found</title></html>', 404);
  },
  unused: [nothing('page', 'absent'), nothing('browse', 'absent'), nothing('feed', 'unknown')],
  visible: (account) => {
    const created = isoOf(account.createdAt);
    const named = { id: account.id, display_name: account.displayName };
    if (account.status !== 'active') {
      // By handle both are gone; by channel ID a terminated one is shown as such.
      const byId: Visible['status'] = account.status === 'suspended' ? 'suspended' : 'absent';
      return [
        { surface: 'page', status: 'absent', profile: null },
        { surface: 'browse', status: byId, profile: null },
        { surface: 'feed', status: 'unknown', profile: null },
      ];
    }
    const feedProfile: Visible = {
      surface: 'feed',
      status: 'present',
      profile: profileOf(account, { ...named, created_at: created }),
    };
    const profile = account.quirks.has('age_gate')
      ? profileOf(account, { ...named, avatar_url: avatarOf(account, 144) })
      : profileOf(account, {
          ...named,
          followers: account.quirks.has('hidden_count') ? null : cut(account.followers),
          posts: account.posts === 0 ? null : cut(account.posts),
          verified: account.verified,
          bio: account.bio,
          avatar_url: avatarOf(account),
          links: account.links.slice(0, 1),
        });
    return [
      { surface: 'page', status: 'present', profile },
      { surface: 'browse', status: 'present', profile },
      feedProfile,
    ];
  },
};
