import PQueue from 'p-queue';
import type { Platform } from '../../kernel/platform.ts';
import { FetchError, type Http, type HttpRequest, type Page, type Transport, unlessFired } from './port.ts';

/** Circuits of platforms, shared by all processes: while one is open nothing is sent. */
export interface SharedCircuit {
  /** Pauses a platform's requests, for a day at most; never shortens a pause. @param why the reason of a reading. */
  open(platform: Platform, ms: number, why: string): Promise<void>;
  /** Milliseconds until requests are allowed again; 0 if they are. */
  openForMs(platform: Platform): Promise<number>;
}

/** Rate limit of a platform, one token per request, shared by all processes. */
export interface Tokens extends SharedCircuit {
  /**
   * Takes one, from the share of the class.
   * @throws {FetchError} aborted, if the signal fires first; paused, if the platform is paused.
   */
  take(platform: Platform, trafficClass: TrafficClass, signal?: AbortSignal): Promise<void>;
}

/** Counts of a platform's requests since they were last taken. */
export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
}

/** Whether a request serves the crawl or a live read. */
export type TrafficClass = 'crawl' | 'live';

export interface FetchOptions {
  /** Cancels waiting, for a token or for the response. */
  readonly signal?: AbortSignal;
  /** `crawl` by default. */
  readonly trafficClass?: TrafficClass;
  /** Holder of the live read; holders take turns. */
  readonly holder?: string;
  /** Awaited right before each request is sent, retries and redirects included. An error ends the fetch. */
  readonly mayStart?: () => Promise<void>;
  /** Whether it is sent although requests to the platform are paused, to learn whether it answers again. */
  readonly duringPause?: boolean;
  /** Called for each request that is sent, retries and redirects included. */
  readonly onRequest?: () => void;
}

export interface RateLimitedHttp extends Http {
  fetch(request: HttpRequest, options?: FetchOptions): Promise<Page>;
  /** Traffic of a class since the last call. */
  takeTraffic(platform: Platform, trafficClass: TrafficClass): Traffic;
  readonly circuit: SharedCircuit;
}

/** Limits the crawl's concurrent requests per host, and the request rate by tokens. */
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
  const liveTurns = createFairTurns<Platform>((platform, signal) => tokens.take(platform, 'live', signal));

  const send = async (
    request: HttpRequest,
    { signal, trafficClass = 'crawl', holder = '', duringPause = false, mayStart, onRequest }: FetchOptions,
  ): Promise<Page> => {
    const { platform } = request;
    const permit = async () => {
      try {
        if (trafficClass === 'live') await liveTurns.take(platform, holder, signal);
        else await tokens.take(platform, 'crawl', signal);
      } catch (error) {
        if (!(duringPause && error instanceof FetchError && error.reason === 'paused')) throw error;
      }
      // The wait for a token may have been long.
      await mayStart?.();
      countedOf(platform, trafficClass).requests += 1;
      onRequest?.();
    };
    await permit();
    const page = await http.fetch(request, { permit, signal });
    countedOf(platform, trafficClass).bytes += page.bytes;
    return page;
  };

  return {
    fetch: (request, options = {}) =>
      unlessFired(
        options.signal,
        // Live reads don't wait behind the crawl: turns and limits of their own bound them.
        options.trafficClass === 'live'
          ? send(request, options)
          : queueOf(request.url).add(() => send(request, options)),
      ),
    takeTraffic: (platform, trafficClass) => {
      const counted = countedOf(platform, trafficClass);
      traffic.delete(`${platform} ${trafficClass}`);
      return counted;
    },
    circuit: tokens,
    close: () => http.close(),
  };
};

/**
 * Hands tokens one by one to the waiting holders, in rotation, so that a holder with many requests delays only itself.
 * @param take takes one token of a subject; called one at a time while a holder waits.
 */
export const createFairTurns = <Subject extends string>(
  take: (subject: Subject, signal: AbortSignal) => Promise<void>,
): FairTurns<Subject> => {
  /** By subject, holders in the order of their turns. */
  const waiting = new Map<Subject, Map<string, Set<Turn>>>();

  const next = (subject: Subject): Turn | undefined => {
    const holders = waiting.get(subject);
    const [holder, turns] = holders?.entries().next().value ?? [];
    if (holders === undefined || holder === undefined || turns === undefined) return undefined;
    const [turn] = turns;
    holders.delete(holder);
    if (turn !== undefined) turns.delete(turn);
    // The holder goes to the end.
    if (turns.size > 0) holders.set(holder, turns);
    return turn;
  };

  /** Abort taking a token once no holder waits for it any more. */
  const stops = new Map<Subject, AbortController>();

  const pump = async (subject: Subject, holders: ReadonlyMap<string, unknown>): Promise<void> => {
    while (holders.size > 0) {
      const stop = new AbortController();
      stops.set(subject, stop);
      try {
        await take(subject, stop.signal);
        next(subject)?.begin();
      } catch (error) {
        if (stop.signal.aborted) continue;
        for (let turn = next(subject); turn !== undefined; turn = next(subject)) turn.fail(error);
      }
    }
    waiting.delete(subject);
    stops.delete(subject);
  };

  return {
    take: async (subject, holder, signal) => {
      let turn: Turn | undefined;
      const turned = new Promise<void>((resolve, reject) => {
        turn = { begin: resolve, fail: reject };
      });
      const isFirst = !waiting.has(subject);
      const holders = waiting.get(subject) ?? new Map<string, Set<Turn>>();
      waiting.set(subject, holders);
      const turns = holders.get(holder) ?? new Set<Turn>();
      holders.set(holder, turns);
      turns.add(turn as Turn);
      if (isFirst) void pump(subject, holders);
      try {
        await unlessFired(signal, turned);
      } catch (error) {
        turns.delete(turn as Turn);
        if (turns.size === 0 && holders.get(holder) === turns) holders.delete(holder);
        if (holders.size === 0 && waiting.get(subject) === holders) stops.get(subject)?.abort();
        throw error;
      }
    },
  };
};

const noTraffic = () => ({ requests: 0, bytes: 0 });

interface Turn {
  readonly begin: () => void;
  readonly fail: (error: unknown) => void;
}

/** Turns of holders at a shared supply of tokens. */
interface FairTurns<Subject extends string> {
  /** Resolves when it is the holder's turn. @throws what taking throws, or what the signal is fired with. */
  take(subject: Subject, holder: string, signal?: AbortSignal): Promise<void>;
}
