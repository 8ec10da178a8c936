import { ALIKE, type Look, MISSES, REPLIES } from '../../analysis/shadowban.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Post } from '../../write/accounts/post.ts';
import type { Http } from '../http/port.ts';
import type {
  Address,
  ListedPost,
  ListingReading,
  ThreadPage,
  UnknownReason,
  VisibilitySurfaces,
} from '../platforms/adapter.ts';
import { toServiceError, withoutIdError } from './error-mapping.ts';
import type { LiveCall } from './live-queue.ts';
import type { LiveReader, LiveReading, UpstreamPosition } from './port.ts';
import { supported } from './reader.ts';

/**
 * Reads an account, looks for it on the surfaces that a platform shows to strangers, and looks for a control account
 * wherever it is missing.
 * An account that is not public is not looked for.
 * @throws {ServiceError} if the account or its ID, or none of the surfaces, could be read.
 */
export const checkVisibility = async (
  live: Live,
  platform: Platform,
  address: Address,
  call: LiveCall,
): Promise<CheckedVisibility> => {
  const account = await live.read(platform, address, call);
  const { reading } = account;
  if (reading.status !== 'present') return { account, looks: [], postsUnread: false };
  const { id, handle, followers, verified } = reading.profile;
  if (id === null) throw withoutIdError();
  const own = { id, handle, followers, verified };
  const first = await readOwnPosts(live, platform, own, call);
  const { posts, isCut } = first.isCut ? await readOwnPosts(live, platform, own, call) : first;
  const hasPosts = posts.some(({ kind }) => kind !== 'repost') || (isCut && (reading.profile.posts ?? 0) > 0);
  const checked = { ...own, hasPosts, replies: repliesIn(posts, own) };
  const looks = await lookFor(live, platform, checked, call);
  return { account, looks, postsUnread: isCut };
};

/** An account whose visibility is checked. */
interface CheckedAccount {
  readonly id: string;
  readonly handle: string;
  readonly followers: number | null;
  readonly verified: boolean | null;
  /** Whether it has posts that a search could find. */
  readonly hasPosts: boolean;
  /** Its replies to others, newest first. */
  readonly replies: readonly { readonly id: string; readonly answers: string }[];
}

/** Replies whose threads are read, and pages of a thread, before and after readers ask for more. */
const MAX_THREADS = 5;
const MAX_PAGES = 3;
/** Accounts that are tried until one is a control. */
const MAX_CONTROLS = 3;
/** Pages of the account's own posts, and posts of each. */
const OWN_PAGES = 4;
const PAGE_SIZE = 40;
/** Replies after which no more posts are read. */
const ENOUGH_REPLIES = 4;

/** Failures that a retry may cure. */
const PASSING: ReadonlySet<UnknownReason> = new Set([
  'http_error',
  'timeout',
  'layout_changed',
  'other_address',
  'too_large',
  'challenge',
  'login_wall',
]);

interface Listing<Listed> {
  readonly reading: ListingReading<Listed>;
  readonly observedAtMs: number;
}

type Asked<Listed> = (surfaces: VisibilitySurfaces, http: Http) => Promise<ListingReading<Listed>>;

/** Where a thread resumes, and whether readers see that part on request only. */
interface Resume {
  readonly cursor: string | null;
  readonly isHidden: boolean;
}

/** Looks at the surfaces of one platform for one call. */
class Looking {
  readonly looks: Look[] = [];
  /** The last failure: of a call, or to understand an answer. */
  error: ServiceError | null = null;
  readonly #live: Pick<LiveReader, 'readListing' | 'clock'>;
  readonly #platform: Platform;
  readonly #call: LiveCall;
  #controls: Promise<readonly ListedPost[]> | undefined;

  constructor(live: Pick<LiveReader, 'readListing' | 'clock'>, platform: Platform, call: LiveCall) {
    this.#live = live;
    this.#platform = platform;
    this.#call = call;
  }

