import type { Logger } from '../../kernel/logger.ts';
import type { Running } from '../roles/lifecycle.ts';
import { PING_MS, Silence } from './silence.ts';

/** Silence after which the parent is taken to be stopped. */
const STOPPED_MS = 5_000;

/**
 * Notices a parent that does not respond. It maintains the read models, keys that are revoked among them, so nothing is
 * served that relies on them.
 */
export class ParentWatch {
  readonly #silence = new Silence();
  #isSilent = false;

  /** A message has come. */
  heard(): void {
    this.#silence.heard();
    this.#isSilent = false;
  }

  isSilent(): boolean {
    return this.#isSilent;
  }

  begin(logger: Logger): Running {
    const timer = setInterval(() => {
      const was = this.#isSilent;
      this.#isSilent = this.#silence.tick() > STOPPED_MS;
      if (this.#isSilent && !was) {
        logger.error('the main process does not respond: requests are refused until it does');
      }
    }, PING_MS);
    timer.unref();
    return { stop: async () => clearInterval(timer) };
  }
}
