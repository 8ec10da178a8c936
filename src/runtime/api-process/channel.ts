import type { Config } from '../../kernel/config.ts';
import type { OperatorErrorCode } from '../../kernel/errors.ts';
import type { Check } from '../../kernel/health-check.ts';
import { familiesOf, type MetricFamily, type Metrics } from '../../kernel/metrics.ts';
import { steadyMs } from '../../kernel/retry.ts';
import type { Listen } from '../roles/lifecycle.ts';

/** An error of the start, as it crosses the boundary of the process. */
export interface StartFailure {
  readonly message: string;
  readonly stack?: string | undefined;
  /** Code of an `OperatorError`. */
  readonly operator?: OperatorErrorCode | undefined;
  readonly params?: Readonly<Record<string, string>> | undefined;
  /** Whether the address of the API is in use. */
  readonly isPortTaken: boolean;
}

/** From the parent to the process of the API. */
export type ToApi =
  | Shared
  | { readonly type: 'start'; readonly config: Config; readonly listen: Listen; readonly projects: boolean }
  | { readonly type: 'checks'; readonly checks: readonly Check[] }
  /** Answered at once, unless the process hangs. */
  | { readonly type: 'ping' }
  | { readonly type: 'stop' };

/** From the process of the API to its parent. */
export type FromApi =
  | Shared
  | { readonly type: 'pong' }
  | { readonly type: 'serving'; readonly url: string }
  | { readonly type: 'failed'; readonly failure: StartFailure };

/**
 * @param send false, if the other process is not connected.
 * @param own registries of this process, including later ones.
 * @param onFailure called if they can't be collected; the other process then shows only its own metrics.
 */
export const createPeer = (
  send: (message: Extract<ToApi, FromApi>) => boolean,
  own: () => readonly Metrics[],
  onFailure: (error: unknown) => void,
): Peer => {
  const asked = new Map<number, (families: readonly MetricFamily[]) => void>();
  let lastId = 0;
  return {
    families: () =>
      new Promise((resolve) => {
        lastId += 1;
        const id = lastId;
        const settle = (families: readonly MetricFamily[]) => {
          clearTimeout(late);
          asked.delete(id);
          resolve(families);
        };
        const late = setTimeout(settle, ASK_MS, []);
        asked.set(id, settle);
        if (!send({ type: 'metrics', id })) settle([]);
      }),
    receive: (message) => {
      if (message.type === 'metrics') {
        void familiesOf(own())
          .catch((error: unknown): readonly MetricFamily[] => {
            onFailure(error);
            return [];
          })
          .then((families) => send({ type: 'families', id: message.id, families }));
        return true;
      }
      if (message.type !== 'families') return false;
      asked.get(message.id)?.(message.families);
      return true;
    },
  };
};

/** Interval of the messages between the two processes while both respond. */
export const PING_MS = 250;

/**
 * Measures how long another process has been silent. Time in which this process was stalled itself does not count, since
 * messages of the other may be waiting to be read.
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

/** Messages in both directions. */
type Shared =
  | { readonly type: 'metrics'; readonly id: number }
  | { readonly type: 'families'; readonly id: number; readonly families: readonly MetricFamily[] };

/** Timeout of the other process; its metrics are missing then. */
const ASK_MS = 2_000;

/** Metrics of two processes: each responds with its own and asks for the other's. */
interface Peer {
  families(): Promise<readonly MetricFamily[]>;
  /** @returns whether the message was about metrics. */
  receive(message: ToApi | FromApi): boolean;
}
