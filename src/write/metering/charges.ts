import { createBatcher } from '../../kernel/batch.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Charge } from './standing.ts';

/** What becomes of a charge once the answer is known. Everything is committed when its promise resolves. */
export interface Charges {
  /** The answer costs nothing after all. */
  refund(charge: Charge): Promise<void>;
  /**
   * A live call has its answer: the charge is final.
   * @returns false where the reservation expired, and was refunded, before: the answer must not be given then.
   */
  settle(reservation: string): Promise<boolean>;
}

/** Refunds and settles all that waits in one statement each. */
export const createCharges = (db: Queryable, logger: Logger): Charges => {
  const giveBack = createBatcher<Charge, void>(
    async (charges) => {
      const of = <T>(pick: (charge: Charge) => T): T[] => charges.map(pick);
      const { rows } = await db.query<{ late: number }>({
        name: 'metering give_back',
        text: 'select metering.give_back($1, $2, $3, $4, $5, $6, $7, $8, $9) as late',
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
      const late = rows[0]?.late ?? 0;
      if (late > 0) logger.error({ late }, 'charges could not be taken back: their period is settled');
      return charges.map(() => undefined);
    },
    { inFlight: 1 },
  );
  const release = createBatcher<string, void>(
    async (ids) => {
      await db.query({
        name: 'metering release',
        text: 'select metering.release($1, 0, null)',
        values: [ids],
      });
      return ids.map(() => undefined);
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
      if (charge.reservation !== null) await release(charge.reservation);
      else if (charge.budgetUnits > 0 || charge.overageUnits > 0) await giveBack(charge);
    },
    settle,
  };
};
