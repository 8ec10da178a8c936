import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SITES } from '../../../infra/simulator/platforms/registry.ts';
import type { Platform } from '../../../infra/simulator/simulated-platforms.ts';
import { createWorld } from '../../../infra/simulator/world/world.ts';

// Recorded answers of the real platforms lie beside the project where they are at hand; they are not part of it.
const FIXTURES = fileURLToPath(new URL('../../../../shared/fixtures/', import.meta.url));
const present = existsSync(FIXTURES);
if (!present) console.log(`No recorded pages at ${FIXTURES}: the comparison with them is skipped.`);
const compare = it.skipIf(!present);

const NOW = Date.UTC(2026, 9, 1);
const world = createWorld({ seed: 7, size: 400, clock: { now: () => NOW } });
const recorded = (name: string): string => readFileSync(`${FIXTURES}${name}`, 'utf8');
const accounts = (platform: Platform) =>
  Array.from({ length: 400 }, (_, index) => world.account(platform, index)).filter(
    (account) => account.status === 'active' && account.posts > 0 && account.links.length > 0,
  );

const ask = (platform: Platform, url: string, body?: unknown): string => {
  const { host, pathname, searchParams } = new URL(url);
  const reply = SITES[platform].serve(world, {
    method: body === undefined ? 'GET' : 'POST',
    host,
    path: decodeURIComponent(pathname),
    query: searchParams,
    headers: { authorization: 'Bearer a', 'x-guest-token': '1', 'x-ig-app-id': '1' },
    body: JSON.stringify(body) ?? '',
    at: NOW,
  });
  return reply.body.map(String).join('');
};

/** Whether a value of the same type stands at the path in both; `*` is any element of a list. */
const typesAt = (value: unknown, path: string): Set<string> => {
  let level: unknown[] = [value];
  for (const step of path.split('.')) {
    level = level.flatMap((node) => {
      if (typeof node !== 'object' || node === null) return [];
      if (step === '*') return Object.values(node);
      const next = (node as Record<string, unknown>)[step];
      return next === undefined ? [] : [next];
    });
  }
  return new Set(level.map((leaf) => (leaf === null ? 'null' : typeof leaf)));
};
const sameAt = (ours: readonly string[], theirs: string, paths: readonly string[]): void => {
  const parsed = ours.map((text) => JSON.parse(text) as unknown);
  const reference = JSON.parse(theirs) as unknown;
  for (const path of paths) {
    const wanted = typesAt(reference, path);
    expect(wanted.size, `${path} in the recording`).toBeGreaterThan(0);
    const found = new Set(parsed.flatMap((one) => [...typesAt(one, path)]));
    for (const type of wanted) expect([...found], path).toContain(type);
  }
};

compare('X: users in both shapes, a suspended one, tweets', () => {
  const variables = (value: object) => encodeURIComponent(JSON.stringify(value));
  const users = accounts('x')
    .slice(0, 80)
    .map((one) =>
      ask(
        'x',
        `https://api.x.com/graphql/q/UserByScreenName?variables=${variables({ screen_name: one.handle })}`,
      ),
    );
  const at = 'data.user.result';
  sameAt(users, recorded('x/user-by-screen-name.ok.json'), [
    `${at}.__typename`,
    `${at}.rest_id`,
    `${at}.is_blue_verified`,
    ...[
      'created_at',
      'description',
      'followers_count',
      'friends_count',
      'statuses_count',
      'name',
      'screen_name',
    ].map((key) => `${at}.legacy.${key}`),
    `${at}.legacy.profile_image_url_https`,
    `${at}.legacy.entities.url.urls.*.expanded_url`,
  ]);
  sameAt(users, recorded('x/user-by-login.2026.json'), [
    `${at}.core.created_at`,
    `${at}.core.screen_name`,
    `${at}.relationship_counts.followers`,
    `${at}.relationship_counts.following`,
    `${at}.tweet_counts.tweets`,
    `${at}.privacy.protected`,
    `${at}.avatar.image_url`,
    `${at}.profile_bio.description`,
    `${at}.location.location`,
    `${at}.website.url`,
  ]);
  const tweets = accounts('x')
    .slice(0, 20)
    .map((one) =>
      ask('x', `https://x.com/i/api/graphql/q/UserTweets?variables=${variables({ userId: one.id })}`),
    );
  const result = `${at}.timeline.timeline.instructions.*.entries.*.content.itemContent.tweet_results.result`;
  sameAt(tweets, recorded('x/user-tweets.json'), [
    `${at}.timeline.timeline.instructions.*.entries.*.content.cursorType`,
    `${at}.timeline.timeline.instructions.*.entries.*.entryId`,
    `${result}.rest_id`,
    `${result}.views.count`,
    `${result}.views.state`,
    ...[
      'created_at',
      'favorite_count',
      'reply_count',
      'retweet_count',
      'quote_count',
      'full_text',
      'id_str',
    ].map((key) => `${result}.legacy.${key}`),
    `${result}.core.user_results.result.rest_id`,
  ]);
});

