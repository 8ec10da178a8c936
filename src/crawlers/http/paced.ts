import PQueue from 'p-queue';
import type { Platform } from '../../kernel/platform.ts';
import type { Http } from './port.ts';

/** What lets a platform's requests through, one token each, however many processes share its rate. */
export interface Tokens {
  take(platform: Platform): Promise<void>;
}

/** Counts of one platform's requests since they were last taken. */
export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
}

export interface PacedHttp extends Http {
  /** The traffic since the last call. */
  takeTraffic(platform: Platform): Traffic;
}

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
    fetch: (request) =>
      queueOf(request.url).add(async () => {
        await tokens.take(request.platform);
        const counted = traffic.get(request.platform) ?? { requests: 0, bytes: 0 };
        traffic.set(request.platform, counted);
        counted.requests += 1;
        const page = await http.fetch(request);
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
