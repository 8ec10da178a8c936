import { elapsedMs, systemClock } from '../../kernel/clock.ts';
import { type QuotaState, quotaLater } from '../../write/metering/quota-state.ts';

const MAX_HOLDERS = 10_000;

interface Known {
  readonly quota: QuotaState;
  readonly atMs: number;
}

/** The last quota of each holder that this process has seen, for answers about which nothing can be decided. */
export class KnownQuotas {
  readonly #known = new Map<string, Known>();

  remember(holder: string, quota: QuotaState): void {
    if (this.#known.size >= MAX_HOLDERS && !this.#known.has(holder)) {
      this.#known.delete(this.#known.keys().next().value as string);
    }
    this.#known.set(holder, { quota, atMs: elapsedMs() });
  }

  /** @returns null if it is of another plan, or of a period that is over. */
  of(holder: string, plan: string): QuotaState | null {
    const known = this.#known.get(holder);
    if (known === undefined || known.quota.plan.name !== plan) return null;
    if (Date.parse(known.quota.endsAt) <= systemClock.now()) return null;
    return quotaLater(known.quota, (elapsedMs() - known.atMs) / 1_000);
  }
}
