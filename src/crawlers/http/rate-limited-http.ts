import PQueue from 'p-queue';
import type { Platform } from '../../kernel/platform.ts';
import { FetchError, type Http, type HttpRequest, type Page, type Transport } from './port.ts';

/** Open circuits of platforms, shared by all processes: while one is open nothing is sent. */
export interface Pauses {
  /** Pauses a platform's requests, a day at most; never shortens a pause. */
  pause(platform: Platform, ms: number): Promise<void>;
  /** Milliseconds until requests are allowed again; 0 for now. */
  pausedMs(platform: Platform): Promise<number>;
}

/** Rate limit of a platform, one token per request, shared by all processes. */
export interface Tokens extends Pauses {
  /** @throws {FetchError} aborted, if the signal fires first; paused, if the platform is paused. */
  take(platform: Platform, signal?: AbortSignal): Promise<void>;
}

/** Counts of a platform's requests since they were last taken. */
export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
}

/** On whose behalf a request is sent. */
export type TrafficClass = 'crawl' | 'live';

export interface FetchOptions {
  /** Cancels waiting, for a token or for the response. */
  readonly signal?: AbortSignal;
  /** `crawl` by default. */
  readonly trafficClass?: TrafficClass;
  /** Called for each request that is sent, retries and redirects included. */
  readonly onRequest?: () => void;
}

export interface RateLimitedHttp extends Http {
  fetch(request: HttpRequest, options?: FetchOptions): Promise<Page>;
  /** Traffic of a class since the last call. */
  takeTraffic(platform: Platform, trafficClass: TrafficClass): Traffic;
  readonly pauses: Pauses;
}

/** The result, unless the signal fires first. */
const unless = async <T>(signal: AbortSignal | undefined, asked: Promise<T>): Promise<T> => {
  if (signal === undefined) return asked;
  let giveUp = (): void => undefined;
  const given = new Promise<never>((_, reject) => {
    giveUp = () => reject(new FetchError('aborted', 'Aborted before the response'));
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
  });
  try {
    return await Promise.race([asked, given]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
};

const noTraffic = () => ({ requests: 0, bytes: 0 });

/** Limits concurrent requests per host, and the request rate by tokens. */
export const createRateLimitedHttp = (
  http: Transport,
  tokens: Tokens,
  concurrency: number,
): RateLimitedHttp => {
  const hosts = new Map<string, PQueue>();
  const traffic = new Map<string, ReturnType<typeof noTraffic>>();
  const countedOf = (platform: Platform, trafficClass: TrafficClass) => {
    const name = `${platform} ${trafficClass}`;
    const counted = traffic.get(name) ?? noTraffic();
    traffic.set(name, counted);
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
    fetch: (request, { signal, trafficClass = 'crawl', onRequest } = {}) =>
      queueOf(request.url).add(async () => {
        const permit = async () => {
          await tokens.take(request.platform, signal);
          countedOf(request.platform, trafficClass).requests += 1;
          onRequest?.();
        };
        await permit();
        const page = await unless(signal, http.fetch(request, permit));
        countedOf(request.platform, trafficClass).bytes += page.bytes;
        return page;
      }),
    takeTraffic: (platform, trafficClass) => {
      const counted = countedOf(platform, trafficClass);
      traffic.delete(`${platform} ${trafficClass}`);
      return counted;
    },
    pauses: tokens,
    close: () => http.close(),
  };
};
