import { isoOf } from '../../../../src/kernel/clock.ts';
import type { Account, SimPost } from '../../world/account.ts';
import { mix, scramble } from '../../world/hash.ts';
import type { World } from '../../world/world.ts';
import { type Cited, referenced } from '../references.ts';
import { isReserved } from '../reserved-names.ts';
import { json } from '../response.ts';
import { nothing, profileOf, type Reply, type Site, type SiteRequest } from '../site.ts';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';
const SORTABLE = '234567abcdefghijklmnopqrstuvwxyz';

const avatarOf = (account: Account): string =>
  `https://cdn.bsky.app/img/avatar/plain/${account.id}/bafkrei${account.avatar}${scramble(BASE32, 32, mix(account.key, account.avatar.charCodeAt(0)), 3)}@jpeg`;

const REGISTRATION = 'com.atproto.temp.checkHandleAvailability';

/** What the form of registration says of a name: names of accounts that are gone are held. */
const registrationReply = (world: World, handle: string, at: number): Reply => {
  const [name = '', ...domain] = handle.split('.');
  if (domain.join('.') !== 'bsky.social' || !/^[a-z0-9][a-z0-9-]{1,16}[a-z0-9]$/i.test(name))
    return json({ error: 'InvalidHandle', message: 'Invalid handle' }, 400);
  const isFree = !isReserved(name) && world.current('bluesky', handle.toLowerCase(), at) === null;
  const result = isFree
    ? { $type: `${REGISTRATION}#resultAvailable` }
    : { $type: `${REGISTRATION}#resultUnavailable`, suggestions: [] };
  return json({ handle, result });
};

/** A record key: microseconds and ten bits of clock ID in a sortable base 32. */
const recordKey = (post: SimPost): string => {
  let out = '';
  for (
    let rest = ((BigInt(post.at) * 1000n) << 10n) | BigInt(mix(post.key, 0x746964) & 1023), n = 0;
    n < 13;
    n++, rest >>= 5n
  ) {
    out = SORTABLE[Number(rest & 31n)] + out;
  }
  return out;
};

const labelsOf = (account: Account) =>
  account.quirks.has('opted_out')
    ? [
        {
          src: account.id,
          uri: `at://${account.id}/app.bsky.actor.profile/self`,
          cid: `bafyrei${scramble(BASE32, 52, account.key, 4)}`,
          val: '!no-unauthenticated',
          cts: '1970-01-01T00:00:00.000Z',
        },
      ]
    : [];

const author = (account: Account) => ({
  did: account.id,
  handle: account.handle,
  displayName: account.displayName,
  avatar: avatarOf(account),
  labels: labelsOf(account),
  createdAt: isoOf(account.createdAt),
});

const PRONOUNS = ['she/her', 'he/him', 'they/them'];

/** Shown by every third person. */
const pronounsOf = (account: Account): string | null => PRONOUNS[mix(account.key, 0x7072) % 9] ?? null;

const profile = (account: Account) => ({
  ...author(account),
  ...(pronounsOf(account) === null ? {} : { pronouns: pronounsOf(account) }),
  associated: { lists: 0, feedgens: 0, starterPacks: 0, labeler: false },
  ...(account.verified
    ? { verification: { verifications: [], verifiedStatus: 'valid', trustedVerifierStatus: 'none' } }
    : account.key % 9 === 0
      ? { verification: { verifications: [], verifiedStatus: 'none', trustedVerifierStatus: 'none' } }
      : {}),
  indexedAt: isoOf(account.createdAt),
  description: account.bio,
  followersCount: account.followers,
  followsCount: account.following,
  postsCount: account.posts,
});

const uriOf = (account: Account, post: SimPost): string =>
  `at://${account.id}/app.bsky.feed.post/${recordKey(post)}`;
const cidOf = (post: SimPost): string => `bafyrei${scramble(BASE32, 52, post.key, 5)}`;

