import { type Clock, isoOf } from '../../kernel/clock.ts';
import { ServiceError } from '../../kernel/errors.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import type { Platform } from '../../kernel/platform.ts';
import { byDeadline, steadyMs } from '../../kernel/retry.ts';
import { hasStream } from '../../platforms/index.ts';
import type { AccountReads } from '../../read/accounts.ts';
import { type AccountSnapshots, recordSighting } from '../../write/accounts/account.ts';
import { endsEarly, eventsOfSweep, recordFollows } from '../../write/follows.ts';
import type { LogAvailability } from '../../write/log/availability.ts';
import { type EventLog, LogUnavailableError } from '../../write/log/port.ts';
import { sightingOf } from '../engine/sighting.ts';
import type { SharedCircuit } from '../http/rate-limited-http.ts';
import { knowledgeOf } from '../known-account.ts';
import {
  type Address,
  isOfThisInstallation,
  type PlatformAdapter,
  type Reading,
  type ReadOptions,
} from '../platforms/adapter.ts';
import { isStatement } from '../platforms/shared/read-surfaces.ts';
import {
  foreignCursorError,
  logUnavailableError,
  platformPausedError,
  stoppedError,
  timedOutError,
  toServiceError,
  unsupportedError,
} from './error-mapping.ts';
import { createLiveQueue, type LiveCall, type LiveHttp, type QueuedHttp, wasLimited } from './live-queue.ts';
import type { Conclusive, LivePage, LiveReader, LiveReading, Sweep } from './port.ts';

/** An optional surface of an adapter. @throws {ServiceError} `not_readable` if the platform has none. */
export const supported = <Surface>(surface: Surface | undefined): Surface => {
  if (surface === undefined) throw unsupportedError();
  return surface;
};

export const createLiveReader = (options: LiveReaderOptions): LiveReader => new PlatformReader(options);

/** ID of a new sweep of a list that a caller pages through. */
export const newSweepId = (nowMs: number): string => uuidV7(nowMs);

/** Reads in progress by their key, each with the call that began it. */
export type SharedReads<T> = Map<string, { readonly call: LiveCall; readonly read: Promise<T> }>;

/**
 * Joins an equal read in progress, or begins one that others may join. Each caller keeps its own deadline and requests: it
 * does not wait beyond its deadline for a longer read, and does not fail because a shorter read ran out of time or
 * requests.
 */
export const sharedRead = async <T>(
  reads: SharedReads<T>,
  key: string,
  call: LiveCall,
  nowMs: () => number,
  begin: () => Promise<T>,
): Promise<T> => {
  const { untilMs } = call;
  const joined = reads.get(key);
  if (joined !== undefined && joined.call.untilMs >= untilMs - TOLERANCE_MS) {
    try {
      return await byDeadline(joined.read, Math.max(0, untilMs - nowMs()), timedOutError);
    } catch (error) {
      const endedWithItsTime = isLate(error) && joined.call.untilMs < untilMs;
      const endedWithItsRequests = wasLimited(joined.call) && !wasLimited(call);
      if (!(endedWithItsTime || endedWithItsRequests) || untilMs - nowMs() < LEAST_MS) throw error;
    }
  }
  const read = begin();
  const entry = { call, read };
  reads.set(key, entry);
  try {
    return await read;
  } finally {
    if (reads.get(key) === entry) reads.delete(key);
  }
};

interface LiveReaderOptions {
  readonly adapterOf: (platform: Platform) => PlatformAdapter;
  readonly http: LiveHttp;
  readonly circuit: Pick<SharedCircuit, 'openForMs'>;
  readonly log: EventLog;
  readonly snapshots?: AccountSnapshots;
  /** What is known of accounts: a new verdict needs further answers, and an ID may be read by its handle. */
  readonly accounts?: Pick<AccountReads, 'find' | 'verdict'>;
  /** Nothing is read that could not be stored. */
  readonly availability: Pick<LogAvailability, 'answers'>;
  readonly clock: Clock;
  /** The clock of deadlines; `steadyMs` by default. */
  readonly nowMs?: () => number;
  /** Readings of a holder per platform at once. */
  readonly concurrency: number;
  /** Ends readings in flight: the process stops. */
  readonly stop?: AbortSignal;
}

/** Timeout of the log's availability check before a platform is asked. */
const LOG_MS = 2_000;

const keyOf = (platform: Platform, address: Address, posts: boolean): string =>
  `${platform} ${address.kind} ${address.kind === 'id' ? address.id : address.handle} ${posts}`;

