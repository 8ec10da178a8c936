import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { HolderTerms } from '../../read/holders.ts';
import { chargedOf } from '../../read/metering.ts';
import { creditWallet as creditDecision, setOverage as overageDecision } from '../../write/holders/holder.ts';
import type { OperationsContext } from '../context.ts';
import { activePlans, changeHolder } from '../holders/change-holder.ts';

/** Micro-dollars. */
export interface Wallet {
  readonly credited: bigint;
  readonly charged: bigint;
  readonly balance: bigint;
}

export const readWallet = async (
  db: Queryable,
  { holder, credit_micro_usd }: Pick<HolderTerms, 'holder' | 'credit_micro_usd'>,
): Promise<Wallet> => {
  const credited = BigInt(credit_micro_usd);
  const charged = await chargedOf(db, holder);
  return { credited, charged, balance: credited - charged };
};

/**
 * Credits a wallet.
 * @param credit `reference` identifies the payment; each reference is credited once.
 * @returns false if the reference was credited before; nothing changes then.
 * @throws {OperatorError} `holder_unknown`, `credit_invalid`, `reference_invalid`, `reference_conflict`
 */
export const creditWallet = async (
  context: OperationsContext,
  {
    holder,
    ...credit
  }: { readonly holder: string; readonly amountMicroUsd: bigint; readonly reference: string | null },
): Promise<boolean> => {
  const events = await changeHolder(context, holder, (at) => creditDecision(holder, credit, at));
  return events.length > 0;
};

/**
 * Turns overage on, optionally up to a cap per period, or off.
 * @returns false if nothing had to change.
 * @throws {OperatorError} `holder_unknown`, `plan_without_overage`, `cap_invalid`
 */
export const setOverage = async (
  context: OperationsContext,
  holder: string,
  overage: Parameters<typeof overageDecision>[1],
): Promise<boolean> => {
  const plans = await activePlans(context.config);
  const events = await changeHolder(context, holder, (at) => overageDecision(holder, overage, plans, at));
  return events.length > 0;
};
