import { steadyMs } from '../../kernel/retry.ts';

/** How often each of the two processes hears from the other while both respond. */
export const PING_MS = 250;

/**
 * For how long another process has been silent. Time in which this process was stalled itself does not count: the word of
 * the other one may be waiting for it.
 */
export class Silence {
  readonly #nowMs: () => number;
  #lastMs: number;
  #silentMs = 0;

  constructor(nowMs: () => number = steadyMs) {
    this.#nowMs = nowMs;
    this.#lastMs = nowMs();
  }

  heard(): void {
    this.#silentMs = 0;
  }

  /** To be called every `PING_MS`. @returns milliseconds of silence. */
  tick(): number {
    const now = this.#nowMs();
    this.#silentMs += Math.min(now - this.#lastMs, 2 * PING_MS);
    this.#lastMs = now;
    return this.#silentMs;
  }
}