  /** The result of a surface. A failure that may be accidental is retried once. */
  async #ask<Listed>(ask: Asked<Listed>): Promise<Listing<Listed>> {
    const first = await this.#askOnce(ask);
    const { reading } = first;
    return reading.status === 'unknown' && PASSING.has(reading.reason) ? this.#askOnce(ask) : first;
  }

  async #askOnce<Listed>(ask: Asked<Listed>): Promise<Listing<Listed>> {
    try {
      const found = await this.#live.readListing(this.#platform, this.#call, ({ visibility }, http) =>
        ask(supported(visibility), http),
      );
      if (found.reading.status === 'unknown') this.error = toServiceError(found.reading);
      return found;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      this.error = error;
      const reading = { status: 'unknown', reason: 'http_error', detail: error.message } as const;
      return { reading, observedAtMs: this.#live.clock.now() };
    }
  }

  #note(look: Omit<Look, 'atMs' | 'post' | 'reason'> & Partial<Look>, atMs: number): Look {
    const noted = { post: null, reason: null, ...look, atMs };
    this.looks.push(noted);
    return noted;
  }

  /** Whether a search finds posts of an account. */
  async search(of: Look['of'], id: string, handle: string): Promise<Look> {
    const { reading, observedAtMs } = await this.#ask((surfaces, http) => surfaces.search(handle, http));
    if (reading.status === 'unknown')
      return this.#note({ surface: 'search', of, shown: null, reason: reading.reason }, observedAtMs);
    const isThere = reading.posts.some(({ author }) => author === id);
    return this.#note({ surface: 'search', of, shown: isThere ? 'shown' : 'absent' }, observedAtMs);
  }

  /** Whether the search box suggests an account for its name. */
  async suggestion(of: Look['of'], id: string, handle: string): Promise<Look> {
    const { reading, observedAtMs } = await this.#ask((surfaces, http) => surfaces.suggestions(handle, http));
    if (reading.status === 'unknown')
      return this.#note({ surface: 'suggestions', of, shown: null, reason: reading.reason }, observedAtMs);
    const isThere = reading.accounts.includes(id);
    return this.#note({ surface: 'suggestions', of, shown: isThere ? 'shown' : 'absent' }, observedAtMs);
  }

  /** Finds a reply in the thread that it answers. Only a thread that was read to its end can lack it. */
  async thread(of: Look['of'], { id, answers }: { id: string; answers: string }): Promise<Look> {
    let at: Resume = { cursor: null, isHidden: false };
    let hidden: string | null = null;
    for (let page = 0; page < MAX_PAGES; page++) {
      const { cursor, isHidden }: Resume = at;
      const { reading, observedAtMs } = await this.#ask<ThreadPage>((surfaces, http) =>
        surfaces.thread(answers, cursor, http),
      );
      const look = { surface: 'thread', of, post: id } as const;
      if (reading.status === 'unknown')
        return this.#note({ ...look, shown: null, reason: reading.reason }, observedAtMs);
      if (reading.replies.some((reply) => reply.id === id))
        return this.#note({ ...look, shown: isHidden ? 'hidden' : 'shown' }, observedAtMs);
      hidden ??= reading.hidden;
      if (reading.cursor !== null) at = { cursor: reading.cursor, isHidden };
      else if (!isHidden && hidden !== null) at = { cursor: hidden, isHidden: true };
      else return this.#note({ ...look, shown: 'absent' }, observedAtMs);
    }
    return this.#note(
      { surface: 'thread', of, post: id, shown: null, reason: 'thread_too_long' },
      this.#live.clock.now(),
    );
  }

  /** Replies that a search finds, by accounts other than the checked one. */
  controls(except: string): Promise<readonly ListedPost[]> {
    this.#controls ??= this.#ask((surfaces, http) => surfaces.search(null, http)).then(({ reading }) => {
      if (reading.status === 'unknown') return [];
      const seen = new Set([except]);
      return reading.posts.filter(({ author, handle, answers }) => {
        const isNew = !seen.has(author) && handle !== null && answers !== null;
        seen.add(author);
        return isNew;
      });
    });
    return this.#controls;
  }

  /** Looks for a control: an account from a search that another surface shows as well. */
  async control(account: CheckedAccount, look: (post: ListedPost) => Promise<Look>): Promise<boolean> {
    for (const post of (await this.controls(account.id)).slice(0, MAX_CONTROLS))
      if ((await look(post)).shown === 'shown') return true;
    return false;
  }

  /** Whether the search box suggests accounts like one: no larger, the nearest in size first, and without a better badge. */
  async suggestsAlike({ id, followers, verified }: CheckedAccount): Promise<boolean> {
    const sizeOf = (post: ListedPost): number => post.followers ?? Number.POSITIVE_INFINITY;
    const alike = (await this.controls(id))
      .filter((post) => sizeOf(post) <= (followers ?? 0) && (verified === true || post.verified !== true))
      .sort((a, b) => sizeOf(b) - sizeOf(a))
      .slice(0, ALIKE);
    if (alike.length < ALIKE) return false;
    for (const { author, handle } of alike)
      if ((await this.suggestion('control', author, handle as string)).shown !== 'shown') return false;
    return true;
  }
}

