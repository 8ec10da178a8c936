import { numberArray, textArray } from '../../../kernel/postgres/array-literals.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { RAW_TYPES } from '../../../kernel/postgres/raw-types.ts';
import type { Plans } from '../../holders/plans.ts';
import { type AdmissionRequest, type HolderOutcome, outcomeOf } from '../entitlements.ts';
import { statementsOf } from './fast-path-statements.ts';

/**
 * Admits the simple case in one statement: catalog and free reads in a running period, of unlocked holders whose
 * quota and rate limit cover them all.
 * @param asked requests by holder, in the order of the holders.
 * @param at clock for tests; null uses the database's.
 * @returns each holder's state before its requests; null if undecided, and nothing changed.
 */
export const admitFastPath = async (
  db: Queryable,
  schema: string,
  plans: Plans,
  asked: readonly (readonly AdmissionRequest[])[],
  at: string | null,
): Promise<readonly (HolderOutcome | null)[]> => {
  const holders: string[] = [];
  const requests: number[] = [];
  const reads: number[] = [];
  const owners: number[] = [];
  const keys: string[] = [];
  const operations: string[] = [];
  const counts: number[] = [];
  const lineReads: number[] = [];
  let durable = false;
  for (const asks of asked) {
    let all = 0;
    const first = keys.length;
    holders.push(asks[0]?.holder ?? '');
    for (const { keyId, operation, catalog } of asks) {
      all += catalog;
      let line = first;
      while (line < keys.length && (keys[line] !== keyId || operations[line] !== operation)) line += 1;
      if (line === keys.length) {
        owners.push(holders.length);
        keys.push(keyId);
        operations.push(operation);
        counts.push(1);
        lineReads.push(catalog);
      } else {
        counts[line] = (counts[line] as number) + 1;
        lineReads[line] = (lineReads[line] as number) + catalog;
      }
    }
    requests.push(asks.length);
    reads.push(all);
    durable ||= all > 0;
  }
  const { manyHolders, oneLine } = statementsOf(schema, plans);
  const statement =
    keys.length === 1
      ? {
          name: `${schema} admit one line`,
          text: oneLine,
          values: [holders[0], requests[0], reads[0], keys[0], operations[0], at, durable],
        }
      : {
          name: `${schema} admit plain`,
          text: manyHolders,
          values: [
            textArray(holders),
            numberArray(requests),
            numberArray(reads),
            numberArray(owners),
            textArray(keys),
            textArray(operations),
            numberArray(counts),
            numberArray(lineReads),
            at,
            durable,
          ],
        };
  const { rows } = await db.query<unknown[]>({ ...statement, rowMode: 'array', types: RAW_TYPES } as never);
  const outcomes: (HolderOutcome | null)[] = holders.map(() => null);
  const decided = (rows[0] as (string | null)[] | undefined)?.[0];
  if (decided != null) {
    for (const line of decided.split('\n')) {
      const row = line.split(' ');
      outcomes[Number(row[0]) - 1] = outcomeOf(row, plans);
    }
  }
  return outcomes;
};
