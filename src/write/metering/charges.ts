import { createBatcher } from '../../kernel/batch.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { AdmissionTimeoutError } from './admission/admission-queues.ts';
import { retryWhileLocked } from './lock-retries.ts';
import {
  EXPIRED,
  type PartSettlement,
  type SettledPart,
  type Settlement,
  settlementOf,
  settleParts,
  WHOLE,
} from './part-settlement.ts';
import type { Charge } from './quota-state.ts';

/** Completes charges once the response is known. Committed when the promise resolves. */
export interface Charges {
  /** The response is free of charge. */
  refund(charge: Charge): Promise<void>;
  /**
   * A reservation has its response.
   * @param used how many of its first items (live calls, or catalog reads) have a result: their charge is final, the
   * rest is refunded, overage before quota. None refunds all of it; null settles all of it.
   * @throws {AdmissionTimeoutError} if the holder stays locked: the reservation expires then, and is refunded.
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
      if (late > 0) logger.error({ late }, 'refunds rejected: their period is settled');
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
