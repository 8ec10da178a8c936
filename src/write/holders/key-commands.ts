import { parseNetwork } from '../../kernel/cidr.ts';
import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { KeyState } from './decide.ts';
import { type HolderDecision, type HolderState, keysInUse, mustBeRegistered, planOf } from './decide.ts';
import { NAMED_ONLY, SCOPES, type Scope } from './plans.ts';
import type { Plan, Plans } from './plans.ts';

export interface NewKey {
  readonly keyId: string;
  readonly hash: string;
  /** Null grants every scope of the plan that need not be requested by name. */
  readonly scopes: readonly Scope[] | null;
  readonly label: string | null;
}

/** Maximum grace period of a rotated key: one billing period. */
const MAX_GRACE_MS = 30 * 86_400_000;

/** A key that can be changed. @throws {OperatorError} if it does not exist or is revoked. */
const changeable = (state: HolderState, keyId: string): KeyState => {
  const key = state.keys.get(keyId);
  if (key === undefined)
    throw new OperatorError('key_unknown', `There is no key ${keyId}.`, { params: { keyId } });
  if (key.revoked) throw new OperatorError('key_revoked', `${keyId} is revoked.`, { params: { keyId } });
  return key;
};

/** @throws {OperatorError} if the plan lacks a scope; names the lowest plan that has it. */
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
    const inUse = keysInUse(state);
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
    const { keyId, hash, label } = key;
    return [{ type: 'KeyIssued', data: { at, key_id: keyId, key_hash: hash, scopes, label } }];
  };

/**
 * Replaces a key by a successor with the same scopes and IP allowlist; the old one stays valid for `graceMs`.
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
          expires_at: new Date(Date.parse(at) + graceMs).toISOString(),
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
 * Sets a key's IP allowlist: it is valid only from these addresses.
 * @param cidrs IPv4 or IPv6 addresses and networks (CIDR); they replace the previous list.
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

/** Removes a key's IP allowlist, on any plan. @throws {OperatorError} if the key does not exist. */
export const unpinKey =
  (keyId: string, at: string): HolderDecision =>
  (state) =>
    changeable(state, keyId).allowlist.length === 0
      ? []
      : [{ type: 'KeyPinned', data: { at, key_id: keyId, allowlist: [] } }];

/**
 * Grants scopes to a key.
 * @throws {OperatorError} if the plan lacks one, or the key was rotated: grant them to its successor.
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

/** Revokes scopes of a key. @throws {OperatorError} if the key does not exist, or would have no scope left. */
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
