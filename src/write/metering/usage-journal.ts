import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';

/** Maximum rows of each journal that one statement folds: many, since most lines of a holder are then one update. */
export const MAX_FOLD_ROWS = 4_000;

/**
 * Folds the journal of usage into ledger entries. Charges and refunds only append to the journal; `metering.ledger` has
 * both, so readers see no difference. Does nothing while another process folds.
 * @param rows of each journal that one statement folds.
 * @param isStopped ends it early; the rest is folded the next time.
 * @returns how many rows were folded.
 */
export const foldUsage = async (
  db: Queryable,
  rows = MAX_FOLD_ROWS,
  isStopped: () => boolean = () => false,
): Promise<number> => {
  let folded = 0;
  for (;;) {
    const { rows: results } = await db.query<{ n: number }>(sql`select metering.fold_usage(${rows}) as n`);
    const n = results[0]?.n ?? 0;
    folded += n;
    if (n < rows || isStopped()) return folded;
  }
};
