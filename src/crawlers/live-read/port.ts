import type { Clock } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { RecordedPart } from '../../write/follows.ts';
import type { ConclusiveReading } from '../engine/sighting.ts';
import type { Http } from '../http/port.ts';
import type {
  Address,
  FollowsReading,
  ListingReading,
  PlatformAdapter,
  PostReading,
  PostsReading,
} from '../platforms/adapter.ts';
import type { LiveCall } from './live-queue.ts';

/** A conclusive reading of an account. */
export type LiveReading = Observed<ConclusiveReading>;

/** A page of a list that was read live. */
export interface LivePage<T> extends Observed<T> {
  /** The session that read it, since cursors may be a session's own. */
  readonly session: string | null;
}

/** Where a page of a list of the platform begins. */
export interface UpstreamPosition {
  /** Native ID of the account whose list it is. */
  readonly owner: string;
  /** Null for the first page. */
  readonly cursor: string | null;
  readonly session: string | null;
}

/** A page of a follower list is one part of a sweep. */
export interface Sweep {
  readonly id: string;
  /** Number of the sweep's events before this page. */
  readonly part: number;
  /** Whether the position comes from a caller's cursor, so that a page of the sweep was read before. */
  readonly isResumed: boolean;
  /** Members listed before this page, and those that the profile states. */
  readonly listed: number;
  readonly stated: number | null;
  readonly handle: string;
}

/** A reading with a conclusive result. */
export type Conclusive<T> = Exclude<T, { readonly status: 'unknown' }>;

/**
 * Reads platforms for API requests, and appends what was seen. All methods throw a {@link ServiceError}: `platform_…` if
 * the reading is inconclusive, too slow, or the platform is paused; `service_unavailable`, before the platform is
 * asked, if the event log is unavailable or too many live reads are queued.
 */
export interface LiveReader {
  /** The clock of what it observes. */
  readonly clock: Clock;
  /** Reads an account. Concurrent calls for one account share a reading. */
  read(
    platform: Platform,
    address: Address,
    call: LiveCall,
    options?: { readonly posts?: boolean },
  ): Promise<LiveReading>;
  /** Reads an account for whoever proves that it is theirs: a refused one as well. Nothing is recorded. */
  readUnrecorded(unfenced: PlatformAdapter, address: Address, call: LiveCall): Promise<LiveReading>;
  /** Reads a page of an account's posts, newest first. */
  readPosts(
    platform: Platform,
    at: UpstreamPosition,
    limit: number,
    call: LiveCall,
  ): Promise<LivePage<Conclusive<PostsReading>>>;
  /** Reads one post. */
  readPost(platform: Platform, id: string, call: LiveCall): Promise<Observed<Conclusive<PostReading>>>;
  /**
   * Queries a surface that shows search results to strangers. Nothing is recorded, and no answer of the platform is an
   * error.
   * @throws {ServiceError} only if the platform was not asked, or did not answer in time.
   */
  readListing<Listed>(
    platform: Platform,
    call: LiveCall,
    ask: (adapter: PlatformAdapter, http: Http) => Promise<ListingReading<Listed>>,
  ): Promise<Observed<ListingReading<Listed>>>;
  /** Reads a page of an account's followers. */
  readFollowers(
    platform: Platform,
    at: UpstreamPosition,
    sweep: Sweep,
    limit: number,
    call: LiveCall,
  ): Promise<LivePage<Conclusive<FollowsReading>> & { readonly recorded: RecordedPart }>;
}

/** What was read, and when. */
interface Observed<T> {
  readonly reading: T;
  readonly observedAtMs: number;
}
