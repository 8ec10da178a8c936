import type { Platform } from '../../../kernel/platform.ts';
import {
  cleansedFacts,
  cleansedPosts,
  cleansedProfile,
  isErasedAddress,
  isErasedName,
  isErasedProfile,
} from '../../../write/erasure/cleanse.ts';
import type { Fence } from '../../../write/erasure/fence.ts';
import type { FollowsReading, ListedPost, PlatformAdapter, PostReading, Reading } from '../adapter.ts';
import { unknownReading } from './read-surfaces.ts';

/** The accounts that were erased, and what to do when another one has the handle of one. */
export interface Erasures {
  readonly fence: Fence;
  readonly lift: (platform: Platform, handle: string) => Promise<void>;
}

/** What stands in place of anything about an erased account. Logs and operators see it: it names nobody. */
const REFUSED = { status: 'unknown', reason: 'erased', detail: 'The account was erased' } as const;

/** An account as a list, a post or a profile names it: its ID, where the platform shows one, and its handle. */
interface Seen {
  readonly id: string | null;
  readonly handle: string | null;
}

/** Asks a platform about an account, unless it is erased, or was while the platform was asked. */
const unlessErased = async <Found>(
  isErased: () => boolean,
  refused: Found,
  ask: () => Promise<Found>,
): Promise<Found> => {
  if (isErased()) return refused;
  const found = await ask();
  return isErased() ? refused : found;
};

/**
 * An adapter that sends no request for an erased account, reads nothing of one, and leaves out what others show of one. All that asks
 * platforms goes through it: crawls, live reads, lists, tools.
 * What is promised: `docs/privacy.md`.
 */
export const withoutErased = (adapter: PlatformAdapter, { fence, lift }: Erasures): PlatformAdapter => {
  const { platform, surfaces, readPosts, readPost, resolveUrl, registration, visibility, readFollows } =
    adapter;
  const surface = surfaces[0]?.name ?? platform;
  const unread = unknownReading(surface, REFUSED.reason, REFUSED.detail);
  const isId = (id: string): boolean => fence.has(platform, 'id', id);
  const isName = (name: string): boolean => isErasedName(fence, platform, name);

  /**
   * Whether what the platform shows is an erased account. If it is another one that has the handle now, the handle is lifted; where no
   * ID of the erased one is known, nobody can tell that.
   */
  const isErased = async ({ id, handle }: Seen): Promise<boolean> => {
    if (isErasedProfile(fence, platform, { id, handle: handle ?? '' })) return true;
    if (id === null || handle === null || !fence.has(platform, 'handle', handle)) return false;
    if (handle === id || fence.liftOf(platform, handle) === null) return true;
    await lift(platform, handle);
    return false;
  };
  const erasedAmong = async <Each>(all: readonly Each[], seen: (each: Each) => Seen): Promise<Set<Each>> => {
    const erased = new Set<Each>();
    for (const each of all) if (await isErased(seen(each))) erased.add(each);
    return erased;
  };

  const ofAccount = async <Found extends Reading | { readonly status: 'empty' }>(
    reading: Found,
  ): Promise<Found | Reading> => {
    if (fence.isEmpty || (reading.status !== 'present' && reading.status !== 'private')) return reading;
    if (await isErased(reading.profile))
      return unknownReading(reading.surface, REFUSED.reason, REFUSED.detail);
    const { profile, posts, facts } = reading;
    return {
      ...reading,
      profile: cleansedProfile(fence, platform, profile),
      posts: posts && cleansedPosts(fence, platform, posts),
      ...(facts === undefined ? {} : { facts: cleansedFacts(fence, facts) }),
    };
  };

  const ofPost = async (reading: PostReading): Promise<PostReading> => {
    if (fence.isEmpty || reading.status !== 'present') return reading;
    const { profile, post } = reading;
    const [shown] = cleansedPosts(fence, platform, [post]);
    if (shown === undefined || (await isErased(profile)))
      return { ...REFUSED, surface: reading.surface, warnings: [] };
    return { ...reading, profile: cleansedProfile(fence, platform, profile), post: shown };
  };

  const ofList = async (reading: FollowsReading): Promise<FollowsReading> => {
    if (fence.isEmpty || reading.status !== 'present') return reading;
    const { members, profiles } = reading;
    const erased = await erasedAmong(members, (member) => member);
    const ids = new Set([...erased].map(({ id }) => id));
    return {
      ...reading,
      members: members.filter((member) => !erased.has(member)),
      ...(profiles === undefined
        ? {}
        : {
            profiles: new Map(
              [...profiles].flatMap(([id, profile]) =>
                ids.has(id) || isId(id) ? [] : [[id, cleansedProfile(fence, platform, profile)]],
              ),
            ),
          }),
    };
  };

  /** Posts of others in a search or a thread. */
  const ofPosts = async (posts: readonly ListedPost[]): Promise<readonly ListedPost[]> => {
    if (fence.isEmpty) return posts;
    const erased = await erasedAmong(posts, ({ author: id, handle }) => ({ id, handle }));
    return posts.filter((post) => !erased.has(post));
  };

  return {
    ...adapter,
    // Self-probes ask surfaces themselves.
    surfaces: surfaces.map((each) => ({
      ...each,
      request: (address) => (isErasedAddress(fence, platform, address) ? null : each.request(address)),
    })),
    read: (address, options) =>
      unlessErased(
        () => isErasedAddress(fence, platform, address),
        unread,
        async () => ofAccount(await adapter.read(address, options)),
      ),
    ...(readPosts && {
      readPosts: (owner, options) =>
        unlessErased(
          () => isId(owner),
          unread,
          async () => ofAccount(await readPosts(owner, options)),
        ),
    }),
    // The ID of a post does not say whose it is.
    ...(readPost && { readPost: async (id, options) => ofPost(await readPost(id, options)) }),
    ...(resolveUrl && {
      resolveUrl: async (profileUrl, http) => {
        const reading = await resolveUrl(profileUrl, http);
        const isFound = reading.status === 'present' && reading.address !== null;
        return isFound && isErasedAddress(fence, platform, reading.address) ? REFUSED : reading;
      },
    }),
    ...(registration && {
      registration: {
        ...registration,
        read: (handle, http) =>
          unlessErased(
            () => isName(handle),
            REFUSED,
            () => registration.read(handle, http),
          ),
      },
    }),
    ...(visibility && {
      visibility: {
        search: (handle, http) =>
          unlessErased(
            () => handle !== null && isName(handle),
            REFUSED,
            async () => {
              const reading = await visibility.search(handle, http);
              return reading.status === 'present'
                ? { ...reading, posts: await ofPosts(reading.posts) }
                : reading;
            },
          ),
        suggestions: (name, http) =>
          unlessErased(
            () => isName(name),
            REFUSED,
            async () => {
              const reading = await visibility.suggestions(name, http);
              return reading.status === 'present'
                ? { ...reading, accounts: reading.accounts.filter((id) => !isId(id)) }
                : reading;
            },
          ),
        thread: async (post, cursor, http) => {
          const reading = await visibility.thread(post, cursor, http);
          return reading.status === 'present'
            ? { ...reading, replies: await ofPosts(reading.replies) }
            : reading;
        },
      },
    }),
    ...(readFollows && {
      readFollows: (owner, direction, options) =>
        unlessErased(
          () => isId(owner),
          { ...REFUSED, surface },
          async () => ofList(await readFollows(owner, direction, options)),
        ),
    }),
  };
};
