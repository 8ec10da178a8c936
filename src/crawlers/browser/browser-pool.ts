import { errorMessage } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { FetchError, unlessFired } from '../http/port.ts';
import type { Browser } from './browser.ts';

/** A running browser, and how many pages it has rendered. */
export interface Kept {
  readonly browser: Browser;
  pages: number;
  idle?: NodeJS.Timeout;
}

export interface BrowserPoolOptions {
  readonly start: () => Promise<Browser>;
  readonly logger: Logger;
  /** Pages after which a browser is replaced. */
  readonly pagesPerBrowser: number;
  /** An idle browser is closed after this time. */
  readonly idleMs: number;
}

/** Browsers that are started when needed, kept while they are idle, and replaced when they end. */
export class BrowserPool {
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
