import { ServiceError } from '../../kernel/errors/service-error.ts';

/** A statement that waits for its turn. */
export interface Waiting {
  readonly sinceMs: number;
  readonly begin: () => void;
  readonly refuse: (failure: ServiceError) => void;
}

/** A holder of the queue, with what it has used of its time. */
export interface QueuedHolder {
  readonly waiting: Waiting[];
  running: number;
  allowedMs: number;
  /** Start of the window in which its time and statements are counted. */
  windowMs: number;
  usedMs: number;
  ran: number;
}

const WINDOW_MS = 60_000;
const MAX_IDLE = 10_000;

/** Holders in round-robin order: served ones go to the end. */
export class ListHolders {
  readonly #holders = new Map<string, QueuedHolder>();
  readonly #maxMs: number;
  readonly #nowMs: () => number;

  /** @param maxMs statement time of any holder per window. */
  constructor(maxMs: number, nowMs: () => number) {
    this.#maxMs = maxMs;
    this.#nowMs = nowMs;
  }

  /** The holder of that name, in a new window if its last one is over. */
  of(name: string, allowedMs: number): QueuedHolder {
    const allowed = Math.min(allowedMs, this.#maxMs);
    const windowMs = this.#nowMs();
    const found = this.#holders.get(name);
    if (found !== undefined) {
      if (windowMs - found.windowMs >= WINDOW_MS) Object.assign(found, { windowMs, usedMs: 0, ran: 0 });
      found.allowedMs = allowed;
      return found;
    }
    if (this.#holders.size >= MAX_IDLE) this.#dropIdle();
    const holder = { waiting: [], running: 0, allowedMs: allowed, windowMs, usedMs: 0, ran: 0 };
    this.#holders.set(name, holder);
    return holder;
  }

  get(name: string): QueuedHolder | undefined {
    return this.#holders.get(name);
  }

  /** A copy: holders that are moved to the end must not be visited again in a round. */
  inTurn(): readonly (readonly [string, QueuedHolder])[] {
    return [...this.#holders];
  }

  moveToEnd(name: string, holder: QueuedHolder): void {
    this.#holders.delete(name);
    this.#holders.set(name, holder);
  }

  /** The rejection if the holder's time of this window is used up, else null. */
  spent({ usedMs, allowedMs, windowMs }: QueuedHolder): ServiceError | null {
    if (usedMs < allowedMs) return null;
    const leftS = Math.ceil((windowMs + WINDOW_MS - this.#nowMs()) / 1_000);
    if (leftS <= 0) return null;
    return new ServiceError(
      'rate_limited',
      `Your lists took ${Math.round(usedMs / 1_000)} s of database time in this minute, more than a holder may use: narrow them, or wait.`,
      { retryAfterS: leftS },
    );
  }

  #dropIdle(): void {
    const before = this.#nowMs() - WINDOW_MS;
    for (const [name, { running, waiting, windowMs }] of this.#holders) {
      if (running === 0 && waiting.length === 0 && windowMs <= before) this.#holders.delete(name);
    }
  }
}
