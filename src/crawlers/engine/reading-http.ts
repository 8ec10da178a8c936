import { FetchError, type Http } from '../http/port.ts';
import type { RateLimitedHttp } from '../http/rate-limited-http.ts';
import type { PlatformAdapter } from '../platforms/adapter.ts';

/** What an engine observes of the requests of one reading, or of a self-probe. */
export interface ReadingHttpOptions {
  /** Names of surfaces that are not asked, since their verdicts were false. */
  readonly without: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** Whether an operator has paused what the request is for. Asked right before each request is sent. */
  readonly isHeld: () => Promise<boolean>;
  /** Called when a request was not sent for that. */
  readonly onHeld: () => void;
  /** Called for each request that is sent. */
  readonly onRequest: () => void;
  /** Called with the remaining milliseconds when requests to the platform are paused, by any process. */
  readonly onPause: (ms: number) => void;
}

/** The crawl's HTTP for one reading. */
export const createReadingHttp = (
  adapter: Pick<PlatformAdapter, 'surfaces'>,
  http: RateLimitedHttp,
  { without, signal, isHeld, onHeld, onRequest, onPause }: ReadingHttpOptions,
): Http => ({
  fetch: async (request) => {
    const url = new URL(request.url);
    const surface = adapter.surfaces.find(({ name, matches }) => without.has(name) && matches(url));
    if (surface !== undefined) {
      throw new FetchError(
        'distrusted',
        `${surface.name} gave false verdicts on accounts with a known status`,
      );
    }
    let held = false;
    const mayStart = async () => {
      if (!(await isHeld())) return;
      held = true;
      onHeld();
      throw new FetchError('paused', 'An operator paused the crawl');
    };
    try {
      return await http.fetch(request, { signal, mayStart, onRequest });
    } catch (error) {
      if (!held && error instanceof FetchError && error.reason === 'paused') onPause(error.retryAfterMs ?? 0);
      throw error;
    }
  },
  close: () => http.close(),
});
