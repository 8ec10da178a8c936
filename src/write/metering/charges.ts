import { setTimeout as sleep } from 'node:timers/promises';
import { createBatcher } from '../../kernel/batch.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { AdmissionTimeoutError } from './admission/admission-queues.ts';
import type { Charge } from './quota-state.ts';

/** Completes charges once the response is known. Committed when the promise resolves. */
export interface Charges {
  /** The response is free of charge. */
  refund(charge: Charge): Promise<void>;
  /**
   * A live call has its response: the charge is final.
   * @returns false if the reservation had expired and was refunded: the response must not be sent then.
   */
  settle(reservation: string): Promise<boolean>;
}

/** How long a locked holder is retried. */
const DEADLINE_MS = 5_000;
const PAUSE_MS = 10;

/** Retries until done. @returns whether it was done in time. */
const retryUntilDeadline = async (ask: () => Promise<boolean>): Promise<boolean> => {
  const until = performance.now() + DEADLINE_MS;
  while (!(await ask())) {
    if (performance.now() > until) return false;
    await sleep(PAUSE_MS);
  }
  return true;
};

/**
 * Batches refunds and settlements into one statement each. A locked holder is retried without delaying the others.
 */
export const createCharges = (db: Queryable, logger: Logger): Charges => {
  const refundBatch = createBatcher<Charge, boolean>(
    async (charges) => {
      const of = <T>(pick: (charge: Charge) => T): T[] => charges.map(pick);
      const { rows } = await db.query<{ locked: readonly number[]; late: number }>({
        name: 'metering refund',
        text: 'select busy as locked, late from metering.refund($1, $2, $3, $4, $5, $6, $7, $8, $9)',
        values: [
          of((c) => c.holder),
          of((c) => c.period),
          of((c) => c.day),
          of((c) => c.keyId),
          of((c) => c.operation),
          of((c) => c.budgetUnits),
          of((c) => c.overageUnits),
          of((c) => c.overageMicroUsd),
          of((c) => c.liveCalls),
        ],
      });
      const { locked = [], late = 0 } = rows[0] ?? {};
      if (late > 0) logger.error({ late }, 'refunds rejected: their period is settled');
      const left = new Set(locked);
      return charges.map((_, i) => !left.has(i + 1));
    },
    { inFlight: 1 },
  );
  const release = createBatcher<string, boolean>(
    async (ids) => {
      const { rows } = await db.query<{ left: readonly string[] }>({
        name: 'metering release',
        // A missing reservation has expired and was refunded.
        text: `with ended as materialized (select metering.release($1, 0, null) as ids)
               select array(select r.id from metering.reservations r, ended
                            where r.id = any ($1) and r.id <> all (ended.ids)) as left`,
        values: [ids],
      });
      const left = new Set(rows[0]?.left);
      return ids.map((id) => !left.has(id));
    },
    { inFlight: 1 },
  );
  const settle = createBatcher<string, boolean>(
    async (ids) => {
      const { rows } = await db.query<{ id: string }>({
        name: 'metering settle',
        text: 'delete from metering.reservations where id = any($1::uuid[]) returning id',
        values: [ids],
      });
      const settled = new Set(rows.map((row) => row.id));
      return ids.map((id) => settled.has(id));
    },
    { inFlight: 1 },
  );
  return {
    refund: async (charge) => {
      const { reservation } = charge;
      if (reservation !== null) {
        // On a timeout the reservation expires and is refunded then.
        await retryUntilDeadline(() => release(reservation));
      } else if (charge.budgetUnits > 0 || charge.overageUnits > 0) {
        if (await retryUntilDeadline(() => refundBatch(charge))) return;
        logger.error(
          { holder: charge.holder, units: charge.budgetUnits + charge.overageUnits },
          'refund failed: timed out waiting for the holder lock',
        );
        throw new AdmissionTimeoutError(`timed out waiting for the lock of ${charge.holder}`);
      }
    },
    settle,
  };
};
