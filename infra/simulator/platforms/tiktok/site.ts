import { isoOf } from '../../../../src/kernel/clock.ts';
import type { Account } from '../../world/account.ts';
import type { World } from '../../world/world.ts';
import { withPinned } from '../references.ts';
import { bundle, escapeHtml, html, json, scriptJson, styles } from '../response.ts';
import { nothing, profileOf, type Reply, type Site, type SiteRequest, type Visible } from '../site.ts';
import { avatarOf, item, statsOf, userOf } from './payloads.ts';
import { idOfSecUid } from './sec-uid.ts';

const HEAD = Buffer.concat([
  Buffer.from('<!DOCTYPE html><html lang="en"><head><meta charSet="UTF-8"/>'),
  styles(20_000, 41),
]);
const TAIL = Buffer.concat([
  Buffer.from('</head><body><div id="app"></div>'),
  bundle(96_000, 42),
  Buffer.from('</body></html>'),
]);

const rehydration = (detail: unknown, title: string): Reply =>
  html([
    HEAD,
    `<title>${escapeHtml(title)}</title><script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">${scriptJson(
      {
        __DEFAULT_SCOPE__: {
          'webapp.app-context': { language: 'en', region: 'DE', user: null },
          'webapp.biz-context': { os: 'linux', isMobile: false },
          'webapp.user-detail': detail,
        },
      },
    )}</script>`,
    TAIL,
  ]);

/** The status code in the page's data. */
const codeOf = (account: Account | null): number => {
  if (!account) return 10202;
  if (account.status === 'suspended') return 10221;
  if (account.status === 'deactivated') return account.key % 2 === 0 ? 10202 : 10204;
  if (account.quirks.has('region')) return 10231;
  return account.status === 'private' ? 10222 : 0;
};

const page = (world: World, request: SiteRequest): Reply => {
  const account = world.current('tiktok', request.path.slice(2), request.at);
  const code = codeOf(account);
  if (!account || (code !== 0 && code !== 10222)) {
    return rehydration({ statusCode: code, statusMsg: '', needFix: true }, 'TikTok - Make Your Day');
  }
  return rehydration(
    {
      userInfo: { user: userOf(account), ...statsOf(account), itemList: [] },
      shareMeta: { title: `${account.displayName} on TikTok`, desc: '' },
      statusCode: code,
      statusMsg: '',
      needFix: false,
    },
    `${account.displayName} (@${account.handle}) | TikTok`,
  );
};

/** Counts of the embed are signed 32-bit and overflow. */
const wrap = (n: number): number => n | 0;

const embed = (world: World, request: SiteRequest): Reply => {
  const handle = request.path.slice('/embed/@'.length);
  const account = world.current('tiktok', handle, request.at);
  const found = account && codeOf(account) === 0 ? account : null;
  const key = `/embed/@${handle}`;
  const data = found
    ? {
        isReady: true,
        userInfo: {
          id: found.id,
          uniqueId: found.handle,
          nickname: found.displayName,
          signature: found.bio,
          avatarThumbUrl: avatarOf(found),
          verified: found.verified,
          privateAccount: false,
          followerCount: wrap(found.followers),
          followingCount: wrap(found.following),
          heartCount: wrap(found.hearts),
          videoCount: wrap(found.posts),
        },
        videoList: world.posts(found, request.at, 10).map((post) => item(found, post)),
      }
    : { isReady: false, isError: true, errorStatus: 400 };
  return html(
    [
      HEAD,
      `<script id="__FRONTITY_CONNECT_STATE__" type="application/json">${scriptJson({
        source: { data: { [key]: data } },
        frontity: { name: 'embed' },
      })}</script></head><body></body></html>`,
    ],
    found ? 200 : 400,
  );
};

const itemList = (world: World, request: SiteRequest): Reply => {
  const id = idOfSecUid(request.query.get('secUid') ?? '');
  const index = id === null ? null : world.findById('tiktok', id);
  const account = index === null ? null : world.account('tiktok', index, request.at);
  if (!account || codeOf(account) !== 0)
    return json({ itemList: [], hasMore: false, statusCode: codeOf(account) });
  const count = Math.min(35, Math.max(1, Number(request.query.get('count')) || 30));
  const before = Number(request.query.get('cursor')) || account.posts;
  const posts = world.posts(account, request.at, count, before);
  const isFirst = before === account.posts;
  const shown = isFirst ? withPinned(world, account, posts, request.at) : { pinned: [], posts };
  return json({
    cursor: String(before - posts.length),
    hasMore: before > posts.length,
    itemList: [...shown.pinned, ...shown.posts].map((post) => item(account, post)),
    statusCode: 0,
    status_code: 0,
  });
};

export const tiktok: Site = {
  platform: 'tiktok',
  hosts: ['www.tiktok.com', 'tiktok.com'],
  serve: (world, request) => {
    if (request.path.startsWith('/embed/@')) return embed(world, request);
    if (request.path.startsWith('/api/post/item_list')) return itemList(world, request);
    if (request.path.startsWith('/@')) return page(world, request);
    return html([HEAD, '<title>TikTok</title>', TAIL], request.path.startsWith('/login') ? 200 : 404);
  },
  unused: [nothing('page', 'absent'), nothing('embed', 'unknown')],
  visible: (account) => {
    const code = codeOf(account.status === 'absent' ? null : account);
    const known = {
      id: account.id,
      display_name: account.displayName,
      followers: account.followers,
      following: account.following,
      posts: code === 10222 ? null : account.posts,
      verified: account.verified,
      bio: account.bio,
      avatar_url: avatarOf(account),
    };
    const created = account.key % 13 === 0 ? null : isoOf(account.createdAt);
    const whole = profileOf(account, { ...known, created_at: created, links: account.links.slice(0, 1) });
    const page: Visible =
      code === 0 || code === 10222
        ? { surface: 'page', status: code === 0 ? 'present' : 'private', profile: whole }
        : { surface: 'page', status: code === 10202 ? 'absent' : 'unknown', profile: null };
    return [
      page,
      {
        surface: 'embed',
        status: code === 0 ? 'present' : 'unknown',
        profile: code === 0 ? profileOf(account, known) : null,
      },
    ];
  },
};