const stored = async <T>(append: Promise<T>): Promise<T> =>
  append.catch((error: unknown) => {
    throw error instanceof LogUnavailableError ? logUnavailableError() : error;
  });

/**
 * Reads an ID by the handle that the catalog has for it, if this installation can't read the platform by ID. The reading
 * counts if it shows the ID, or states what became of the account, since the handle may be another account's by now.
 * @param direct the reading by the ID itself, which is returned otherwise.
 */
const readByHandle = async (
  adapter: PlatformAdapter,
  address: Address,
  direct: Reading,
  options: ReadOptions,
): Promise<Reading> => {
  if (address.kind !== 'id' || direct.status !== 'unknown' || !isOfThisInstallation(direct.reason))
    return direct;
  const handle = (await options.knownNames?.())?.handle ?? null;
  if (handle === null) return direct;
  const reading = await adapter.read({ kind: 'handle', handle }, options);
  if (reading.status === 'unknown' || isStatement(reading)) return reading;
  const isShown = reading.status === 'present' || reading.status === 'private';
  return isShown && reading.profile.id === address.id ? reading : direct;
};

class PlatformReader implements LiveReader {
  readonly clock: Clock;
  readonly #options: LiveReaderOptions;
  readonly #nowMs: () => number;
  readonly #queue: ReturnType<typeof createLiveQueue>;
  /** Reads by holder, waiting or in progress; and readings in progress, shared by all holders. */
  readonly #asked: SharedReads<LiveReading> = new Map();
  readonly #active: SharedReads<LiveReading> = new Map();

  constructor(options: LiveReaderOptions) {
    this.#options = options;
    this.clock = options.clock;
    const { http, concurrency, stop = new AbortController().signal } = options;
    this.#nowMs = options.nowMs ?? steadyMs;
    this.#queue = createLiveQueue(http, concurrency, stop, this.#nowMs);
  }

