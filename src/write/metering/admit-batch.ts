import type { Queryable } from '../../kernel/postgres/pool.ts';
import { numbered } from '../../kernel/postgres/statement.ts';
import { RAW_TYPES } from '../../kernel/postgres/values.ts';
import type { Plans } from '../holders/plans.ts';
import {
  type AdmissionRequest,
  ENTITLEMENTS,
  type HolderOutcome,
  joinEntitlements,
  OUTCOME,
  outcomeOf,
} from './entitlements.ts';

/** Consecutive equal requests of one holder. */
export interface RequestGroup {
  readonly ask: AdmissionRequest;
  readonly count: number;
  /** ID of its reservation; null if its charge is final. */
  readonly reservation: string | null;
}

/** Per group: the number admitted, the number over the rate limit, and the reason why the rest was rejected (`REASONS`). */
export interface GroupOutcomes {
  readonly granted: readonly number[];
  readonly over: readonly number[];
  readonly reason: readonly number[];
}

/** Why requests were rejected, by the database's code. */
export const REASONS = ['none', 'burst', 'live_burst', 'budget', 'cap', 'wallet'] as const;
export type Reason = Exclude<(typeof REASONS)[number], 'none'>;

export interface Decided {
  readonly outcome: HolderOutcome;
  /** Null if all were admitted. */
  readonly groups: GroupOutcomes | null;
}

/** `busy` and `stale`: undecided, to be retried; `unknown`: no such holder, or its plan is not active. */
export type Decision = Decided | 'busy' | 'stale' | 'unknown';

/** Seconds until an unfinished reservation is refunded: more than any live call may take. */
const RESERVE_S = 300;

/** Longest wait for a locked holder. A hanging connection may hold its lock, and other holders wait for their turn. */
const LOCK_MS = 500;
/** SQLSTATE of a lock that was not available in time. */
const LOCK_NOT_AVAILABLE = '55P03';

const textOf = (schema: string, plans: Plans, blocking: boolean): string => `
select ${OUTCOME}, status, granted, over, reason
from (
  -- Lock order of holders.
  select array_agg(${ENTITLEMENTS} order by hashtext(q.holder), q.n) as terms
    ${blocking ? `, set_config('lock_timeout', '${LOCK_MS}', true)` : ''}
  from unnest($1::text[]) with ordinality as q(holder, n)
  ${joinEntitlements(schema, plans)}
) asked
cross join lateral metering.admit(coalesce(asked.terms, '{}'), $2, $3, $4, $5, $6, $7, $12, $8, $9, ${RESERVE_S}, $10,
  $11)`;

const numbers = (array: string): number[] =>
  array === '{}' ? [] : array.slice(1, -1).split(',').map(Number);

const decisionOf = (row: readonly (string | null)[], plans: Plans): Decision => {
  const [status, granted, over, reason] = row.slice(15) as string[];
  if (status !== 'done') return status as 'busy' | 'stale';
  return {
    outcome: outcomeOf(row, plans),
    groups:
      granted == null
        ? null
        : {
            granted: numbers(granted),
            over: numbers(over as string),
            reason: numbers(reason as string),
          },
  };
};

/**
 * Decides and charges the requests of many holders in one statement.
 * @param asked groups by holder, in the order of the holders.
 * @param blocking waits for locked holders, for a limited time; otherwise they are `busy` at once.
 * @param at clock for tests; null uses the database's.
 * @returns a decision per holder, in order.
 */
export const admitBatch = async (
  db: Queryable,
  schema: string,
  plans: Plans,
  asked: readonly (readonly RequestGroup[])[],
  blocking: boolean,
  at: string | null,
): Promise<readonly Decision[]> => {
  const holders: string[] = [];
  const first: number[] = [];
  const groups: RequestGroup[] = [];
  for (const each of asked) {
    const [group] = each;
    if (group === undefined) throw new RangeError('a holder of the batch has no requests');
    holders.push(group.ask.holder);
    first.push(groups.length + 1);
    groups.push(...each);
  }
  first.push(groups.length + 1);
  const statement = numbered(
    textOf(schema, plans, blocking),
    [
      holders,
      first,
      groups.map((group) => group.ask.keyId),
      groups.map((group) => group.ask.operation),
      groups.map((group) => group.count),
      groups.map((group) => group.ask.catalog),
      groups.map((group) => group.ask.live),
      groups.map((group) => group.reservation),
      blocking,
      at,
      groups.some(({ ask }) => ask.catalog > 0 || ask.live > 0),
      groups.map((group) => group.ask.upstream ?? 0),
    ],
    { name: `${schema} admit${blocking ? ' blocking' : ''}`, rowMode: 'array', types: RAW_TYPES },
  );
  let rows: unknown[][];
  try {
    ({ rows } = await db.query<unknown[]>(statement));
  } catch (error) {
    // Nothing was decided: the transaction is rolled back.
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return holders.map(() => 'busy');
    throw error;
  }
  const decisions: Decision[] = holders.map(() => 'unknown');
  for (const row of rows as (string | null)[][]) decisions[Number(row[0]) - 1] = decisionOf(row, plans);
  return decisions;
};
