import PQueue from 'p-queue';
import type { Platform } from '../../kernel/platform.ts';
import { steadyMs } from '../../kernel/retry.ts';
import { FetchError, type Http, unlessFired } from '../http/port.ts';
import type { RateLimitedHttp } from '../http/rate-limited-http.ts';
import { crowdedError, stoppedError, timedOutError } from './error-mapping.ts';

/** The caller of a live read, and its deadline. */
export interface LiveCall {
  readonly holder: string;
  readonly requestId: string;
  /** Deadline of the whole call, including its wait, in milliseconds of the monotonic clock (`steadyMs`). */
  readonly untilMs: number;
  /** Requests that the call may still send to platforms, retries and redirects included; by default any number. */
  readonly requests?: {
    left: number;
    /** Set once a request was refused because none was left. */
    isExceeded?: boolean;
  };
}

/** Whether a call ran out of requests, so that its own limit ended the reading and not the platform. */
export const wasLimited = ({ requests }: Pick<LiveCall, 'requests'>): boolean =>
  requests?.isExceeded === true;

/** HTTP of live reads: at the platforms' rate, with sessions and proxies. */
export type LiveHttp = Pick<RateLimitedHttp, 'fetch'>;

/** A reading in progress: its HTTP, and what is known of its requests. */
export interface QueuedHttp extends Http {
  /** The session that answered last; null if none did. */
  readonly session: () => string | null;
}

/**
 * Bounds live reads: a number of concurrent ones per holder, ten seconds for each from its first request, and a deadline
 * for the call. Holders take turns at the platform's rate (`createFairTurns`).
 */
export const createLiveQueue = (
  http: LiveHttp,
  /** Readings of a holder per platform at once. */
  perHolder: number,
  /** Ends readings in flight: the process stops. */
  stop: AbortSignal,
  nowMs: () => number = steadyMs,
): LiveQueue => {
  const queues = new Map<string, { readonly queue: PQueue; users: number }>();

  /** Queues of holders without a live read are dropped. */
  const inQueue = async <T>(key: string, use: (queue: PQueue) => Promise<T>): Promise<T> => {
    const known = queues.get(key) ?? { queue: new PQueue({ concurrency: perHolder }), users: 0 };
    queues.set(key, known);
    known.users += 1;
    try {
      return await use(known.queue);
    } finally {
      known.users -= 1;
      if (known.users === 0) queues.delete(key);
    }
  };

  return {
    run: async (platform, { holder, untilMs, requests }, read) => {
      if (stop.aborted) throw stoppedError();
      const deadline = new AbortController();
      const leftMs = Math.max(0, untilMs - nowMs());
      const late = () =>
        deadline.abort(new FetchError('timeout', 'The deadline of the live read has passed'));
      const timer = setTimeout(late, leftMs);
      const stopped = () => deadline.abort(new FetchError('aborted', 'The process stops'));
      stop.addEventListener('abort', stopped, { once: true });
      let readingTimer: NodeJS.Timeout | undefined;
      let session: string | null = null;
      const queuedHttp: QueuedHttp = {
        fetch: async (request) => {
          const page = await http.fetch(request, {
            trafficClass: 'live',
            holder,
            signal: deadline.signal,
            mayStart: async () => takeRequest(requests),
            onRequest: () => {
              readingTimer ??= setTimeout(late, READING_MS);
            },
          });
          session = page.session ?? session;
          return page;
        },
        session: () => session,
        close: async () => undefined,
      };
      try {
        return await inQueue(`${platform} ${holder}`, (queue) => {
          const done = queue.add(async () => {
            deadline.signal.throwIfAborted();
            return read(queuedHttp);
          });
          return unlessFired(deadline.signal, done);
        });
      } catch (error) {
        if (stop.aborted) throw stoppedError();
        if (!deadline.signal.aborted) throw error;
        throw readingTimer === undefined ? crowdedError() : timedOutError();
      } finally {
        stop.removeEventListener('abort', stopped);
        clearTimeout(timer);
        clearTimeout(readingTimer);
      }
    },
  };
};

/** Takes one of a call's requests before it is sent, so that concurrent reads don't both take the last one. */
const takeRequest = (requests: LiveCall['requests']): void => {
  if (requests === undefined) return;
  if (requests.left <= 0) {
    requests.isExceeded = true;
    throw new FetchError('no_request_left', 'The call has sent as many requests as it may');
  }
  requests.left -= 1;
};

/** The live reads of this process. */
interface LiveQueue {
  /**
   * Does a live read, once fewer than the maximum of the holder's are running.
   * @throws {ServiceError} `platform_timeout` at the deadline; `service_unavailable` if nothing was sent by then, or if
   * the process stops.
   */
  run<T>(platform: Platform, call: LiveCall, read: (http: QueuedHttp) => Promise<T>): Promise<T>;
}

/** Maximum duration of a reading from its first request, including retries and further requests. */
const READING_MS = 10_000;
