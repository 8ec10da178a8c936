import { ServiceError } from '../kernel/errors.ts';

/** Decides whether the process takes new work, and counts the work in flight. */
export class Intake {
  readonly #isSuspended: () => boolean;
  #isStopping = false;
  #inFlight = 0;
  #idle: (() => void)[] = [];

  /** @param isSuspended whether new work can't be accounted for at present. */
  constructor(isSuspended: () => boolean = () => false) {
    this.#isSuspended = isSuspended;
  }

  /** The error to refuse new work with; null if it is taken. */
  refusal(): ServiceError | null {
    if (this.#isStopping) return stopping();
    return this.#isSuspended() ? suspended() : null;
  }

  /** Takes no more work. The work in flight is finished. */
  stop(): void {
    this.#isStopping = true;
  }

  isStopping(): boolean {
    return this.#isStopping;
  }

  inFlight(): number {
    return this.#inFlight;
  }

  /** Counts work until it is settled. */
  async track<T>(work: () => Promise<T>): Promise<T> {
    this.#inFlight += 1;
    try {
      return await work();
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) for (const resolve of this.#idle.splice(0)) resolve();
    }
  }

  /** Resolves when nothing is in flight. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#inFlight === 0) resolve();
      else this.#idle.push(resolve);
    });
  }
}

const stopping = () =>
  new ServiceError('service_unavailable', 'This process is stopping. Try again.', { retryAfterS: 1 });

const suspended = () =>
  new ServiceError('service_unavailable', 'The service can’t account for requests at present. Try again.', {
    retryAfterS: 5,
    internal: 'the main process does not respond',
  });
