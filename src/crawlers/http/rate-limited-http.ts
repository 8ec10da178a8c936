import PQueue from 'p-queue';
import type { Platform } from '../../kernel/platform.ts';
import { FetchError, type Http, type HttpRequest, type Page, type Transport } from './port.ts';

/** The open circuit of a platform, shared by all processes: while it is open nobody sends it anything. */
export interface Pauses {
  /** Keeps all requests from going out for so long, a day at the most; a longer pause that holds already stays. */
  pause(platform: Platform, ms: number): Promise<void>;
  /** Milliseconds until requests may go out again; 0 for now. */
  pausedMs(platform: Platform): Promise<number>;
}

/** What lets a platform's requests through, one token each, however many processes share its rate. */
export interface Tokens extends Pauses {
  /** @throws {FetchError} aborted, where the signal fires first; paused, where nothing may be sent. */
  take(platform: Platform, signal?: AbortSignal): Promise<void>;
}

/** Counts of one platform's requests since they were last taken. */
export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
}

export interface RateLimitedHttp extends Http {
  /** @param signal when it fires, the caller waits no longer: neither for its turn nor for the answer. */
  fetch(request: HttpRequest, signal?: AbortSignal): Promise<Page>;
  /** The traffic since the last call. */
  takeTraffic(platform: Platform): Traffic;
  readonly pauses: Pauses;
}

/** What was asked for, unless the signal fires first. */
const unless = async <T>(signal: AbortSignal | undefined, asked: Promise<T>): Promise<T> => {
  if (signal === undefined) return asked;
  let giveUp = (): void => undefined;
  const given = new Promise<never>((_, reject) => {
    giveUp = () => reject(new FetchError('aborted', 'Given up before it was answered'));
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
  });
  try {
    return await Promise.race([asked, given]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
};

/** Keeps to so many requests at once to a host, and to the rate that the tokens give: one for every request sent. */
export const createRateLimitedHttp = (
  http: Transport,
  tokens: Tokens,
  concurrency: number,
): RateLimitedHttp => {
  const hosts = new Map<string, PQueue>();
  const traffic = new Map<Platform, { requests: number; bytes: number }>();
  const countedOf = (platform: Platform) => {
    const counted = traffic.get(platform) ?? { requests: 0, bytes: 0 };
    traffic.set(platform, counted);
    return counted;
  };
  const queueOf = (url: string): PQueue => {
    const { host } = new URL(url);
    let queue = hosts.get(host);
    if (queue === undefined) {
      queue = new PQueue({ concurrency });
      hosts.set(host, queue);
    }
    return queue;
  };
  return {
    fetch: (request, signal) =>
      queueOf(request.url).add(async () => {
        const permit = async () => {
          await tokens.take(request.platform, signal);
          countedOf(request.platform).requests += 1;
        };
        await permit();
        const page = await unless(signal, http.fetch(request, permit));
        countedOf(request.platform).bytes += page.bytes;
        return page;
      }),
    takeTraffic: (platform) => {
      const counted = traffic.get(platform) ?? { requests: 0, bytes: 0 };
      traffic.delete(platform);
      return counted;
    },
    pauses: tokens,
    close: () => http.close(),
  };
};
