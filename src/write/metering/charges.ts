/** What becomes of charges once the response is known: settlement, in full or in part, and refund. */

import { setTimeout as sleep } from 'node:timers/promises';
import { createBatcher } from '../../kernel/batch.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { raw, sql } from '../../kernel/postgres/statement.ts';
import { AdmissionTimeoutError } from './admission.ts';
import type { Charge } from './quota.ts';

/** Completes charges once the response is known. Committed when the promise resolves. */
export interface Charges {
  /** The response is free of charge. */
  refund(charge: Charge): Promise<void>;
  /**
   * Settles a reservation whose response is ready.
   * @param used number of its first items (live calls, or catalog reads) that have a result. Their charge is final; the rest is
   *   refunded, overage before quota. 0 refunds all of it; null settles all of it.
   * @throws {AdmissionTimeoutError} if the holder stays locked. The reservation then expires and is refunded.
   */
  settle(reservation: string, used: number | null): Promise<Settlement>;
}

/**
 * Batches refunds and settlements into one statement each. A locked holder is retried without delaying the others.
 */
export const createCharges = (db: Queryable, logger: Logger): Charges => {
  const refundBatch = createBatcher<Charge, 'refunded' | 'locked'>(
    async (charges) => {
      const of = <T>(pick: (charge: Charge) => T): T[] => charges.map(pick);
      const { rows } = await db.query<{ locked: readonly number[]; late: number }>(sql.named(
        'metering refund',
      )`
        select busy as locked, late from metering.refund(${of((c) => c.holder)}, ${of((c) => c.period)},
          ${of((c) => c.day)}, ${of((c) => c.keyId)}, ${of((c) => c.operation)}, ${of((c) => c.budgetUnits)},
          ${of((c) => c.overageUnits)}, ${of((c) => c.overageMicroUsd)}, ${of((c) => c.liveCalls)})`);
      const { locked = [], late = 0 } = rows[0] ?? {};
      if (late > 0) logger.error({ late }, 'refunds rejected: their billing period is settled');
      const left = new Set(locked);
      return charges.map((_, i) => (left.has(i + 1) ? 'locked' : 'refunded'));
    },
    { inFlight: 1 },
  );
  const settleBatch = createBatcher<PartSettlement, SettledPart>((parts) => settleParts(db, parts), {
    inFlight: 1,
  });
  const settleWhole = createBatcher<string, boolean>(
    async (ids) => {
      const { rows } = await db.query<{ id: string }>(sql.named('metering settle')`
        delete from metering.reservations where id = any(${ids}::uuid[]) returning id`);
      const settled = new Set(rows.map((row) => row.id));
      return ids.map((id) => settled.has(id));
    },
    { inFlight: 1 },
  );
  return {
    refund: async (charge) => {
      const { reservation } = charge;
      if (reservation !== null) {
        // If the holder stays locked, the reservation expires and is refunded then.
        await retryWhileLocked(() => settleBatch({ reservation, used: 0 }));
      } else if (charge.budgetUnits > 0 || charge.overageUnits > 0) {
        if ((await retryWhileLocked(() => refundBatch(charge))) === 'refunded') return;
        logger.error(
          { holder: charge.holder, units: charge.budgetUnits + charge.overageUnits },
          'refund failed: timed out waiting for the holder lock',
        );
        throw new AdmissionTimeoutError(`timed out waiting for the lock of ${charge.holder}`);
      }
    },
    settle: async (reservation, used) => {
      if (used === null) return (await settleWhole(reservation)) ? WHOLE : EXPIRED;
      return settlementOf(await retryWhileLocked(() => settleBatch({ reservation, used })));
    },
  };
};

/** A reservation, and the number of its items (live calls, or catalog reads) that have a result. */
export interface PartSettlement {
  readonly reservation: string;
  readonly used: number;
}

/** The outcome of a charge once its response is known. */
export type Settlement =
  /** All of it is final. */
  | { readonly is: 'whole' }
  /** This part of it is final; the rest was refunded. */
  | { readonly is: 'part'; readonly charge: Charge }
  /** The response is free: all of it is to be refunded. */
  | { readonly is: 'free' }
  /** The reservation had expired and was refunded: the response must not be sent. */
  | { readonly is: 'expired' };

export const WHOLE: Settlement = { is: 'whole' };
export const FREE: Settlement = { is: 'free' };
export const EXPIRED: Settlement = { is: 'expired' };

/** @throws {AdmissionTimeoutError} if the holder stays locked. The reservation then expires and is refunded. */
export const settlementOf = (part: SettledPart): Settlement => {
  if (part === 'locked') throw new AdmissionTimeoutError('timed out waiting for the holder of a reservation');
  return part === 'expired' ? EXPIRED : { is: 'part', charge: part };
};

/**
 * The part that stays charged; `locked` if another process has locked the holder, `expired` if the reservation was refunded before.
 */
export type SettledPart = Charge | 'locked' | 'expired';

/** Columns of `metering.settle_part` that make a `SettledPart`. */
export const SETTLED_PART = `id::text, is_busy, holder, period, day::text, key_id, operation, budget_units::text,
  overage_units::text, overage_micro_usd::text, live_calls::text`;

export interface SettledPartRow {
  readonly id: string;
  readonly is_busy: boolean;
  readonly holder: string;
  readonly period: number;
  readonly day: string;
  readonly key_id: string;
  readonly operation: string;
  readonly budget_units: string;
  readonly overage_units: string;
  readonly overage_micro_usd: string;
  readonly live_calls: string;
}

export const settledPartOf = (row: SettledPartRow | undefined): SettledPart => {
  if (row === undefined) return 'expired';
  if (row.is_busy) return 'locked';
  return {
    holder: row.holder,
    period: row.period,
    day: row.day,
    keyId: row.key_id,
    operation: row.operation,
    budgetUnits: Number(row.budget_units),
    overageUnits: Number(row.overage_units),
    overageMicroUsd: Number(row.overage_micro_usd),
    liveCalls: Number(row.live_calls),
    reservation: null,
  };
};

/** Settles parts of many reservations in one statement, and refunds the rest. */
const settleParts = async (
  db: Queryable,
  parts: readonly PartSettlement[],
): Promise<readonly SettledPart[]> => {
  const { rows } = await db.query<SettledPartRow>(sql.named('metering settle part')`
    select ${raw(SETTLED_PART)} from metering.settle_part(${parts.map(({ reservation }) => reservation)},
      ${parts.map(({ used }) => used)})`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return parts.map(({ reservation }) => settledPartOf(found.get(reservation)));
};

/** How long a locked holder is retried. */
const DEADLINE_MS = 5_000;
const PAUSE_MS = 10;

/**
 * Retries while another process has locked the holder.
 * @returns the outcome, or `locked` if it took too long.
 */
export const retryWhileLocked = async <T>(ask: () => Promise<T | 'locked'>): Promise<T | 'locked'> => {
  const until = performance.now() + DEADLINE_MS;
  for (;;) {
    const outcome = await ask();
    if (outcome !== 'locked' || performance.now() > until) return outcome;
    await sleep(PAUSE_MS);
  }
};
