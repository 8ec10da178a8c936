import PQueue from 'p-queue';
import type { Logger } from '../../kernel/logger.ts';
import { FetchError, unlessFired } from '../http/port.ts';
import type { Browser, Rendered, Visit } from './browser.ts';
import { BrowserPool, type Kept } from './browser-pool.ts';

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

export interface RendererOptions {
  readonly start: () => Promise<Browser>;
  /** Pages rendered at once, each in a browser of its own. */
  readonly concurrency: number;
  readonly logger: Logger;
  readonly limits?: Partial<RendererLimits>;
}

type PageVisit = Pick<Visit, 'document' | 'answer'>;

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
