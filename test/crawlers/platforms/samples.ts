import { script } from './pages.ts';

/** Small hand-made pages in the platforms' shapes, of an account called `sample` unless they say otherwise. */

export const xLinkedData = (entity: object = {}, more: object = {}) => ({
  '@context': 'https://schema.org',
  '@type': 'ProfilePage',
  dateCreated: '2010-05-01T12:00:00.000Z',
  mainEntity: {
    '@type': 'Person',
    identifier: '42',
    additionalName: 'Sample',
    name: 'A Sample',
    description: 'Hello @friend_1',
    homeLocation: { '@type': 'Place', name: 'Graz' },
    image: { '@type': 'ImageObject', contentUrl: 'https://pbs.twimg.com/a.jpg' },
    interactionStatistic: [
      {
        '@type': 'InteractionCounter',
        interactionType: 'https://schema.org/FollowAction',
        userInteractionCount: 1234,
      },
      {
        '@type': 'InteractionCounter',
        interactionType: { '@type': 'SubscribeAction' },
        userInteractionCount: '56',
      },
      { '@type': 'InteractionCounter', interactionType: 'WriteAction', userInteractionCount: 0 },
    ],
    ...entity,
  },
  relatedLink: ['https://sample.example/'],
  ...more,
});

export const xPage = (entity: object = {}) => script('type="application/ld+json"', xLinkedData(entity));

export const xTweet = (more: object = {}, user: object = {}) => ({
  id_str: '1001',
  full_text: 'Fish &amp; chips',
  created_at: 'Tue Feb 20 14:35:54 +0000 2024',
  favorite_count: 5,
  reply_count: 0,
  retweet_count: 2,
  quote_count: 1,
  permalink: '/Sample/status/1001',
  entities: { urls: [] },
  ...more,
  user: {
    id: 0,
    id_str: '42',
    screen_name: 'Sample',
    name: 'A Sample',
    followers_count: 1234,
    friends_count: 56,
    statuses_count: 7,
    created_at: 'Sat May 01 12:00:00 +0000 2010',
    is_blue_verified: true,
    protected: false,
    description: 'Hello',
    profile_image_url_https: 'https://pbs.twimg.com/a.jpg',
    ...user,
  },
});

export const xTimeline = (tweets: readonly object[], header: object = { user: { protected: false } }) =>
  script('id="__NEXT_DATA__" type="application/json"', {
    props: {
      pageProps: {
        timeline: { entries: tweets.map((tweet) => ({ type: 'tweet', content: { tweet } })) },
        headerProps: header,
      },
    },
  });

export const xUser = (more: object = {}) => ({
  data: {
    user: {
      result: {
        __typename: 'User',
        rest_id: '42',
        core: { created_at: 'Sat May 01 12:00:00 +0000 2010', name: 'A Sample', screen_name: 'Sample' },
        relationship_counts: { followers: 1234, following: 56 },
        tweet_counts: { tweets: 7 },
        privacy: { protected: false },
        verification: { is_blue_verified: false },
        ...more,
      },
    },
  },
});

export const instagramUser = (more: object = {}) => ({
  pk: '77',
  username: 'Sample',
  full_name: 'A Sample',
  biography: 'Hello',
  profile_pic_url: 'https://scontent.cdninstagram.com/a.jpg',
  follower_count: 1234,
  following_count: 56,
  is_private: false,
  is_verified: true,
  ...more,
});

export const instagramPage = (user: object | null) =>
  `<html><body><script type="application/json" data-sjs>{"a":1}</script>
  <script data-sjs type='application/json'>${JSON.stringify({ require: [['x', { deep: { xig_user_by_username: user } }]] })}</script></body></html>`;

export const instagramMissing =
  '<!DOCTYPE html><html><head><title>Page not found &bull; Instagram</title></head><body>Sorry, this page isn&#39;t available.</body></html>';

export const instagramInfo = (user: object = {}) => ({
  status: 'ok',
  data: {
    user: {
      id: '77',
      username: 'sample',
      full_name: 'A Sample',
      edge_followed_by: { count: 1234 },
      edge_follow: { count: 56 },
      edge_owner_to_timeline_media: { count: 0, edges: [] },
      is_private: false,
      is_verified: false,
      ...user,
    },
  },
});

export const tiktokDetail = (more: object = {}, user: object = {}) => ({
  statusCode: 0,
  userInfo: {
    user: {
      id: '99',
      uniqueId: 'Sample',
      nickname: 'A Sample',
      signature: 'Hello',
      createTime: 1425144149,
      verified: false,
      privateAccount: false,
      ...user,
    },
    stats: { followerCount: 1200, followingCount: 56, videoCount: 7 },
    statsV2: { followerCount: '1234', followingCount: '56', videoCount: '7' },
  },
  ...more,
});

