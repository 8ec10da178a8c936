/** The holder aggregate: events, state, and the decisions on plans, wallets and keys. */

import { z } from 'zod';
import { parseNetwork } from '../../kernel/cidr.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { formatUsd } from '../../kernel/money.ts';
import type { Decider } from '../log/command-handler.ts';
import { type EventOf, event, instant, key, text, words } from '../log/event-definition.ts';
import { NAMED_ONLY, type Plan, type Plans, SCOPES, type Scope, scopeSchema } from './plans.ts';

export const holderStream = (holder: string): string => `holder-${holder}`;

const keyId = key(100);
const keyHash = z.string().regex(/^[0-9a-f]{64}$/);
/** Micro-dollars as a decimal string, since sums may exceed the integers that JSON numbers hold exactly. */
const microUsd = z.string().regex(/^\d{1,18}$/);

export const holderEvents = {
  HolderRegistered: event({ at: instant, holder: key(200), name: words(1_000) }),
  /** The holder is on this plan from `at` on. A new period of 30 days begins. */
  PlanChosen: event({ at: instant, plan: key(100) }),
  KeyIssued: event({
    at: instant,
    /** Identifies the key in logs and commands. It reveals nothing of the key. */
    key_id: keyId,
    /** SHA-256 of the key, hexadecimal; the key itself is not stored. */
    key_hash: keyHash,
    scopes: z.array(scopeSchema).max(100),
    label: text(1_000).nullable(),
    /** When the key ends by itself; absent for never. */
    expires_at: instant.optional(),
  }),
  /** The key has a successor with the same grants. The old key stays valid until `expires_at`. */
  KeyRotated: event({
    at: instant,
    key_id: keyId,
    successor_id: keyId,
    successor_hash: keyHash,
    expires_at: instant,
  }),
  KeyRevoked: event({ at: instant, key_id: keyId }),
  /** IP allowlist of the key (CIDR). An empty list allows any address. */
  KeyPinned: event({ at: instant, key_id: keyId, allowlist: z.array(key(64)).max(1_000) }),
  /** All scopes that the key has from now on. */
  ScopesGranted: event({ at: instant, key_id: keyId, scopes: z.array(scopeSchema).max(100) }),
  /** Whether requests beyond the quota are served and charged. `cap_micro_usd` limits their price per period. */
  OverageSet: event({ at: instant, on: z.boolean(), cap_micro_usd: microUsd.nullable() }),
  /** `reference` identifies the payment. Each reference is credited once. */
  WalletCredited: event({ at: instant, amount_micro_usd: microUsd, reference: text(500).nullable() }),
  /** All keys of the holder are refused until it is resumed. */
  HolderSuspended: event({ at: instant, why: text(2_000) }),
  HolderResumed: event({ at: instant }),
  /** The final figures of a closed period. */
  UsageSettled: event({
    at: instant,
    period: z.int().positive(),
    plan: key(100),
    started_at: instant,
    ended_at: instant,
    requests: z.int().nonnegative(),
    budget_units: z.int().nonnegative(),
    overage_units: z.int().nonnegative(),
    overage_micro_usd: microUsd,
    live_calls: z.int().nonnegative(),
  }),
};

export type HolderEvent = EventOf<typeof holderEvents>;

export interface KeyState {
  readonly scopes: readonly Scope[];
  readonly allowlist: readonly string[];
  readonly revoked: boolean;
  /** The key that replaced it. Both are valid until the grace period ends. */
  readonly successor: string | null;
  /** When it ends by itself; null for never. A successor ends with it. */
  readonly expiresAt: string | null;
}

export interface HolderState {
  readonly registered: boolean;
  readonly suspended: boolean;
  /** Null until a plan is chosen: the default plan applies. */
  readonly plan: string | null;
  /** In the order in which they were issued. */
  readonly keys: ReadonlyMap<string, KeyState>;
  readonly overage: { readonly on: boolean; readonly capMicroUsd: string | null };
  /** Sum of all credits in micro-dollars. */
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
      const { key_id, scopes, expires_at: expiresAt = null } = event.data;
      const key = { scopes, allowlist: [], revoked: false, successor: null, expiresAt };
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
    case 'HolderSuspended':
      return { ...state, suspended: true };
    case 'HolderResumed':
      return { ...state, suspended: false };
    case 'UsageSettled':
      return { ...state, settledPeriod: event.data.period };
  }
};

