import type { Account } from '../../world/account.ts';
import { withPinned } from '../references.ts';
import { html, json, redirect } from '../response.ts';
import { header, nothing, profileOf, type Reply, type Site, type Visible } from '../site.ts';
import { missingPage, profilePage } from './page.ts';
import { avatarOf, profileInfo } from './payloads.ts';

const isShown = (account: Account | null): account is Account =>
  account?.status === 'active' || account?.status === 'private';

const LOGIN_REQUIRED = { message: 'Sorry, this user requires you to be logged in.', status: 'fail' };

/** Posts that a reader without a login sees. */
const PAGE = 12;

/** Instagram: the profile page and the app's profile call. */
export const instagram: Site = {
  platform: 'instagram',
  hosts: ['www.instagram.com', 'instagram.com', 'i.instagram.com'],
  serve: (world, request): Reply => {
    if (/^\/(accounts\/login|challenge)?\/?$/.test(request.path)) {
      return html('<!DOCTYPE html><html><head><title>Login • Instagram</title></head><body></body></html>');
    }
    if (/^\/api\/v1\/users\/web_profile_info\/?$/.test(request.path)) {
      if (!header(request, 'x-ig-app-id'))
        return json({ message: 'useragent mismatch', status: 'fail' }, 400);
      const handle = request.query.get('username') ?? '';
      const account = world.current('instagram', handle, request.at);
      if (!isShown(account)) {
        // Both responses occur for unused names.
        return handle.length % 2 === 0
          ? json({ data: { viewer: {}, user: null }, status: 'ok' })
          : html('<!DOCTYPE html><html><head><title>Page not found • Instagram</title></head></html>', 404);
      }
      if (account.quirks.has('gated')) return json(LOGIN_REQUIRED, 400);
      const { pinned, posts } = withPinned(
        world,
        account,
        world.posts(account, request.at, PAGE),
        request.at,
      );
      return json(profileInfo(account, [...pinned, ...posts].slice(0, PAGE)));
    }
    const handle = request.path.split('/')[1] ?? '';
    const account = world.current('instagram', handle, request.at);
    if (!isShown(account)) return missingPage(handle.length % 2 === 0 ? 404 : 200);
    if (account.quirks.has('gated')) {
      return redirect(
        `https://www.instagram.com/accounts/login/?next=${encodeURIComponent(`/${account.handle}/`)}`,
      );
    }
    return profilePage(account, world.posts(account, request.at, 12), world);
  },
  unused: [nothing('page', 'absent'), nothing('web_profile_info', 'absent')],
  visible: (account) => {
    const both = (status: Visible['status']): Visible[] =>
      ['page', 'web_profile_info'].map((surface) => ({ surface, status, profile: null }));
    if (!isShown(account)) return both('absent');
    if (account.quirks.has('gated')) return both('unknown');
    const profile = profileOf(account, {
      id: account.id,
      display_name: account.displayName,
      followers: account.followers,
      following: account.following,
      verified: account.verified,
      bio: account.bio,
      avatar_url: avatarOf(account),
      links: account.links,
    });
    const status = account.status === 'private' ? 'private' : 'present';
    return [
      // The page does not show the number of posts.
      { surface: 'page', status, profile },
      { surface: 'web_profile_info', status, profile: { ...profile, posts: account.posts } },
    ];
  },
};
