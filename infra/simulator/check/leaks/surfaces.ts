import { SITES } from '../../platforms/registry.ts';
import type { VisibleProfile } from '../../platforms/site.ts';
import type { Platform } from '../../simulated-platforms.ts';
import type { Account } from '../../world/account.ts';
import type { World } from '../../world/world.ts';

/** What a reader knows of an account from its surfaces, field by field. */
export const profileOn = (account: Account): VisibleProfile | null => {
  const shown = SITES[account.platform].visible(account).flatMap(({ profile }) => (profile ? [profile] : []));
  const [first] = shown;
  if (!first) return null;
  const known = <F extends keyof VisibleProfile>(field: F): VisibleProfile[F] =>
    (shown.find((profile) => profile[field] !== null) ?? first)[field];
  return {
    ...first,
    id: known('id'),
    followers: known('followers'),
    following: known('following'),
    posts: known('posts'),
    created_at: known('created_at'),
    bio: known('bio'),
    avatar_url: known('avatar_url'),
  };
};

const PAGES: Readonly<Record<Platform, (handle: string) => readonly [host: string, path: string]>> = {
  x: (handle) => ['syndication.twitter.com', `/srv/timeline-profile/screen-name/${handle}`],
  instagram: (handle) => ['www.instagram.com', `/${handle}/`],
  tiktok: (handle) => ['www.tiktok.com', `/@${handle}`],
  youtube: (handle) => ['www.youtube.com', `/@${handle}`],
  telegram: (handle) => ['t.me', `/s/${handle}`],
  bluesky: (handle) => ['public.api.bsky.app', `/xrpc/app.bsky.actor.getProfile?actor=${handle}`],
  linkedin: (handle) => ['www.linkedin.com', `/in/${handle}`],
};

/** Markup and scripts that are the same on every page are left out. */
export const textOn = (world: World, account: Account, at: number): string => {
  const [host, path] = PAGES[account.platform](account.handle);
  const url = new URL(`https://${host}${path}`);
  const { body } = SITES[account.platform].serve(world, {
    method: 'GET',
    host,
    path: decodeURIComponent(url.pathname),
    query: url.searchParams,
    headers: {},
    body: '',
    at,
  });
  return body.filter((part): part is string => typeof part === 'string').join('\n');
};

const code = (text: string, at: number): number => text.charCodeAt(at < 0 ? text.length + at : at) || 0;
const count = (text: string, of: RegExp): number => text.match(of)?.length ?? 0;
const ln = (figure: number | null): number => (figure === null ? -1 : Math.log(figure + 1));

/** Digits, letters and lengths of an ID or an address. */
const shapeOf = (text: string): readonly number[] => {
  const digits = text.replace(/\D/g, '');
  return [
    text.length,
    digits.length,
    Number(digits.slice(0, 2)),
    Number(digits.slice(-1)),
    Number(digits.slice(-3)),
    Number(digits.slice(-9)),
    code(text, 0),
    code(text, 3),
    code(text, 9),
    code(text, 12),
    code(text, -1),
    code(text, -2),
  ];
};

/** Shape of a handle, and nothing of what it spells. */
export const handleShape = (handle: string): readonly number[] => {
  const name = handle.replace('.bsky.social', '');
  return [
    name.length,
    count(name, /\d/g),
    count(name, /[._-]/g),
    Number(/^[._-]/.test(name)),
    code(name, -1),
  ];
};

const nameShape = (whole: string): readonly number[] => {
  const name = whole.replace(' (parody)', '');
  const plain = name.replace(/[^\p{L}\p{N} .,_]/gu, '').trim();
  return [
    plain.split(' ').length,
    plain.length,
    count(plain, /[.,]/g),
    count(plain, /_/g),
    Number(/^\p{Ll}/u.test(plain)),
    name.length - plain.length,
  ];
};

const DAY = 86_400_000;

/** Everything that one profile shows but its links and the words of its bio, which are there to be read. */
export const featuresOf = (profile: VisibleProfile, text: string): readonly number[] => {
  const created = profile.created_at === null ? 0 : Date.parse(profile.created_at);
  const second = /MS4wLjABAA([\w-]{24})/.exec(text)?.[1] ?? '';
  const prefix = Number.parseInt(second.slice(0, 7), 36);
  return [
    ...shapeOf(profile.id ?? ''),
    ...shapeOf(profile.avatar_url?.replace(/^https:\/\/[^/]+/, '') ?? ''),
    ...handleShape(profile.handle),
    ...nameShape(profile.display_name ?? ''),
    Number.isNaN(prefix) ? -1 : prefix,
    code(second, 2),
    code(second, 9),
    ln(profile.followers),
    ln(profile.following),
    ln(profile.posts),
    (profile.followers ?? 0) % 10,
    created / DAY,
    (created / 1000) % 60,
    Math.floor(created / 3_600_000) % 24,
    Number(profile.verified),
    profile.location?.length ?? -1,
  ];
};
