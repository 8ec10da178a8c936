import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { formatUsd } from '../../kernel/money.ts';
import { type HolderDecision, keysInUse, mustBeRegistered, planNamed, planOf } from './decide.ts';
import type { HolderEvent } from './events.ts';
import type { Plans } from './plans.ts';

/** Maximum of a wallet or a cap in micro-dollars: what a JavaScript number holds exactly. */
const MAX_MICRO_USD = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Registers a holder, optionally on a plan. Idempotent.
 * @throws {OperatorError} if the plan does not exist or the name is empty.
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
 * Changes a holder's plan: a new period begins. IP allowlists stay active on a plan without that feature, so that
 * a change of plan never widens access; overage stays on, without effect on a plan that has none.
 * @param revokeSurplus revokes the newest keys beyond the plan's limit.
 * @throws {OperatorError} if keys are beyond it and that was not requested, or the plan does not exist.
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
    // A holder that never chose follows the default plan; choosing it by name pins it.
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
 * Turns overage on or off, with an optional cap per period.
 * @throws {OperatorError} if it is turned on and the plan has no overage.
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
 * Credits the wallet. A reference is credited once; without one, every call credits.
 * @throws {OperatorError} if the reference was credited with another amount, or the amount is invalid.
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
        `A wallet can be credited with at most ${formatUsd(MAX_MICRO_USD)} dollars in total, and ${holder} was credited ` +
          `${formatUsd(state.credited)}. Give a smaller amount.`,
      );
    }
    return [{ type: 'WalletCredited', data: { at, amount_micro_usd: String(amountMicroUsd), reference } }];
  };
