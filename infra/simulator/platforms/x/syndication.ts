import type { SimPost } from '../../world/account.ts';
import type { World } from '../../world/world.ts';
import { referenced } from '../references.ts';
import { bundle, html, scriptJson } from '../response.ts';
import type { Reply, SiteRequest } from '../site.ts';
import { legacyTweet, legacyUser } from './payloads.ts';
import { tweetId } from './tweet-ids.ts';

const HEAD = '<!DOCTYPE html><html><head><meta charset="utf-8"/><meta name="robots" content="noindex"/>';
const TAIL = Buffer.concat([bundle(9_000, 21), Buffer.from('</body></html>')]);

const retweeted = (world: World, post: SimPost, at: number) => {
  const cited = referenced(world, 'x', post.target, at);
  return cited === null
    ? {}
    : { id_str: tweetId(cited.account, cited.post), user: { screen_name: cited.account.shown } };
};

/** `/srv/timeline-profile/screen-name/<h>`: the embeddable timeline. */
export const syndication = (world: World, request: SiteRequest): Reply => {
  const handle = /^\/srv\/timeline-profile\/screen-name\/(\w{1,15})$/.exec(request.path)?.[1];
  const account = handle ? world.current('x', handle, request.at) : null;
  if (account?.status === 'private') return html('<html><body>Not authorized.</body></html>', 403);
  if (account?.status !== 'active') return html('<html><body>Not found</body></html>', 404);
  const user = {
    ...legacyUser(account),
    // The surface omits the number and only has the text.
    id: 0,
    id_str: account.id,
    is_blue_verified: account.verified,
  };
  const posts = world.posts(account, request.at, 20);
  const entries = posts.map((post) => ({
    type: 'tweet',
    entry_id: `tweet-${tweetId(account, post)}`,
    sort_index: String(post.likes),
    content: {
      tweet: {
        id: 0,
        ...legacyTweet(account, post, referenced(world, 'x', post.replyTo ?? post.target, request.at)),
        text: post.text,
        permalink: `/${account.shown}/status/${tweetId(account, post)}`,
        user,
        ...(post.kind === 'repost' ? { retweeted_status: retweeted(world, post, request.at) } : {}),
      },
    },
  }));
  // Sorted by likes, not by time.
  entries.sort((a, b) => b.content.tweet.favorite_count - a.content.tweet.favorite_count);
  const data = {
    props: {
      pageProps: {
        contextProvider: { features: {}, scribeData: { client_version: null, dnt: false } },
        lang: 'en',
        maxHeight: null,
        showReplies: false,
        timeline: { entries },
        latest_tweet_id: posts[0] ? tweetId(account, posts[0]) : null,
        headerProps: { screenName: account.shown, user: { protected: false } },
      },
      __N_SSP: true,
    },
    page: '/timeline-profile/screen-name/[screenName]',
    query: { screenName: account.shown },
    buildId: 'sim-1',
  };
  return html([
    HEAD,
    `</head><body><div id="__next"></div><script id="__NEXT_DATA__" type="application/json">${scriptJson(data)}</script>`,
    TAIL,
  ]);
};