/** Looks again on a surface that lacked the account but showed a control. */
const lookAgain = async (look: () => Promise<Look>): Promise<void> => {
  for (let miss = 1; miss < MISSES; miss++) if ((await look()).shown !== 'absent') return;
};

/** Replies to others, one to each author: one who hides replies decides nothing. */
const repliesIn = (
  posts: readonly Post[],
  own: { readonly id: string; readonly handle: string },
): CheckedAccount['replies'] => {
  const answered = new Set<string>();
  return posts.flatMap(({ id, kind, reply_to }) => {
    const answers = reply_to?.post ?? null;
    const isOwn = reply_to?.account === own.handle || reply_to?.account === own.id;
    const author = reply_to?.account ?? answers;
    if (kind !== 'reply' || answers === null || author === null || isOwn || answered.has(author)) return [];
    answered.add(author);
    return [{ id, answers }];
  });
};

type Live = Pick<LiveReader, 'read' | 'readPosts' | 'readListing' | 'clock'>;

/** The account's newest posts, until there are enough replies. @returns also whether a failure ended it. */
const readOwnPosts = async (
  live: Live,
  platform: Platform,
  own: { readonly id: string; readonly handle: string },
  call: LiveCall,
): Promise<{ readonly posts: readonly Post[]; readonly isCut: boolean }> => {
  const posts: Post[] = [];
  let at: UpstreamPosition = { owner: own.id, cursor: null, session: null };
  try {
    for (let page = 0; page < OWN_PAGES; page++) {
      const { reading, session } = await live.readPosts(platform, at, PAGE_SIZE, call);
      if (reading.status !== 'present' || reading.posts === null) break;
      posts.push(...reading.posts);
      const cursor = reading.postsCursor ?? null;
      if (cursor === null || repliesIn(posts, own).length >= ENOUGH_REPLIES) break;
      at = { owner: own.id, cursor, session };
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { posts, isCut: true };
  }
  return { posts, isCut: false };
};

/** The visibility of an account on the surfaces. */
interface CheckedVisibility {
  readonly account: LiveReading;
  readonly looks: readonly Look[];
  /** Whether the account's own posts could not all be read, so that less is known of its replies. */
  readonly postsUnread: boolean;
}

/** Looks for an account on each surface. @throws {ServiceError} if none could be read. */
const lookFor = async (
  live: Live,
  platform: Platform,
  account: CheckedAccount,
  call: LiveCall,
): Promise<readonly Look[]> => {
  const { id, handle, hasPosts, replies } = account;
  const looking = new Looking(live, platform, call);

  const search = () => looking.search('account', id, handle);
  if (hasPosts && (await search()).shown === 'absent') {
    const isControlled = await looking.control(account, ({ author, handle: name }) =>
      looking.search('control', author, name as string),
    );
    if (isControlled) await lookAgain(search);
  }

  const suggestion = () => looking.suggestion('account', id, handle);
  if ((await suggestion()).shown === 'absent' && (await looking.suggestsAlike(account)))
    await lookAgain(suggestion);

  const missed: Look[] = [];
  for (const reply of replies.slice(0, MAX_THREADS)) {
    const look = await looking.thread('account', reply);
    if (look.shown === 'shown') break;
    if (look.shown !== null) missed.push(look);
    if (missed.length === REPLIES) {
      await looking.control(account, ({ id: post, answers }) =>
        looking.thread('control', { id: post, answers: answers as string }),
      );
      break;
    }
  }

  if (looking.error !== null && looking.looks.every(({ shown }) => shown === null)) throw looking.error;
  return looking.looks;
};
