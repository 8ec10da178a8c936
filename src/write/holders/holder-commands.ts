import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { formatUsd } from '../../kernel/money.ts';
import { type HolderDecision, keysInUse, mustBeRegistered, planNamed, planOf } from './decide.ts';
import type { HolderEvent } from './events.ts';
import type { Plans } from './plans.ts';

/** Micro-dollars that a wallet or a cap can come to: what a number holds exactly. */
const MAX_MICRO_USD = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Registers a holder once, on a plan where one is named; the same again changes nothing.
 * @throws {OperatorError} where there is no such plan, or no name.
 */
export const registerHolder =
  (
    { holder, name, plan = null }: { holder: string; name: string; plan?: string | null },
    plans: Plans,
    at: string,
  ): HolderDecision =>
  (state) => {
    if (state.registered) return [];
    if (name.trim() === '') throw new OperatorError('holder_invalid', 'A holder needs a name.');
    const registered: HolderEvent = { type: 'HolderRegistered', data: { at, holder, name } };
    if (plan === null) return [registered];
    return [registered, { type: 'PlanChosen', data: { at, plan: planNamed(plan, plans).name } }];
  };

/**
 * Puts a holder on a plan: a new period begins. Pins stay in force on a plan that has none, so that no key is opened by
 * a change of plan; overage that is on stays on and has no effect on a plan without.
 * @param options.revokeSurplus revokes the newest keys where the plan allows fewer than are in use.
 * @throws {OperatorError} where it does and that was not asked for, or where there is no such plan.
 */
export const choosePlan =
  (
    holder: string,
    name: string,
    plans: Plans,
    at: string,
    { revokeSurplus }: { readonly revokeSurplus: boolean } = { revokeSurplus: false },
  ): HolderDecision =>
  (state) => {
    mustBeRegistered(state, holder);
    const plan = planNamed(name, plans);
    // Who never chose is on the lowest plan, whichever that is; choosing it by name makes it theirs.
    if (state.plan === plan.name) return [];
    const surplus = keysInUse(state).slice(plan.keys).toReversed();
    if (surplus.length > 0 && !revokeSurplus) {
      throw new OperatorError(
        'plan_key_limit',
        `The plan ${plan.name} allows ${plan.keys} keys in use, and ${holder} has ${plan.keys + surplus.length}.`,
        { params: { holder, plan: plan.name, surplus: surplus.join(', ') } },
      );
    }
    return [
      { type: 'PlanChosen', data: { at, plan: plan.name } },
      ...surplus.map((keyId): HolderEvent => ({ type: 'KeyRevoked', data: { at, key_id: keyId } })),
    ];
  };

/**
 * Whether requests past the budget are served and charged, and the most that they may come to in a period.
 * @throws {OperatorError} where it is turned on and the plan has no overage.
 */
export const setOverage =
  (
    holder: string,
    setting: { readonly on: false } | { readonly on: true; readonly capMicroUsd: bigint | null },
    plans: Plans,
    at: string,
  ): HolderDecision =>
  (state) => {
    mustBeRegistered(state, holder);
    const cap = setting.on && setting.capMicroUsd !== null ? String(setting.capMicroUsd) : null;
    if (state.overage.on === setting.on && state.overage.capMicroUsd === cap) return [];
    if (setting.on) {
      if (setting.capMicroUsd !== null && setting.capMicroUsd <= 0n) {
        throw new OperatorError('cap_invalid', 'A cap must be more than 0 dollars.', { params: { holder } });
      }
      if (setting.capMicroUsd !== null && setting.capMicroUsd > MAX_MICRO_USD) {
        throw new OperatorError(
          'cap_invalid',
          `A cap can be at most ${formatUsd(MAX_MICRO_USD)} dollars; leave it out for no cap.`,
          { params: { holder } },
        );
      }
      const plan = planOf(state, holder, plans);
      if (plan.overage_micro_usd === null) {
        throw new OperatorError('plan_without_overage', `The plan ${plan.name} has no overage.`, {
          params: { holder, plan: plan.name },
        });
      }
    }
    return [{ type: 'OverageSet', data: { at, on: setting.on, cap_micro_usd: cap } }];
  };

/**
 * Credits the wallet. The same reference credits once; without one, every call credits.
 * @throws {OperatorError} where the reference was credited with another amount, or the amount is none that can be.
 */
export const creditWallet =
  (
    holder: string,
    { amountMicroUsd, reference }: { readonly amountMicroUsd: bigint; readonly reference: string | null },
    at: string,
  ): HolderDecision =>
  (state) => {
    mustBeRegistered(state, holder);
    if (amountMicroUsd <= 0n)
      throw new OperatorError('credit_invalid', 'A credit must be more than 0 dollars, for example 25.00.');
    const before = reference === null ? undefined : state.credits.get(reference);
    if (before !== undefined) {
      if (BigInt(before) === amountMicroUsd) return [];
      throw new OperatorError(
        'reference_conflict',
        `The reference ${reference} was credited with ${formatUsd(BigInt(before))} dollars already. ` +
          'Give the same amount, or the reference of another payment.',
      );
    }
    if (reference?.trim() === '') {
      throw new OperatorError(
        'reference_invalid',
        'The reference is empty: name the payment, or leave the reference out.',
      );
    }
    if (state.credited + amountMicroUsd > MAX_MICRO_USD) {
      throw new OperatorError(
        'credit_invalid',
        `A wallet takes ${formatUsd(MAX_MICRO_USD)} dollars in all, and ${holder} was credited ` +
          `${formatUsd(state.credited)}. Give a smaller amount.`,
      );
    }
    return [{ type: 'WalletCredited', data: { at, amount_micro_usd: String(amountMicroUsd), reference } }];
  };