  readonly read: LiveReader['read'] = (platform, address, call, { posts = false } = {}) => {
    const key = keyOf(platform, address, posts);
    const now = this.#nowMs;
    // A read that waits for its holder's others is not shared with other holders: they would wait as well.
    return sharedRead(this.#asked, `${call.holder} ${key}`, call, now, () =>
      this.#inTurn(platform, call, (http) =>
        sharedRead(this.#active, key, call, now, () =>
          this.#readAccount(http, platform, address, call, posts),
        ),
      ),
    );
  };

  readonly readUnrecorded: LiveReader['readUnrecorded'] = (unfenced, address, call) =>
    this.#inTurn(unfenced.platform, call, async (http) =>
      this.#conclusive(http, await unfenced.read(address, { http, posts: false, preferSession: true })),
    );

  readonly readPosts: LiveReader['readPosts'] = async (platform, { owner, cursor, session }, limit, call) => {
    const readPosts = supported(this.#options.adapterOf(platform).readPosts);
    const live = await this.#inTurn(platform, call, async (http) =>
      this.#conclusive(http, await readPosts(owner, { http, cursor, limit, session })),
    );
    const { reading } = live;
    if (reading.status === 'present') {
      // A later page says nothing of the posts before it.
      const { postsSince: _, ...page } = reading;
      const seen = cursor === null ? reading : page;
      await this.#record(platform, reading.profile.handle, { ...live, reading: seen }, call);
    }
    return live;
  };

  readonly readPost: LiveReader['readPost'] = async (platform, id, call) => {
    const readPost = supported(this.#options.adapterOf(platform).readPost);
    const live = await this.#inTurn(platform, call, async (http) =>
      this.#conclusive(http, await readPost(id, { http })),
    );
    const { reading, observedAtMs } = live;
    if (reading.status === 'present') {
      const { profile, post, measured, isPrivate, surface, warnings } = reading;
      const status = isPrivate ? 'private' : 'present';
      const author = { status, profile, posts: [post], measured, surface, warnings } as const;
      await this.#record(platform, profile.handle, { reading: author, observedAtMs }, call);
    }
    return live;
  };

  readonly readListing: LiveReader['readListing'] = async (platform, call, ask) => {
    const adapter = this.#options.adapterOf(platform);
    const reading = await this.#inTurn(platform, call, (http) => ask(adapter, http));
    return { reading, observedAtMs: this.#options.clock.now() };
  };

  readonly readFollowers: LiveReader['readFollowers'] = async (platform, at, sweep, limit, call) => {
    const { owner, cursor, session } = at;
    const readFollows = supported(this.#options.adapterOf(platform).readFollows);
    if (sweep.isResumed) await this.#checkSweep(platform, owner, sweep);
    const live = await this.#inTurn(platform, call, async (http) =>
      this.#conclusive(http, await readFollows(owner, 'followers', { http, cursor, limit, session })),
    );
    const { reading, observedAtMs } = live;
    if (reading.status !== 'present') {
      return { ...live, recorded: { sweep: sweep.id, first: sweep.part, pages: sweep.part } };
    }
    const isEnd = reading.cursor === null;
    const isEarly = endsEarly(sweep.listed + reading.members.length, sweep.stated);
    const part = {
      observed_at: isoOf(observedAtMs),
      source: 'live',
      surface: reading.surface,
      direction: 'followers',
      owner,
      sweep: sweep.id,
      members: reading.members,
      order: reading.order,
      done: isEnd && !isEarly,
      capped: isEnd && isEarly,
    } as const;
    const newSweep = () => newSweepId(observedAtMs);
    const recorded = await stored(
      recordFollows(this.#options.log, platform, sweep.handle, part, sweep.part, newSweep),
    );
    return { ...live, recorded };
  };

  /** Checks a cursor against the log: the owner of the list, and the parts that were recorded. @throws {ServiceError} */
  async #checkSweep(platform: Platform, owner: string, { id, part, handle }: Sweep): Promise<void> {
    const events = await stored(eventsOfSweep(this.#options.log, platform, handle, id));
    const isOwn = events.some((event) => event.owner === owner && event.page + 1 >= part);
    if (!isOwn) throw foreignCursorError();
  }

  /** Reads something in the holder's turn, unless the platform is paused or nothing could be stored. */
  async #inTurn<T>(platform: Platform, call: LiveCall, read: (http: QueuedHttp) => Promise<T>): Promise<T> {
    const { circuit, availability, stop } = this.#options;
    if (stop?.aborted === true) throw stoppedError();
    const [openForMs, isAnswering] = await Promise.all([
      circuit.openForMs(platform),
      availability.answers(LOG_MS),
    ]);
    if (openForMs > 0) throw platformPausedError(openForMs);
    if (!isAnswering) throw logUnavailableError();
    return this.#queue.run(platform, call, read);
  }

  /**
   * Returns a conclusive result. An inconclusive one is an error, and never opens the breaker, which would stop the
   * crawl.
   */
  #conclusive<T extends { readonly status: string }>(http: QueuedHttp, reading: T): LivePage<Conclusive<T>> {
    if (reading.status === 'unknown') {
      throw toServiceError(reading as Parameters<typeof toServiceError>[0] & T);
    }
    const observedAtMs = this.#options.clock.now();
    return { reading: reading as Conclusive<T>, observedAtMs, session: http.session() };
  }

  #record(
    platform: Platform,
    handle: string,
    { reading, observedAtMs }: LiveReading,
    { requestId }: LiveCall,
  ): Promise<unknown> {
    const { log, snapshots } = this.#options;
    return stored(
      recordSighting(log, platform, handle, sightingOf(reading, observedAtMs, 'live'), {
        nowMs: observedAtMs,
        metadata: { request_id: requestId },
        snapshots,
      }),
    );
  }

  async #readAccount(
    http: QueuedHttp,
    platform: Platform,
    address: Address,
    call: LiveCall,
    posts: boolean,
  ): Promise<LiveReading> {
    const adapter = this.#options.adapterOf(platform);
    const knowledge = knowledgeOf(this.#options.accounts, platform, address);
    const options = { http, posts, preferSession: true, ...knowledge };
    const direct = await adapter.read(address, options);
    const live = this.#conclusive(http, await readByHandle(adapter, address, direct, options));
    const { reading } = live;
    const handle =
      reading.status === 'present' || reading.status === 'private'
        ? reading.profile.handle
        : address.kind === 'handle'
          ? address.handle
          : ((await knowledge.knownNames())?.handle ?? (hasStream(platform, address.id) ? address.id : null));
    // Where handles name the streams, a verdict on an ID without a known handle has no stream.
    if (handle !== null) await this.#record(platform, handle, live, call);
    return live;
  }
}

/** A read is joined if its deadline is at most this much before the caller's. */
const TOLERANCE_MS = 5_000;
/** With less time left, a failed read is not begun again. */
const LEAST_MS = 500;

/** Whether a read ended because its own time was over. */
const isLate = (error: unknown): boolean =>
  error instanceof ServiceError &&
  (error.code === 'platform_timeout' || error.code === 'service_unavailable');
