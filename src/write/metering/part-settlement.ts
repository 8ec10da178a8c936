import type { Queryable } from '../../kernel/postgres/pool.ts';
import { raw, sql } from '../../kernel/postgres/statement.ts';
import { AdmissionTimeoutError } from './admission/admission-queues.ts';
import type { Charge } from './quota-state.ts';

/** A reservation, and how many of its items (live calls, or catalog reads) have their result. */
export interface PartSettlement {
  readonly reservation: string;
  readonly used: number;
}

/** What became of a charge once its response was known. */
export type Settlement =
  /** All of it is final. */
  | { readonly is: 'whole' }
  /** This much of it is final, the rest was refunded. */
  | { readonly is: 'part'; readonly charge: Charge }
  /** The response costs nothing: all of it is to be refunded. */
  | { readonly is: 'free' }
  /** The reservation had expired and was refunded: the response must not be sent. */
  | { readonly is: 'expired' };

export const WHOLE: Settlement = { is: 'whole' };
export const FREE: Settlement = { is: 'free' };
export const EXPIRED: Settlement = { is: 'expired' };

/** @throws {AdmissionTimeoutError} if the holder stayed locked: the reservation expires then, and is refunded. */
export const settlementOf = (part: SettledPart): Settlement => {
  if (part === 'locked') throw new AdmissionTimeoutError('timed out waiting for the holder of a reservation');
  return part === 'expired' ? EXPIRED : { is: 'part', charge: part };
};

/** What remains charged; `locked` if another process has locked the holder, `expired` if it was refunded before. */
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

/** Settles parts of many reservations in one statement, with the refunds of the rest. */
export const settleParts = async (
  db: Queryable,
  parts: readonly PartSettlement[],
): Promise<readonly SettledPart[]> => {
  const { rows } = await db.query<SettledPartRow>(sql.named('metering settle part')`
    select ${raw(SETTLED_PART)} from metering.settle_part(${parts.map(({ reservation }) => reservation)},
      ${parts.map(({ used }) => used)})`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return parts.map(({ reservation }) => settledPartOf(found.get(reservation)));
};
