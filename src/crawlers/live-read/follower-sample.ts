import type { ListedFollower } from '../../analysis/audit/audit.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { AccountStatus } from '../../write/accounts/account.ts';
import type { Profile } from '../../write/accounts/profile.ts';
import { endsEarly } from '../../write/follows.ts';
import type { Address, FollowsReading } from '../platforms/adapter.ts';
import { withoutIdError } from './error-mapping.ts';
import type { LiveCall } from './live-queue.ts';
import type { LiveReader, LiveReading } from './port.ts';
import { newSweepId } from './reader.ts';

/** The newest followers of an account, in follow order. */
export interface FollowerSample {
  readonly account: LiveReading;
  readonly followers: readonly ListedFollower[];
  /** Where each of these is in the list, 0 being the newest member. */
  readonly positions: readonly number[];
  /** Status of the account, or of its list if that differs. Only an active account's followers are shown. */
  readonly status: AccountStatus;
  /** Members of the pages that were read, and how many of them were shown by nothing but an ID. */
  readonly listed: number;
  readonly unshown: number;
  /** Whether the last page of the list was read. */
  readonly isEnd: boolean;
  /** Whether the pages are all of the list: platforms end long lists early. */
  readonly isWhole: boolean;
  /** When the first page was read; null if none was. */
  readonly readAtMs: number | null;
  /** Why no further page was read, though the sample is smaller than was asked for. */
  readonly error: ServiceError | null;
}

/**
 * Reads followers of an account, the newest first, page by page: lists resume only where their last page ended. A page
 * that fails ends the sample; what was read before is kept.
 * @param size followers at most.
 * @throws {ServiceError} if the account could not be read, or shows no ID to ask for its list with.
 */
export const readFollowerSample = async (
  live: Pick<LiveReader, 'read' | 'readFollowers'>,
  platform: Platform,
  address: Address,
  size: number,
  call: LiveCall,
): Promise<FollowerSample> => {
  const account = await live.read(platform, address, call);
  const { reading, observedAtMs } = account;
  const members = new SampledMembers(size);
  if (reading.status !== 'present')
    return { account, ...members.sampled(), status: reading.status, isWhole: false, error: null };
  const { profile } = reading;
  const outcome = await readPages(live, platform, { profile, observedAtMs }, members, call);
  const sampled = members.sampled();
  const isWhole = sampled.isEnd && !endsEarly(sampled.listed, profile.followers);
  return { account, ...sampled, ...outcome, isWhole };
};

/** Reads pages of an active account's list until the sample is complete. @throws {ServiceError} without an ID. */
const readPages = async (
  live: Pick<LiveReader, 'readFollowers'>,
  platform: Platform,
  { profile, observedAtMs }: { readonly profile: Profile; readonly observedAtMs: number },
  members: SampledMembers,
  call: LiveCall,
): Promise<Pick<FollowerSample, 'status' | 'error'>> => {
  const { id: owner, handle, followers: stated } = profile;
  if (owner === null) throw withoutIdError();
  let at = { owner, cursor: null as string | null, session: null as string | null };
  let sweep = { id: newSweepId(observedAtMs), part: 0 };
  try {
    while (!members.isComplete()) {
      const position = { ...sweep, isResumed: false, listed: members.listed(), stated, handle };
      const limit = Math.max(members.missing(), MIN_PAGE_SIZE);
      const page = await live.readFollowers(platform, at, position, limit, call);
      if (page.reading.status !== 'present') return { status: page.reading.status, error: null };
      const hasNew = members.add(page.reading, page.observedAtMs);
      // A list that only repeats itself would be read forever.
      if (!hasNew) break;
      at = { owner, cursor: page.reading.cursor, session: page.session };
      sweep = { id: page.recorded.sweep, part: page.recorded.pages };
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { status: 'active', error };
  }
  return { status: 'active', error: null };
};

type PresentPage = Extract<FollowsReading, { readonly status: 'present' }>;

/** The members of a sample, while its pages are read. */
class SampledMembers {
  readonly #size: number;
  readonly #seen = new Set<string>();
  readonly #followers: ListedFollower[] = [];
  readonly #positions: number[] = [];
  #unshown = 0;
  #isEnd = false;
  #readAtMs: number | null = null;

  constructor(size: number) {
    this.#size = size;
  }

  listed(): number {
    return this.#seen.size;
  }

  missing(): number {
    return this.#size - this.#seen.size;
  }

  isComplete(): boolean {
    return this.#isEnd || this.missing() <= 0;
  }

  /** Adds the members of a page. @returns whether it had any that no earlier page had. */
  add({ members, profiles, withoutPicture, cursor }: PresentPage, observedAtMs: number): boolean {
    const before = this.#seen.size;
    this.#readAtMs ??= observedAtMs;
    // The list moves while it is read: a page may repeat members of the one before.
    for (const { id } of members) {
      if (this.#seen.has(id) || this.missing() === 0) continue;
      const position = this.#seen.size;
      this.#seen.add(id);
      const profile = profiles?.get(id);
      if (profile === undefined) {
        this.#unshown += 1;
        continue;
      }
      const hasPicture = withoutPicture === undefined ? null : !withoutPicture.has(id);
      this.#followers.push(followerOf(profile, hasPicture, observedAtMs));
      this.#positions.push(position);
    }
    this.#isEnd = cursor === null && members.every(({ id }) => this.#seen.has(id));
    return this.#seen.size > before;
  }

  sampled() {
    return {
      followers: this.#followers,
      positions: this.#positions,
      listed: this.#seen.size,
      unshown: this.#unshown,
      isEnd: this.#isEnd,
      readAtMs: this.#readAtMs,
    };
  }
}

const DAY = 86_400_000;
/** Members that a page is asked for at least: some of them may repeat those of the page before. */
const MIN_PAGE_SIZE = 50;

/** The figures that are kept of a follower, so that pages can be dropped as they are read. */
const followerOf = (profile: Profile, hasPicture: boolean | null, observedAtMs: number): ListedFollower => {
  const createdMs = profile.created_at === null ? null : Date.parse(profile.created_at);
  return {
    createdMs,
    ageDays: createdMs === null ? null : Math.max(0, observedAtMs - createdMs) / DAY,
    followers: profile.followers,
    following: profile.following,
    posts: profile.posts,
    hasAvatar: hasPicture,
    hasBio: profile.bio === null ? null : profile.bio !== '',
  };
};
