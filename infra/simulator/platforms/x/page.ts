import { isoOf } from '../../../../src/kernel/clock.ts';
import type { Account } from '../../world/account.ts';
import type { World } from '../../world/world.ts';
import { bundle, escapeHtml, html, scriptJson, styles } from '../response.ts';
import type { Reply, SiteRequest } from '../site.ts';
import { avatarOf } from './payloads.ts';

const counter = (type: string, name: string, count: number) => ({
  '@type': 'InteractionCounter',
  interactionType: `https://schema.org/${type}`,
  name,
  userInteractionCount: count,
});

const profilePage = (account: Account) => ({
  '@context': 'http://schema.org',
  '@type': 'ProfilePage',
  dateCreated: isoOf(account.createdAt),
  mainEntity: {
    '@type': 'Person',
    givenName: account.displayName,
    name: account.displayName,
    description: account.bio,
    additionalName: account.shown,
    identifier: account.id,
    homeLocation: { '@type': 'Place', name: account.location },
    image: {
      '@type': 'ImageObject',
      contentUrl: avatarOf(account, '_400x400'),
      thumbnailUrl: avatarOf(account, '_normal'),
    },
    interactionStatistic: [
      counter('FollowAction', 'Follows', account.followers),
      counter('SubscribeAction', 'Friends', account.following),
      counter('WriteAction', 'Tweets', account.posts),
    ],
    url: `https://x.com/${account.shown}`,
  },
  relatedLink: account.links.slice(0, 1),
});

const HEAD = Buffer.concat([
  Buffer.from('<!DOCTYPE html><html dir="ltr" lang="en"><head><meta charset="utf-8" />'),
  styles(12_000, 11),
]);
const TAIL = Buffer.concat([
  Buffer.from('</head><body style="background-color:#FFF"><div id="react-root"></div>'),
  bundle(46_000, 12),
  Buffer.from('</body></html>'),
]);

/** Missing, suspended and deactivated accounts look alike: an empty app. */
export const page = (world: World, request: SiteRequest): Reply => {
  const account = world.current('x', request.path.split('/')[1] ?? '', request.at);
  if (!account || (account.status !== 'active' && account.status !== 'private')) {
    return html([HEAD, '<title>X</title>', TAIL]);
  }
  return html([
    HEAD,
    `<title>${escapeHtml(account.displayName)} (@${account.shown}) / X</title>`,
    `<script type="application/ld+json" data-testid="UserProfileSchema-test">${scriptJson(profilePage(account))}</script>`,
    TAIL,
  ]);
};