export const tiktokPage = (detail: object) =>
  script('id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json"', {
    __DEFAULT_SCOPE__: { 'webapp.user-detail': detail },
  });

export const tiktokEmbed = (user: object = {}, key = '/embed/@sample') =>
  script('type="application/json" id="__FRONTITY_CONNECT_STATE__"', {
    source: {
      data: {
        [key]: {
          userInfo: {
            id: '99',
            uniqueId: 'sample',
            nickname: 'A Sample',
            followerCount: -2094967296,
            followingCount: 1,
            ...user,
          },
        },
      },
    },
  });

export const CHANNEL = `UC${'a'.repeat(22)}`;

export const youtubeData = (
  parts: readonly string[] = ['1.2K subscribers', '7 videos'],
  more: object = {},
  badge?: string,
) => ({
  metadata: {
    channelMetadataRenderer: {
      externalId: CHANNEL,
      title: 'A Sample',
      description: 'Hello',
      avatar: {
        thumbnails: [
          { url: 'https://yt3.ggpht.com/a', width: 10 },
          { url: 'https://yt3.ggpht.com/b', width: 900 },
        ],
      },
      vanityChannelUrl: 'http://www.youtube.com/@Sample',
    },
  },
  header: {
    pageHeaderRenderer: {
      content: {
        pageHeaderViewModel: {
          title: {
            dynamicTextViewModel: {
              text: {
                content: 'A Sample',
                attachmentRuns: badge
                  ? [
                      {
                        element: {
                          type: {
                            imageType: { image: { sources: [{ clientResource: { imageName: badge } }] } },
                          },
                        },
                      },
                    ]
                  : [],
              },
            },
          },
          metadata: {
            contentMetadataViewModel: {
              metadataRows: [
                { metadataParts: [{ text: { content: '@Sample' } }] },
                { metadataParts: parts.map((content) => ({ text: { content } })) },
              ],
            },
          },
        },
      },
    },
  },
  ...more,
});

export const youtubePage = (data: object, after = ';') =>
  `<html><script>var a = "ytInitialData";</script><script nonce="x">var ytInitialData = ${JSON.stringify(data)}${after}</script></html>`;

export const youtubeAlert = (text: string) => ({
  alerts: [{ alertRenderer: { type: 'ERROR', text: { simpleText: text } } }],
});

export const youtubeFeed = `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns:yt="y" xmlns:media="m" xmlns="http://www.w3.org/2005/Atom">
 <yt:channelId>${'a'.repeat(22)}</yt:channelId><title>A Sample</title>
 <link rel="alternate" href="https://www.youtube.com/channel/${CHANNEL}"/>
 <author><name>A Sample</name></author><published>2013-07-09T20:17:20+00:00</published>
 <entry><yt:videoId>abc_DEF-123</yt:videoId><title>Cats &amp; dogs</title>
  <link rel="alternate" href="https://www.youtube.com/watch?v=abc_DEF-123"/><published>2026-01-22T15:01:42+00:00</published>
  <media:group><media:title>Other</media:title><media:community><media:starRating count="5"/><media:statistics views="0"/></media:community></media:group>
 </entry>
</feed>`;

export const telegramLanding = (extra: string, more = '', robots = '') =>
  `<html><head>${robots}<meta property="al:ios:url" content="tg://resolve?domain=Sample"></head><body><div class="tgme_page_wrap"><div class="tgme_page">
<img src="https://cdn4.telesco.pe/a.jpg" class="tgme_page_photo_image">
<div dir="auto" class='tgme_page_title'><span dir="auto">A Sample</span>${more}</div>
${extra}
<div class="tgme_page_description">Hello <a href="https://t.me/friend_1">@friend_1</a><br/>see <a href="https://sample.example/x">here</a></div>
</div></div></body></html>`;

export const extra = (text: string) => `<div class="tgme_page_extra">${text}</div>`;

export const telegramMissing = `<html><head><meta content="noindex, nofollow" name=robots></head><body><div class="tgme_page"><div class="tgme_page_icon"><i class="tgme_icon_user"></i></div>
<a href="tg://resolve?domain=sample">Send Message</a></div></body></html>`;

export const telegramMessage = (id: string, inner: string, classes = '') =>
  `<div class="tgme_widget_message_wrap"><div class="tgme_widget_message ${classes}" data-post="${id}">${inner}
<a class="tgme_widget_message_date" href="#"><time datetime="2023-02-28T08:09:50+00:00">08:09</time></a></div></div>`;