compare('Instagram: a profile, its posts, nobody', () => {
  const call = (handle: string) =>
    ask('instagram', `https://www.instagram.com/api/v1/users/web_profile_info/?username=${handle}`);
  const profiles = accounts('instagram')
    .slice(0, 30)
    .map((one) => call(one.handle));
  sameAt(profiles, recorded('instagram/web-profile-info.ok.json'), [
    'status',
    ...[
      'id',
      'username',
      'full_name',
      'biography',
      'is_private',
      'is_verified',
      'profile_pic_url',
      'fbid',
    ].map((key) => `data.user.${key}`),
    'data.user.edge_followed_by.count',
    'data.user.edge_follow.count',
    'data.user.edge_owner_to_timeline_media.count',
  ]);
  const node = 'data.user.edge_owner_to_timeline_media.edges.*.node';
  sameAt(profiles, recorded('instagram/medias.json'), [
    `${node}.shortcode`,
    `${node}.taken_at_timestamp`,
    `${node}.edge_media_to_comment.count`,
    `${node}.edge_media_preview_like.count`,
    `${node}.edge_media_to_caption.edges.*.node.text`,
    `${node}.video_view_count`,
  ]);
  sameAt([call('nobody.ever1')], recorded('instagram/web-profile-info.null-user.json'), [
    'data.user',
    'status',
  ]);
});

compare('YouTube: browse, resolution, feed', () => {
  const channels = accounts('youtube').slice(0, 60);
  const post = (path: string, body: unknown) =>
    ask('youtube', `https://www.youtube.com/youtubei/v1/${path}`, body);
  const view = 'header.pageHeaderRenderer.content.pageHeaderViewModel';
  sameAt(
    channels.map((one) => post('browse', { browseId: one.id })),
    recorded('youtube/browse.ok.json'),
    [
      'metadata.channelMetadataRenderer.externalId',
      'metadata.channelMetadataRenderer.description',
      'metadata.channelMetadataRenderer.vanityChannelUrl',
      'metadata.channelMetadataRenderer.avatar.thumbnails.*.url',
      `${view}.metadata.contentMetadataViewModel.metadataRows.*.metadataParts.*.text.content`,
      `${view}.title.dynamicTextViewModel.text.attachmentRuns.*.element.type.imageType.image.sources.*.clientResource.imageName`,
      `${view}.attribution.attributionViewModel.text.content`,
    ],
  );
  const [channel] = channels;
  sameAt(
    [post('navigation/resolve_url', { url: `https://www.youtube.com/@${channel?.handle}` })],
    recorded('youtube/resolve-url.ok.json'),
    ['endpoint.browseEndpoint.browseId', 'endpoint.commandMetadata.webCommandMetadata.webPageType'],
  );
  const missing = { url: 'https://www.youtube.com/@nobody-at-all' };
  expect(JSON.parse(post('navigation/resolve_url', missing))).toEqual(
    JSON.parse(recorded('youtube/resolve-url.not-found.json')),
  );
  const tags = (xml: string) => new Set([...xml.matchAll(/<([a-zA-Z:]+)[ >/]/g)].map((hit) => hit[1]));
  const ours = tags(ask('youtube', `https://www.youtube.com/feeds/videos.xml?channel_id=${channel?.id}`));
  expect(ours).toEqual(
    tags(
      recorded('youtube/feed.ok.xml').replace(
        /<media:description>[\s\S]*?<\/media:description>/g,
        '<media:description>',
      ),
    ),
  );
});

compare('Telegram: a channel’s landing page, nobody, the preview', () => {
  const classes = (page: string) =>
    new Set([...page.matchAll(/class="(tgme_[a-z_]+)/g)].map((hit) => hit[1]));
  const channel = accounts('telegram').find((one) => one.kind === 'channel' && !one.quirks.has('no_feed'));
  const shared = (ours: string, theirs: string, names: readonly string[]) => {
    for (const name of names) {
      expect([...classes(theirs)], name).toContain(name);
      expect([...classes(ours)], name).toContain(name);
    }
  };
  shared(ask('telegram', `https://t.me/${channel?.handle}`), recorded('telegram/landing.channel.html'), [
    'tgme_page_title',
    'tgme_page_extra',
    'tgme_page_description',
    'tgme_page_photo_image',
  ]);
  shared(ask('telegram', 'https://t.me/nobody_at_all'), recorded('telegram/landing.missing.html'), [
    'tgme_page_icon',
    'tgme_page_description',
    'tgme_username_link',
  ]);
  shared(ask('telegram', `https://t.me/s/${channel?.handle}`), recorded('telegram/preview.html'), [
    'tgme_channel_info_header_title',
    'tgme_channel_info_counter',
    'tgme_widget_message_text',
    'tgme_widget_message_date',
    'tgme_widget_message_views',
  ]);
});

compare('Bluesky: a profile, a feed', () => {
  const get = (method: string, handle: string) =>
    ask('bluesky', `https://public.api.bsky.app/xrpc/app.bsky.${method}?actor=${handle}`);
  const people = accounts('bluesky').slice(0, 40);
  sameAt(
    people.map((one) => get('actor.getProfile', one.handle)),
    recorded('bluesky/get-profile.ok.json'),
    [
      'did',
      'handle',
      'displayName',
      'description',
      'avatar',
      'followersCount',
      'followsCount',
      'postsCount',
      'labels',
    ],
  );
  sameAt(
    people.map((one) => get('feed.getAuthorFeed', one.handle)),
    recorded('bluesky/get-author-feed.json'),
    [
      'cursor',
      'feed.*.post.uri',
      'feed.*.post.likeCount',
      'feed.*.post.replyCount',
      'feed.*.post.repostCount',
      'feed.*.post.indexedAt',
      'feed.*.post.record.createdAt',
      'feed.*.reason.$type',
    ],
  );
});
