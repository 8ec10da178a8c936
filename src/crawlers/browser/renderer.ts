import PQueue from 'p-queue';
import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { FetchError, unlessFired } from '../http/port.ts';
import type { Browser, Rendered, Visit } from './browser.ts';

export interface RendererLimits {
  /** Total time of a page, including the start of a browser for it. */
  readonly totalMs: number;
  readonly quietMs: number;
  readonly settleMs: number;
  readonly maxChars: number;
  /** Memory of a browser above which it is killed. */
  readonly maxMemoryBytes: number;
  /** Pages after which a browser is replaced. */
  readonly pagesPerBrowser: number;
  /** An idle browser is closed after this time. */
  readonly idleMs: number;
}

/** Renders documents in browsers that are started when needed, and replaced when they end. */
export interface Renderer {
  /**
   * Renders a document. A page that exceeds a limit loses its browser, and no other page does.
   * @param visit creates the visit when its turn has come; its signal ends it with the page.
   * @throws {FetchError} timeout, too_large, http_error; aborted, if the signal fires.
   */
  render(visit: (signal: AbortSignal) => PageVisit, signal?: AbortSignal): Promise<Rendered>;
  close(): Promise<void>;
}

export const createRenderer = (options: RendererOptions): Renderer => {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const queue = new PQueue({ concurrency: options.concurrency });
  const closing = new AbortController();
  const pool = new BrowserPool({ ...limits, start: options.start, logger: options.logger });

  /** Ends a visit whose browser outgrows its memory. */
  const watch = (browser: Browser, ending: AbortController): (() => void) => {
    let isOver = false;
    const look = async (): Promise<void> => {
      while (!isOver) {
        const used = await browser.memoryBytes();
        if (used !== null && used > limits.maxMemoryBytes) {
          browser.kill();
          ending.abort(
            new FetchError('too_large', `The page takes ${Math.round(used / 2 ** 20)} MiB of memory`),
          );
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, WATCH_MS));
      }
    };
    pool.track(look(), "a browser's memory could not be read");
    return () => {
      isOver = true;
    };
  };

  const renderNow = async (
    visit: (signal: AbortSignal) => PageVisit,
    asked: AbortSignal | undefined,
  ): Promise<Rendered> => {
    const ending = new AbortController();
    const timer = setTimeout(
      () => ending.abort(new FetchError('timeout', 'The page took too long to render')),
      limits.totalMs,
    );
    const signal = AbortSignal.any([ending.signal, closing.signal, ...(asked === undefined ? [] : [asked])]);
    let kept: Kept | undefined;
    let stopWatching: (() => void) | undefined;
    try {
      kept = await pool.take(signal);
      stopWatching = watch(kept.browser, ending);
      kept.pages += 1;
      const { quietMs, settleMs, maxChars } = limits;
      const given = { ...visit(signal), quietMs, settleMs, maxChars, signal };
      const rendered = await unlessFired(signal, kept.browser.render(given));
      pool.keep(kept);
      return rendered;
    } catch (error) {
      // Whatever the page was doing, it ends here.
      kept?.browser.kill();
      if (kept !== undefined) pool.end(kept);
      throw error;
    } finally {
      clearTimeout(timer);
      stopWatching?.();
      // Requests of the page that are still in flight.
      ending.abort(new FetchError('aborted', 'The page is rendered'));
    }
  };

  return {
    render: (visit, signal) =>
      unlessFired(
        signal,
        queue.add(() => {
          if (signal?.aborted === true || closing.signal.aborted)
            throw new FetchError('aborted', 'Aborted before the page was rendered');
          return renderNow(visit, signal);
        }),
      ),
    close: async () => {
      pool.stopKeeping();
      closing.abort(new FetchError('aborted', 'The browser is closed'));
      await queue.onIdle();
      await pool.close();
    },
  };
};

const DEFAULT_LIMITS: RendererLimits = {
  totalMs: 12_000,
  quietMs: 500,
  settleMs: 5_000,
  maxChars: 16 * 1024 * 1024,
  maxMemoryBytes: 600 * 1024 * 1024,
  pagesPerBrowser: 50,
  idleMs: 60_000,
};

const WATCH_MS = 50;

interface RendererOptions {
  readonly start: () => Promise<Browser>;
  /** Pages rendered at once, each in a browser of its own. */
  readonly concurrency: number;
  readonly logger: Logger;
  readonly limits?: Partial<RendererLimits>;
}

type PageVisit = Pick<Visit, 'document' | 'answer'>;

/** A running browser, and how many pages it has rendered. */
interface Kept {
  readonly browser: Browser;
  pages: number;
  idle?: NodeJS.Timeout;
}

interface BrowserPoolOptions {
  readonly start: () => Promise<Browser>;
  readonly logger: Logger;
  /** Pages after which a browser is replaced. */
  readonly pagesPerBrowser: number;
  /** An idle browser is closed after this time. */
  readonly idleMs: number;
}

/** Browsers that are started when needed, kept while they are idle, and replaced when they end. */
class BrowserPool {
  readonly #options: BrowserPoolOptions;
  readonly #idle: Kept[] = [];
  /** Starts and ends of browsers that a close waits for. */
  readonly #pending = new Set<Promise<void>>();
  #isClosing = false;

  constructor(options: BrowserPoolOptions) {
    this.#options = options;
  }

  /** An idle browser, or a new one. @throws {FetchError} http_error; what the signal fires with. */
  async take(signal: AbortSignal): Promise<Kept> {
    const { start, logger } = this.#options;
    for (let kept = this.#idle.pop(); kept !== undefined; kept = this.#idle.pop()) {
      clearTimeout(kept.idle);
      if (kept.browser.isRunning()) return kept;
      this.end(kept);
    }
    const starting = start();
    try {
      return { browser: await unlessFired(signal, starting), pages: 0 };
    } catch (error) {
      // It may start later than it is needed.
      if (signal.aborted) {
        const late = starting.then((browser) => this.keep({ browser, pages: 0 }));
        this.track(late, 'no browser started');
      }
      if (error instanceof FetchError) throw error;
      logger.warn({ err: errorMessage(error) }, 'the browser could not be started');
      throw new FetchError('http_error', 'The browser could not be started', { cause: error });
    }
  }

  /** Keeps a browser for the next page, unless it has ended or rendered enough. */
  keep(kept: Kept): void {
    const { pagesPerBrowser, idleMs } = this.#options;
    if (this.#isClosing || !kept.browser.isRunning() || kept.pages >= pagesPerBrowser) {
      this.end(kept);
      return;
    }
    this.#idle.push(kept);
    kept.idle = setTimeout(() => {
      this.#idle.splice(this.#idle.indexOf(kept), 1);
      this.end(kept);
    }, idleMs);
    kept.idle.unref();
  }

  end({ browser, idle }: Kept): void {
    clearTimeout(idle);
    this.track(browser.close(), 'a browser could not be closed');
  }

  /** Has a close wait for work, whose failure is logged. */
  track(work: Promise<unknown>, failure: string): void {
    const settled: Promise<void> = work
      .then(
        () => undefined,
        (error: unknown) => this.#options.logger.warn({ err: errorMessage(error) }, failure),
      )
      .finally(() => this.#pending.delete(settled));
    this.#pending.add(settled);
  }

  /** Keeps no further browser. */
  stopKeeping(): void {
    this.#isClosing = true;
  }

  async close(): Promise<void> {
    for (const kept of this.#idle.splice(0)) this.end(kept);
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }
}