export const telegramPreview = (messages: string) =>
  `<html><body><div class="tgme_channel_info"><div class="tgme_channel_info_header_title"><span>A Sample</span></div>
<div class="tgme_channel_info_header_username"><a href="https://t.me/sample">@sample</a></div>
<div class="tgme_channel_info_counter"><span class="counter_value">1.2K</span> <span class="counter_type">subscribers</span></div>
<div class="tgme_channel_info_counter"><span class="counter_value">9</span> <span class="counter_type">photos</span></div></div>${messages}</body></html>`;

export const DID = `did:plc:${'a'.repeat(24)}`;

export const blueskyProfile = (more: object = {}) => ({
  did: DID,
  handle: 'sample.example',
  displayName: 'A Sample',
  description: 'Hello, see https://sample.example/x.',
  followersCount: 1234,
  followsCount: 56,
  postsCount: 0,
  createdAt: '2023-04-28T22:04:37.957Z',
  ...more,
});

export const blueskyItem = (rkey: string, more: object = {}, item: object = {}) => ({
  post: {
    uri: `at://${DID}/app.bsky.feed.post/${rkey}`,
    author: { did: DID, handle: 'sample.example' },
    record: { text: 'Hi', createdAt: '2024-01-02T03:04:05Z' },
    likeCount: 1,
    replyCount: 0,
    repostCount: 2,
    quoteCount: 3,
    ...more,
  },
  ...item,
});

export const linkedinPage = (nodes: readonly object[], more = '') =>
  `<html><head><title>x</title><script type="application/ld+json">${JSON.stringify({ '@context': 'http://schema.org', '@graph': nodes })}</script></head><body><main><h1>x</h1>${more}</main></body></html>`;

export const linkedinPerson = (more: object = {}) => ({
  '@type': 'Person',
  name: 'A Sample',
  description: 'Hello<br>there',
  url: 'https://at.linkedin.com/in/sample',
  image: { '@type': 'ImageObject', contentUrl: 'https://media.licdn.com/a' },
  interactionStatistic: {
    '@type': 'InteractionCounter',
    interactionType: 'https://schema.org/FollowAction',
    userInteractionCount: 1234,
  },
  ...more,
});

export const linkedinCompany = {
  '@type': 'Organization',
  name: 'Sample Ltd',
  url: 'https://www.linkedin.com/company/sample',
  logo: { contentUrl: 'https://media.licdn.com/l' },
  numberOfEmployees: { value: 12 },
  sameAs: 'https://sample.example',
};

const timelineEntry = (itemContent: object) => ({
  content: { entryType: 'TimelineTimelineItem', itemContent },
});

/** A page of a GraphQL timeline: its items and the cursor of the next page. */
const xInstructions = (items: readonly object[], cursor: string | null, pinned: readonly object[] = []) => ({
  data: {
    user: {
      result: {
        __typename: 'User',
        timeline: {
          timeline: {
            instructions: [
              ...pinned.map((item) => ({ type: 'TimelinePinEntry', entry: timelineEntry(item) })),
              {
                type: 'TimelineAddEntries',
                entries: [
                  ...items.map(timelineEntry),
                  ...(cursor === null ? [] : [{ content: { cursorType: 'Bottom', value: cursor } }]),
                ],
              },
            ],
          },
        },
      },
    },
  },
});

/** A tweet as timelines have it, written on a day of January 2024. */
export const xItem = (id: string, day: number, legacy: object = {}) => ({
  tweet_results: {
    result: {
      rest_id: id,
      core: { user_results: { result: xUser().data.user.result } },
      legacy: {
        full_text: `tweet ${id}`,
        created_at: `Mon Jan ${String(day).padStart(2, '0')} 12:00:00 +0000 2024`,
        favorite_count: 1,
        entities: { hashtags: [], urls: [], user_mentions: [] },
        ...legacy,
      },
      views: { state: 'EnabledWithCount', count: '70' },
    },
  },
});

export const xTweets = xInstructions;

/** A page of a follower list. */
export const xFollowers = (users: readonly { id: string; handle: string }[], cursor: string) =>
  xInstructions(
    users.map(({ id, handle }) => ({
      user_results: { result: { rest_id: id, core: { screen_name: handle, name: handle } } },
    })),
    cursor,
  );

export const tiktokItem = (id: string, at: number, more: object = {}) => ({
  id,
  desc: 'Hi #Fun',
  createTime: at,
  author: { uniqueId: 'sample', id: '99', nickname: 'A Sample' },
  stats: { playCount: 10, diggCount: 4, commentCount: 2, shareCount: 3 },
  ...more,
});

export const tiktokItems = (items: readonly object[], more: object = {}) => ({
  itemList: items,
  hasMore: false,
  cursor: '0',
  statusCode: 0,
  ...more,
});
