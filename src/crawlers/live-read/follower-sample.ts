import type { ListedFollower } from '../../analysis/audit/audit.ts';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { AccountStatus } from '../../write/accounts/events.ts';
import type { Profile } from '../../write/accounts/profile.ts';
import { endsEarly } from '../../write/follows/ends-early.ts';
import type { Address } from '../platforms/adapter.ts';
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
  /** Of the account, or of its list where that says another; only of an active one followers are shown. */
  readonly status: AccountStatus;
  /** Members of the pages that were read, and those of them that a page showed nothing but an ID of. */
  readonly listed: number;
  readonly unshown: number;
  /** Whether the platform shows no further page. */
  readonly isEnd: boolean;
  /** Whether the pages are all of the list: platforms end long lists early. */
  readonly isWhole: boolean;
  /** When the first page was read; null if none was. */
  readonly readAtMs: number | null;
  /** Why no further page was read, though the sample is smaller than was asked for. */
  readonly error: ServiceError | null;
}

/**
 * Reads followers of an account, the newest first, page by page: lists resume only where their last page ended. A page that
 * fails ends the sample; what was read before is kept.
 * @param size followers at most.
 * @throws {ServiceError} if the account could not be read, or no ID that its list could be asked for with.
 */
export const readFollowerSample = async (
  live: Pick<LiveReader, 'read' | 'readFollowers'>,
  platform: Platform,
  address: Address,
  size: number,
  call: LiveCall,
): Promise<FollowerSample> => {
  const account = await live.read(platform, address, call);
  const { reading } = account;
  const followers: ListedFollower[] = [];
  const positions: number[] = [];
  const seen = new Set<string>();
  let [unshown, isEnd] = [0, false];
  let status: AccountStatus = reading.status === 'present' ? 'active' : reading.status;
  let readAtMs: number | null = null;
  let error: ServiceError | null = null;
  const stated = reading.status === 'present' ? reading.profile.followers : null;
  if (reading.status === 'present') {
    const { id: owner, handle } = reading.profile;
    if (owner === null) throw withoutIdError();
    let at = { owner, cursor: null as string | null, session: null as string | null };
    let sweep = { id: newSweepId(account.observedAtMs), part: 0 };
    while (!isEnd && seen.size < size) {
      try {
        const position = { ...sweep, isResumed: false, listed: seen.size, stated, handle };
        const before = seen.size;
        const limit = Math.max(size - before, LEAST_ASKED);
        const page = await live.readFollowers(platform, at, position, limit, call);
        if (page.reading.status !== 'present') {
          status = page.reading.status;
          break;
        }
        readAtMs ??= page.observedAtMs;
        const { members, profiles, withoutPicture, cursor } = page.reading;
        // The list moves while it is read: who was on a page before is not counted again.
        for (const { id } of members) {
          if (seen.has(id) || seen.size === size) continue;
          const rank = seen.size;
          seen.add(id);
          const profile = profiles?.get(id);
          if (profile === undefined) unshown += 1;
          else {
            const hasPicture = withoutPicture === undefined ? null : !withoutPicture.has(id);
            followers.push(followerOf(profile, hasPicture, page.observedAtMs));
            positions.push(rank);
          }
        }
        isEnd = cursor === null && members.every(({ id }) => seen.has(id));
        // A list that only repeats itself is not read for ever.
        if (seen.size === before) break;
        at = { owner, cursor, session: page.session };
        sweep = { id: page.recorded.sweep, part: page.recorded.pages };
      } catch (failure) {
        if (!(failure instanceof ServiceError)) throw failure;
        error = failure;
        break;
      }
    }
  }
  const listed = seen.size;
  const isWhole = isEnd && !endsEarly(listed, stated);
  return { account, followers, positions, status, listed, unshown, isEnd, isWhole, readAtMs, error };
};

const DAY = 86_400_000;
/** Members of a page at least, since those that a page before had are none of a sample. */
const LEAST_ASKED = 50;

/** What is kept of a follower: numbers and marks, so that pages are dropped as they are read. */
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
