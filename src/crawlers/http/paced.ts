import PQueue from 'p-queue';
import type { Platform } from '../../kernel/platform.ts';
import { FetchFailure, type Http, type HttpRequest, type Page } from './port.ts';

/** What lets a platform's requests through, one token each, however many processes share its rate. */
export interface Tokens {
  /** @throws {FetchFailure} aborted, where the signal fires first. */
  take(platform: Platform, signal?: AbortSignal): Promise<void>;
}

/** Counts of one platform's requests since they were last taken. */
export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
}

export interface PacedHttp extends Http {
  /** @param signal when it fires, the caller waits no longer: neither for its turn nor for the answer. */
  fetch(request: HttpRequest, signal?: AbortSignal): Promise<Page>;
  /** The traffic since the last call. */
  takeTraffic(platform: Platform): Traffic;
}

/** What was asked for, unless the signal fires first. */
const unless = async <T>(signal: AbortSignal | undefined, asked: Promise<T>): Promise<T> => {
  if (signal === undefined) return asked;
  let giveUp = (): void => undefined;
  const given = new Promise<never>((_, reject) => {
    giveUp = () => reject(new FetchFailure('aborted', 'Given up before it was answered'));
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
  });
  try {
    return await Promise.race([asked, given]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
};

/** Keeps to so many requests at once to a host, and to the rate that the tokens give. */
export const createPacedHttp = (http: Http, tokens: Tokens, concurrency: number): PacedHttp => {
  const hosts = new Map<string, PQueue>();
  const traffic = new Map<Platform, { requests: number; bytes: number }>();
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
        await tokens.take(request.platform, signal);
        const counted = traffic.get(request.platform) ?? { requests: 0, bytes: 0 };
        traffic.set(request.platform, counted);
        counted.requests += 1;
        const page = await unless(signal, http.fetch(request));
        counted.bytes += page.bytes;
        return page;
      }),
    takeTraffic: (platform) => {
      const counted = traffic.get(platform) ?? { requests: 0, bytes: 0 };
      traffic.delete(platform);
      return counted;
    },
    close: () => http.close(),
  };
};
