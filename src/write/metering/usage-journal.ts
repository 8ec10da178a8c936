import type { Queryable } from '../../kernel/postgres/pool.ts';

/** Maximum rows of each journal that one statement folds. */
const MAX_ROWS = 500;

/**
 * Folds the journal of usage into ledger entries. Charges and refunds only append to the journal; `metering.ledger` has
 * both, so readers see no difference. Does nothing while another process folds.
 * @returns how many rows were folded.
 */
export const foldUsage = async (db: Queryable): Promise<number> => {
  let folded = 0;
  for (;;) {
    const { rows } = await db.query<{ n: number }>('select metering.fold_usage($1) as n', [MAX_ROWS]);
    const n = rows[0]?.n ?? 0;
    folded += n;
    if (n < MAX_ROWS) return folded;
  }
};
