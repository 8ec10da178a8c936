import type { Account, SimPost } from '../../world/account.ts';
import type { World } from '../../world/world.ts';
import { bundle, escapeHtml, html, scriptJson, styles } from '../response.ts';
import type { Reply } from '../site.ts';
import { avatarOf, bioLinks, mediaId, shortcode } from './payloads.ts';

const HEAD = Buffer.concat([
  Buffer.from('<!DOCTYPE html><html class="_9dls" lang="en" dir="ltr"><head><meta charset="utf-8"/>'),
  styles(14_000, 31),
]);
const MIDDLE = Buffer.concat([
  Buffer.from('</head><body><div id="mount_0_0_Sm"></div>'),
  bundle(40_000, 32),
  Buffer.from(
    '<script type="application/json" data-content-len="61" data-sjs>{"require":[["HasteSupportData","handle",null,[{}]]]}</script>',
  ),
]);
const TAIL = Buffer.concat([bundle(34_000, 33), Buffer.from('</body></html>')]);

/** The data as embedded in the page: deep inside the module loader's arguments. */
const embed = (user: unknown): string =>
  `<script type="application/json" data-sjs>${scriptJson({
    require: [
      [
        'ScheduledServerJS',
        'handle',
        null,
        [
          {
            __bbox: {
              require: [
                [
                  'RelayPrefetchedStreamCache',
                  'next',
                  [],
                  [
                    'adp_PolarisProfilePageContentQueryRelayPreloader_1',
                    {
                      __bbox: {
                        complete: true,
                        result: { data: { xig_user_by_username: user }, extensions: { is_final: true } },
                      },
                    },
                  ],
                ],
              ],
            },
          },
        ],
      ],
    ],
  })}</script>`;

const node = (account: Account, post: SimPost) => ({
  node: {
    __typename: 'XDTMediaDict',
    pk: String(mediaId(post)),
    code: shortcode(post),
    media_type: post.media === 'video' ? 2 : 1,
    caption: { text: post.text },
    user: { pk: account.id, username: account.handle },
  },
});

export const missingPage = (status: number): Reply =>
  html([HEAD, '<title>Page not found • Instagram</title>', MIDDLE, embed(null), TAIL], status);

export const profilePage = (account: Account, posts: readonly SimPost[], world: World): Reply => {
  const own = account.status === 'private' ? [] : posts.map((post) => node(account, post));
  // Sometimes another account's post is among an account's own.
  const other = account.mentions[0];
  const injected =
    own.length > 2 && other !== undefined && account.key % 6 === 0
      ? world.account('instagram', other, posts[0]?.at).status === 'active'
        ? world
            .posts(world.account('instagram', other, posts[0]?.at), posts[0]?.at ?? 0, 1)
            .map((post) => node(world.account('instagram', other, posts[0]?.at), post))
        : []
      : [];
  const user = {
    __typename: 'XDTUserDict',
    pk: account.id,
    id: account.id,
    username: account.handle,
    full_name: account.displayName,
    biography: account.bio,
    bio_links: bioLinks(account),
    external_url: account.links[0] ?? null,
    profile_pic_url: avatarOf(account),
    follower_count: account.followers,
    following_count: account.following,
    is_private: account.status === 'private',
    is_verified: account.verified,
    polaris_ordered_timeline_connection: {
      edges: [...own.slice(0, 2), ...injected, ...own.slice(2)],
      page_info: { has_next_page: account.posts > 12 },
    },
  };
  return html([
    HEAD,
    `<title>${escapeHtml(account.displayName)} (@${account.handle}) • Instagram photos and videos</title>`,
    MIDDLE,
    embed(user),
    TAIL,
  ]);
};
