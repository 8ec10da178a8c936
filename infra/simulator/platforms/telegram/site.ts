import { isoOf } from '../../../../src/kernel/clock.ts';
import type { Account } from '../../world/account.ts';
import { redirect } from '../response.ts';
import { nothing, profileOf, type Site, type Visible } from '../site.ts';
import { landing, missing } from './landing.ts';
import { avatarOf, cutShort, hasFeed } from './payloads.ts';
import { PREVIEW_PAGE, preview } from './preview.ts';

/** Telegram: the landing page of a name and the preview of a channel. */
export const telegram: Site = {
  platform: 'telegram',
  hosts: ['t.me', 'telegram.me'],
  serve: (world, request) => {
    if (request.host !== 't.me') return redirect(`https://t.me${request.path}`, 301);
    const [, first = '', second = ''] = request.path.split('/');
    const wantsFeed = first === 's';
    const handle = wantsFeed ? second : first;
    if (!/^[A-Za-z]\w{3,31}$/.test(handle)) return redirect('https://telegram.org/');
    const found = world.current('telegram', handle, request.at);
    const account = found?.status === 'active' ? found : null;
    if (!wantsFeed) return account ? landing(account) : missing(handle);
    if (!account || !hasFeed(account)) return redirect(`https://t.me/${handle}`);
    const before = Number(request.query.get('before'));
    return preview(account, world, request.at, Number.isInteger(before) && before > 0 ? before : null);
  },
  unused: [nothing('landing', 'absent'), nothing('preview', 'unknown')],
  visible: (account: Account): readonly Visible[] => {
    if (account.status !== 'active') {
      return [
        { surface: 'landing', status: 'absent', profile: null },
        { surface: 'preview', status: 'unknown', profile: null },
      ];
    }
    const profile = profileOf(account, {
      display_name: account.displayName,
      // Personal pages have no count, and a bot's monthly users are not followers.
      followers: account.kind === 'person' || account.kind === 'bot' ? null : account.followers,
      verified: account.verified,
      bio: account.bio,
      avatar_url: avatarOf(account),
      links: account.links,
    });
    return [
      { surface: 'landing', status: 'present', profile },
      hasFeed(account)
        ? {
            surface: 'preview',
            status: 'present',
            profile: {
              ...profile,
              followers: cutShort(account.followers),
              // Shown by the creation message, as long as the first page includes it.
              created_at: account.posts <= PREVIEW_PAGE ? isoOf(account.createdAt) : null,
            },
          }
        : { surface: 'preview', status: 'unknown', profile: null },
    ];
  },
};
