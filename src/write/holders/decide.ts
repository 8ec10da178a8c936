import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { Decider } from '../log/command-handler.ts';
import type { HolderEvent } from './events.ts';
import type { Scope } from './plans.ts';
import type { Plan, Plans } from './plans.ts';

export interface KeyState {
  readonly scopes: readonly Scope[];
  readonly allowlist: readonly string[];
  readonly revoked: boolean;
  /** The key that it was rotated to; both are valid until the grace period ends. */
  readonly successor: string | null;
}

export interface HolderState {
  readonly registered: boolean;
  /** Null until one is chosen: the default plan applies. */
  readonly plan: string | null;
  /** In the order in which they were issued. */
  readonly keys: ReadonlyMap<string, KeyState>;
  readonly overage: { readonly on: boolean; readonly capMicroUsd: string | null };
  /** Micro-dollars, sum of all credits. */
  readonly credited: bigint;
  /** Credited amounts by reference. */
  readonly credits: ReadonlyMap<string, string>;
  /** The last settled period; 0 before the first. */
  readonly settledPeriod: number;
}

const withKey = (state: HolderState, keyId: string, change: Partial<KeyState>): HolderState => {
  const key = state.keys.get(keyId);
  return key === undefined
    ? state
    : { ...state, keys: new Map(state.keys).set(keyId, { ...key, ...change }) };
};

const evolve = (state: HolderState, event: HolderEvent): HolderState => {
  switch (event.type) {
    case 'HolderRegistered':
      return { ...state, registered: true };
    case 'PlanChosen':
      return { ...state, plan: event.data.plan };
    case 'KeyIssued': {
      const { key_id, scopes } = event.data;
      const key = { scopes, allowlist: [], revoked: false, successor: null };
      return { ...state, keys: new Map(state.keys).set(key_id, key) };
    }
    case 'KeyRotated': {
      const { key_id, successor_id } = event.data;
      const old = state.keys.get(key_id);
      if (old === undefined) return state;
      const keys = new Map(state.keys).set(key_id, { ...old, successor: successor_id });
      return { ...state, keys: keys.set(successor_id, old) };
    }
    case 'KeyRevoked':
      return withKey(state, event.data.key_id, { revoked: true });
    case 'KeyPinned':
      return withKey(state, event.data.key_id, { allowlist: event.data.allowlist });
    case 'ScopesGranted':
      return withKey(state, event.data.key_id, { scopes: event.data.scopes });
    case 'OverageSet':
      return { ...state, overage: { on: event.data.on, capMicroUsd: event.data.cap_micro_usd } };
    case 'WalletCredited': {
      const { reference, amount_micro_usd } = event.data;
      const credited = state.credited + BigInt(amount_micro_usd);
      if (reference === null) return { ...state, credited };
      return { ...state, credited, credits: new Map(state.credits).set(reference, amount_micro_usd) };
    }
    case 'UsageSettled':
      return { ...state, settledPeriod: event.data.period };
  }
};

export const holderDecider: Decider<HolderState, HolderEvent> = {
  initial: {
    registered: false,
    plan: null,
    keys: new Map(),
    overage: { on: false, capMicroUsd: null },
    credited: 0n,
    credits: new Map(),
    settledPeriod: 0,
  },
  evolve,
};

/** The decision of a holder's command: the events to append, none if nothing changes. */
export type HolderDecision = (state: HolderState) => readonly HolderEvent[];

/** @throws {OperatorError} if the holder does not exist. */
export const mustBeRegistered = (state: HolderState, holder: string): void => {
  if (!state.registered) {
    throw new OperatorError('holder_unknown', `There is no holder ${holder}.`, { params: { holder } });
  }
};

/** A holder's plan. @throws {OperatorError} if it is not among the active plans. */
export const planOf = (state: Pick<HolderState, 'plan'>, holder: string, plans: Plans): Plan => {
  if (state.plan === null) return plans.default;
  const plan = plans.find(state.plan);
  if (plan === null) {
    throw new OperatorError(
      'plan_inactive',
      `${holder} is on the plan ${state.plan}, which is not among the active plans: ${namesOf(plans)}.`,
      { params: { holder, plan: state.plan ?? '', plans: namesOf(plans) } },
    );
  }
  return plan;
};

/** @throws {OperatorError} if there is no active plan of that name. */
export const planNamed = (name: string, plans: Plans): Plan => {
  const plan = plans.find(name);
  if (plan === null)
    throw new OperatorError('plan_unknown', `There is no plan ${name}. The plans are: ${namesOf(plans)}`, {
      params: { plan: name, plans: namesOf(plans) },
    });
  return plan;
};

const namesOf = (plans: Plans): string => plans.all.map(({ name }) => name).join(', ');

/** Keys that count against the plan, oldest first: neither revoked nor rotated. */
export const keysInUse = (state: HolderState): readonly string[] =>
  [...state.keys].filter(([, key]) => !key.revoked && key.successor === null).map(([keyId]) => keyId);
