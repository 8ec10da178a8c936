import type { Logger } from '../../kernel/logger.ts';
import type { ForkedApi } from './fork.ts';
import type { FromApi } from './messages.ts';
import { PING_MS, Silence } from './silence.ts';

/** Silence after which a process that serves is replaced. */
const HUNG_MS = 5_000;
/** The same for one that starts: loading its modules blocks its event loop, for long on a busy machine. */
const STARTING_MS = 60_000;
/** And for one that stops, whose container is killed after ten seconds. */
const STOPPING_MS = 2_000;
/** Silence after which it is not ready. */
const UNREADY_MS = 1_000;

/** Pings the process of the API, and kills it when it is silent for too long. */
export class Watchdog {
  readonly #silence = new Silence();
  readonly #ping: () => boolean;
  readonly #timer: NodeJS.Timeout;
  readonly #asking = new Set<() => void>();
  #silentMs = 0;
  #limitMs = STARTING_MS;

  /** @param ping sends a ping; false if the process is not connected. */
  constructor({ child, ended }: ForkedApi, ping: () => boolean, logger: Logger) {
    this.#ping = ping;
    this.#timer = setInterval(() => {
      this.#silentMs = this.#silence.tick();
      if (this.#silentMs > this.#limitMs && child.kill('SIGKILL')) {
        clearInterval(this.#timer);
        logger.error(
          { pid: child.pid, silent_ms: Math.round(this.#silentMs) },
          'the process of the API does not respond; it is killed',
        );
      }
      ping();
    }, PING_MS);
    this.#timer.unref();
    void ended.then(() => clearInterval(this.#timer));
    ping();
  }

  /** @returns whether the message was the answer to a ping. */
  receive(message: FromApi): boolean {
    this.#silence.heard();
    this.#silentMs = 0;
    if (message.type !== 'pong') return false;
    for (const answered of this.#asking) answered();
    return true;
  }

  serving(): void {
    this.#limitMs = HUNG_MS;
  }

  stopping(): void {
    this.#limitMs = STOPPING_MS;
  }

  /** Whether the last pings were answered. */
  isHeard(): boolean {
    return this.#silentMs <= UNREADY_MS;
  }

  /** Asks whether the process responds now. */
  responds(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (responds: boolean) => {
        clearTimeout(late);
        this.#asking.delete(answered);
        resolve(responds);
      };
      const answered = () => settle(true);
      const late = setTimeout(settle, UNREADY_MS, false);
      this.#asking.add(answered);
      if (!this.#ping()) settle(false);
    });
  }
}