/** Facets point into the text's bytes. */
const facetsOf = (world: World, post: SimPost, at: number) => {
  const facet = (part: string, feature: object) => {
    const start = post.text.indexOf(part);
    if (start < 0) return [];
    const byteStart = Buffer.byteLength(post.text.slice(0, start));
    return [
      {
        $type: 'app.bsky.richtext.facet',
        index: { byteStart, byteEnd: byteStart + Buffer.byteLength(part) },
        features: [feature],
      },
    ];
  };
  return [
    ...post.hashtags.flatMap((tag) => facet(`#${tag}`, { $type: 'app.bsky.richtext.facet#tag', tag })),
    ...post.links.flatMap((uri) => facet(uri, { $type: 'app.bsky.richtext.facet#link', uri })),
    ...post.mentions.flatMap((index) => {
      const { id, handle } = world.account('bluesky', index, at);
      return facet(`@${handle}`, { $type: 'app.bsky.richtext.facet#mention', did: id });
    }),
  ];
};

const embedOf = (post: SimPost, cited: Cited | null): { readonly embed?: object } => {
  if (post.kind === 'quote' && cited !== null) {
    const record = {
      $type: 'app.bsky.embed.record#viewRecord',
      uri: uriOf(cited.account, cited.post),
      cid: cidOf(cited.post),
      author: author(cited.account),
    };
    return { embed: { $type: 'app.bsky.embed.record#view', record } };
  }
  if (post.media !== 'none') {
    return { embed: { $type: `app.bsky.embed.${post.media === 'photo' ? 'images' : 'video'}#view` } };
  }
  const [uri] = post.links;
  return uri === undefined ? {} : { embed: { $type: 'app.bsky.embed.external#view', external: { uri } } };
};

const postView = (world: World, account: Account, post: SimPost, at: number) => {
  const cited = referenced(world, 'bluesky', post.replyTo ?? post.target, at);
  const answered = post.kind === 'reply' ? cited : null;
  const parent =
    answered === null ? null : { uri: uriOf(answered.account, answered.post), cid: cidOf(answered.post) };
  const facets = facetsOf(world, post, at);
  return {
    view: {
      uri: uriOf(account, post),
      cid: cidOf(post),
      author: author(account),
      record: {
        $type: 'app.bsky.feed.post',
        createdAt: isoOf(post.at),
        langs: [post.lang],
        text: post.text,
        ...(facets.length > 0 ? { facets } : {}),
        ...(parent === null ? {} : { reply: { root: parent, parent } }),
      },
      ...embedOf(post, cited),
      replyCount: post.replies,
      repostCount: post.reposts,
      likeCount: post.likes,
      quoteCount: post.quotes,
      indexedAt: isoOf(post.at + 400),
      labels: [],
    },
    reply:
      answered === null || parent === null
        ? {}
        : { reply: { parent: { ...parent, author: author(answered.account) }, root: parent } },
  };
};

/** A repost shows the post of another account, with the reason. */
const feedItem = (world: World, account: Account, post: SimPost, at: number): readonly object[] => {
  if (post.kind === 'repost') {
    const cited = referenced(world, 'bluesky', post.target, at);
    if (cited === null) return [];
    const by = author(account);
    const reason = { $type: 'app.bsky.feed.defs#reasonRepost', by, indexedAt: isoOf(post.at) };
    return [{ post: postView(world, cited.account, cited.post, at).view, reason }];
  }
  const { view, reply } = postView(world, account, post, at);
  return [{ post: view, ...reply }];
};

const refuse = (error: string, message: string): Reply => json({ error, message }, 400);

const feed = (world: World, request: SiteRequest, account: Account): Reply => {
  const limit = Number(request.query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    return refuse('InvalidRequest', 'Error: Params must have the property "limit" from 1 to 100');
  }
  const before = Number(request.query.get('cursor') ?? account.posts);
  const posts = world.posts(account, request.at, limit, before);
  const kept =
    request.query.get('filter') === 'posts_no_replies'
      ? posts.filter((post) => post.kind !== 'reply')
      : posts;
  return json({
    feed: kept.flatMap((post) => feedItem(world, account, post, request.at)),
    ...(before > posts.length ? { cursor: String(before - posts.length) } : {}),
  });
};