export const holderDecider: Decider<HolderState, HolderEvent> = {
  initial: {
    registered: false,
    suspended: false,
    plan: null,
    keys: new Map(),
    overage: { on: false, capMicroUsd: null },
    credited: 0n,
    credits: new Map(),
    settledPeriod: 0,
  },
  evolve,
};

/** The decision of a command: the events to append, none if nothing changes. */
export type HolderDecision = (state: HolderState) => readonly HolderEvent[];

/** @throws {OperatorError} if the holder does not exist. */
const mustBeRegistered = (state: HolderState, holder: string): void => {
  if (!state.registered) {
    throw new OperatorError('holder_unknown', `There is no holder ${holder}.`, { params: { holder } });
  }
};

/**
 * The plan of a holder.
 * @throws {OperatorError} if it is not among the active plans.
 */
const planOf = (state: Pick<HolderState, 'plan'>, holder: string, plans: Plans): Plan => {
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
const planNamed = (name: string, plans: Plans): Plan => {
  const plan = plans.find(name);
  if (plan === null)
    throw new OperatorError('plan_unknown', `There is no plan ${name}. The plans are: ${namesOf(plans)}`, {
      params: { plan: name, plans: namesOf(plans) },
    });
  return plan;
};

const namesOf = (plans: Plans): string => plans.all.map(({ name }) => name).join(', ');

/** Keys that count against the plan, oldest first: neither revoked nor replaced nor expired. */
export const keysInUse = (state: HolderState, at: string): readonly string[] =>
  [...state.keys]
    .filter(
      ([, key]) => !key.revoked && key.successor === null && !(key.expiresAt !== null && key.expiresAt <= at),
    )
    .map(([keyId]) => keyId);

/** Maximum of a wallet or a cap in micro-dollars: the largest integer that a JavaScript number holds exactly. */
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
 * Changes a holder's plan. A new period begins. IP allowlists stay active on a plan without that feature, so that a change of plan
 * never widens access. Overage stays on, without effect on a plan that has none.
 * @param revokeSurplus revokes the newest keys beyond the plan's limit.
 * @throws {OperatorError} if there are keys beyond the limit and `revokeSurplus` is false, or if the plan does not exist.
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
    // A holder that never chose a plan follows the default plan. Choosing that plan by name pins it.
    if (state.plan === plan.name) return [];
    const surplus = keysInUse(state, at).slice(plan.keys).toReversed();
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
 * Credits the wallet. A reference is credited once. Without a reference, every call credits.
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

export interface NewKey {
  readonly keyId: string;
  readonly hash: string;
  /** Null grants every scope of the plan that need not be requested by name. */
  readonly scopes: readonly Scope[] | null;
  readonly label: string | null;
  /** When it ends by itself; null for never. */
  readonly expiresAt: string | null;
}

/** Maximum grace period of a rotated key: one billing period. */
const MAX_GRACE_MS = 30 * 86_400_000;

/**
 * A key that can be changed.
 * @throws {OperatorError} if it does not exist or is revoked.
 */
const changeable = (state: HolderState, keyId: string): KeyState => {
  const key = state.keys.get(keyId);
  if (key === undefined)
    throw new OperatorError('key_unknown', `There is no key ${keyId}.`, { params: { keyId } });
  if (key.revoked) throw new OperatorError('key_revoked', `${keyId} is revoked.`, { params: { keyId } });
  return key;
};

/** @throws {OperatorError} if the plan lacks a scope. The error names the lowest plan that includes it. */
const mustInclude = (plan: Plan, scopes: readonly Scope[], holder: string, plans: Plans): void => {
  const missing = scopes.find((scope) => !plan.scopes.includes(scope));
  if (missing === undefined) return;
  const having = plans.lowestWith(missing);
  throw new OperatorError(
    'scope_not_on_plan',
    `The plan ${plan.name} does not include ${missing}. ` +
      (having === null
        ? `No active plan does; the scopes of ${plan.name} are: ${plan.scopes.join(', ')}.`
        : `The lowest plan that does is ${having.name}.`),
    { params: { holder, ...(having === null ? {} : { plan: having.name }) } },
  );
};

const inOrder = (scopes: Iterable<Scope>): Scope[] => {
  const wanted = new Set(scopes);
  return SCOPES.filter((scope) => wanted.has(scope));
};

/**
 * Issues a key, up to the plan's limit of keys in use.
 * @throws {OperatorError} if the holder does not exist, the limit is reached, or the plan lacks a scope.
 */
export const issueKey =
  (holder: string, key: NewKey, plans: Plans, at: string): HolderDecision =>
  (state) => {
    mustBeRegistered(state, holder);
    if (state.keys.has(key.keyId)) return [];
    const plan = planOf(state, holder, plans);
    const inUse = keysInUse(state, at);
    if (inUse.length >= plan.keys) {
      throw new OperatorError(
        'key_limit',
        `${holder} has ${inUse.length} keys in use, and the plan ${plan.name} allows ${plan.keys}. ` +
          'Revoke or rotate one, or choose a higher plan.',
        { params: { holder, plan: plan.name } },
      );
    }
    if (key.scopes?.length === 0) {
      throw new OperatorError(
        'scopes_missing',
        `Name at least one scope. The scopes of ${plan.name} are: ${plan.scopes.join(', ')}`,
      );
    }
    const scopes = inOrder(key.scopes ?? plan.scopes.filter((scope) => !NAMED_ONLY.has(scope)));
    mustInclude(plan, scopes, holder, plans);
    const { keyId, hash, label, expiresAt } = key;
    if (expiresAt !== null && expiresAt <= at)
      throw new OperatorError('expiry_invalid', 'A key must expire in the future.');
    const data = { at, key_id: keyId, key_hash: hash, scopes, label };
    return [
      { type: 'KeyIssued', data: { ...data, ...(expiresAt === null ? {} : { expires_at: expiresAt }) } },
    ];
  };

const earlier = (one: string, other: string | null): string => (other !== null && other < one ? other : one);

/**
 * Suspends a holder: all its keys are refused until it is resumed.
 * @throws {OperatorError} if the holder does not exist or there is no reason.
 */
export const suspendHolder =
  (holder: string, why: string, at: string): HolderDecision =>
  (state) => {
    mustBeRegistered(state, holder);
    if (why.trim() === '') throw new OperatorError('reason_missing', 'A suspension needs a reason.');
    return state.suspended ? [] : [{ type: 'HolderSuspended', data: { at, why } }];
  };

/** Ends a suspension. @throws {OperatorError} if the holder does not exist. */
export const resumeHolder =
  (holder: string, at: string): HolderDecision =>
  (state) => {
    mustBeRegistered(state, holder);
    return state.suspended ? [{ type: 'HolderResumed', data: { at } }] : [];
  };

/**
 * Replaces a key by a successor with the same scopes, IP allowlist and expiry. The old key stays valid for `graceMs`.
 * @throws {OperatorError} if the key does not exist, is revoked, or was rotated already.
 */
export const rotateKey =
  (
    keyId: string,
    successor: { readonly keyId: string; readonly hash: string },
    graceMs: number,
    at: string,
  ): HolderDecision =>
  (state) => {
    const key = changeable(state, keyId);
    if (key.successor === successor.keyId) return [];
    if (key.successor !== null) {
      throw new OperatorError('key_rotated', `${keyId} was rotated to ${key.successor} already.`, {
        params: { keyId, successor: key.successor },
      });
    }
    if (key.expiresAt !== null && key.expiresAt <= at)
      throw new OperatorError('expiry_invalid', `${keyId} has expired, and a successor would end with it.`);
    if (state.keys.has(successor.keyId)) {
      throw new OperatorError(
        'key_exists',
        `There is a key ${successor.keyId} already: the successor must be a new key.`,
      );
    }
    if (!Number.isSafeInteger(graceMs) || graceMs < 0 || graceMs > MAX_GRACE_MS) {
      throw new OperatorError(
        'grace_invalid',
        'The grace period of a rotated key is at most 30 days, for example 24h or 7d.',
      );
    }
    return [
      {
        type: 'KeyRotated',
        data: {
          at,
          key_id: keyId,
          successor_id: successor.keyId,
          successor_hash: successor.hash,
          expires_at: earlier(new Date(Date.parse(at) + graceMs).toISOString(), key.expiresAt),
        },
      },
    ];
  };

/**
 * Revokes a key immediately, even within its grace period. Idempotent.
 * @throws {OperatorError} if the holder has no such key.
 */
export const revokeKey =
  (keyId: string, at: string): HolderDecision =>
  (state) => {
    if (state.keys.get(keyId)?.revoked === true) return [];
    changeable(state, keyId);
    return [{ type: 'KeyRevoked', data: { at, key_id: keyId } }];
  };

/**
 * Sets a key's IP allowlist: the key is valid only from these addresses.
 * @param cidrs IPv4 or IPv6 addresses and networks (CIDR). They replace the previous list.
 * @throws {OperatorError} if one is malformed, or the plan has no allowlists.
 */
export const pinKey =
  (holder: string, keyId: string, cidrs: readonly string[], plans: Plans, at: string): HolderDecision =>
  (state) => {
    const key = changeable(state, keyId);
    const allowlist = [...new Set(cidrs.map(mustBeNetwork))];
    if (allowlist.length === 0) {
      throw new OperatorError('addresses_missing', 'An IP allowlist needs at least one address.', {
        params: { keyId },
      });
    }
    if (allowlist.length === key.allowlist.length && allowlist.every((one) => key.allowlist.includes(one)))
      return [];
    const plan = planOf(state, holder, plans);
    if (!plan.ip_allowlist) {
      const having = plans.all.find((other) => other.ip_allowlist);
      throw new OperatorError(
        'allowlist_not_on_plan',
        `The plan ${plan.name} has no IP allowlists. ` +
          (having === undefined
            ? 'No active plan has them.'
            : `The lowest plan that has them is ${having.name}.`),
        { params: { holder, ...(having === undefined ? {} : { plan: having.name }) } },
      );
    }
    return [{ type: 'KeyPinned', data: { at, key_id: keyId, allowlist } }];
  };

const mustBeNetwork = (text: string): string => {
  const network = parseNetwork(text);
  if (network === null) {
    throw new OperatorError(
      'address_invalid',
      `"${text}" is not an address: write 203.0.113.7, 203.0.113.0/24, 2001:db8::1 or 2001:db8::/32`,
    );
  }
  return network;
};

/**
 * Removes a key's IP allowlist, on any plan.
 * @throws {OperatorError} if the key does not exist.
 */
export const unpinKey =
  (keyId: string, at: string): HolderDecision =>
  (state) =>
    changeable(state, keyId).allowlist.length === 0
      ? []
      : [{ type: 'KeyPinned', data: { at, key_id: keyId, allowlist: [] } }];

/**
 * Grants scopes to a key.
 * @throws {OperatorError} if the plan lacks a scope, or if the key was rotated: the successor has to get the scopes then.
 */
export const grantScopes =
  (holder: string, keyId: string, scopes: readonly Scope[], plans: Plans, at: string): HolderDecision =>
  (state) => {
    const key = changeable(state, keyId);
    const more = scopes.filter((scope) => !key.scopes.includes(scope));
    if (more.length === 0) return [];
    if (key.successor !== null) {
      throw new OperatorError(
        'key_rotated',
        `${keyId} was rotated to ${key.successor}: scopes are granted to the successor.`,
        { params: { keyId, successor: key.successor } },
      );
    }
    mustInclude(planOf(state, holder, plans), more, holder, plans);
    return [
      { type: 'ScopesGranted', data: { at, key_id: keyId, scopes: inOrder([...key.scopes, ...more]) } },
    ];
  };

/**
 * Removes scopes from a key.
 * @throws {OperatorError} if the key does not exist, or if no scope would be left.
 */
export const ungrantScopes =
  (keyId: string, scopes: readonly Scope[], at: string): HolderDecision =>
  (state) => {
    const key = changeable(state, keyId);
    const left = key.scopes.filter((scope) => !scopes.includes(scope));
    if (left.length === key.scopes.length) return [];
    if (left.length === 0) {
      throw new OperatorError('scopes_left_empty', `${keyId} would be left without a scope.`, {
        params: { keyId },
      });
    }
    return [{ type: 'ScopesGranted', data: { at, key_id: keyId, scopes: inOrder(left) } }];
  };