/** A page of followers or of followed accounts, newest first. */
const list = (
  world: World,
  request: SiteRequest,
  account: Account,
  method: 'getFollowers' | 'getFollows',
): Reply => {
  const limit = Number(request.query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    return refuse('InvalidRequest', 'Error: Params must have the property "limit" from 1 to 100');
  }
  const from = Number(request.query.get('cursor') ?? 0);
  const whole =
    method === 'getFollowers'
      ? world.followers('bluesky', account.index, request.at)
      : world.following('bluesky', account.index, request.at);
  const members = whole.page(from, limit);
  const next = from + members.length;
  return json({
    subject: author(account),
    ...(members.length > 0 && next < whole.total ? { cursor: String(next) } : {}),
    [method === 'getFollowers' ? 'followers' : 'follows']: members.map((member) => ({
      did: member.id,
      handle: member.handle,
      displayName: member.displayName,
      ...(member.hasAvatar ? { avatar: `https://cdn.bsky.app/img/avatar/plain/${member.id}/a@jpeg` } : {}),
      ...(member.bio === '' ? {} : { description: member.bio }),
      labels: [],
      createdAt: isoOf(member.createdAt),
      indexedAt: isoOf(member.createdAt),
    })),
  });
};

const PROFILE = 'app.bsky.actor.getProfile';
const FEED = 'app.bsky.feed.getAuthorFeed';
const FOLLOWERS = 'app.bsky.graph.getFollowers';
const FOLLOWS = 'app.bsky.graph.getFollows';
const METHODS: readonly string[] = [PROFILE, FEED, FOLLOWERS, FOLLOWS];

/** Bluesky: the public application view. */
export const bluesky: Site = {
  platform: 'bluesky',
  hosts: ['public.api.bsky.app', 'api.bsky.app', 'bsky.social'],
  serve: (world, request) => {
    const method = request.path.replace('/xrpc/', '');
    if (request.host === 'bsky.social' && method === REGISTRATION)
      return registrationReply(world, request.query.get('handle') ?? '', request.at);
    if (!METHODS.includes(method)) {
      return json({ error: 'MethodNotImplemented', message: 'Method Not Implemented' }, 501);
    }
    const actor = request.query.get('actor') ?? '';
    if (!/^did:[a-z]+:.+$|^([a-z0-9-]+\.)+[a-z]/i.test(actor)) {
      return refuse('InvalidRequest', 'Error: actor must be a valid did or a handle');
    }
    const index = actor.startsWith('did:') ? world.findById('bluesky', actor) : null;
    // A handle may have had other owners.
    const found =
      index === null
        ? world.current('bluesky', actor, request.at)
        : world.account('bluesky', index, request.at);
    if (!found || found.status === 'absent') return refuse('InvalidRequest', 'Profile not found');
    if (found.status === 'suspended') return refuse('AccountTakedown', 'Account has been suspended');
    if (found.status === 'deactivated') return refuse('AccountDeactivated', 'Account is deactivated');
    if (method === PROFILE) return json(profile(found));
    if (method === FEED) return feed(world, request, found);
    return list(world, request, found, method === FOLLOWERS ? 'getFollowers' : 'getFollows');
  },
  unused: [nothing('profile', 'absent')],
  visible: (account) => {
    if (account.status !== 'active' && account.status !== 'private') {
      return [{ surface: 'profile', status: account.status, profile: null }];
    }
    if (account.quirks.has('opted_out')) {
      // What a reader may store, not what is sent.
      return [{ surface: 'profile', status: 'present', profile: profileOf(account, {}) }];
    }
    return [
      {
        surface: 'profile',
        status: 'present',
        profile: profileOf(account, {
          id: account.id,
          display_name: account.displayName,
          followers: account.followers,
          following: account.following,
          posts: account.posts,
          verified: account.verified,
          created_at: isoOf(account.createdAt),
          bio: account.bio,
          avatar_url: avatarOf(account),
          links: account.links,
          pronouns: pronounsOf(account),
        }),
      },
    ];
  },
};
