import { createMatcher } from '../../kernel/cidr.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { KnownKey } from '../../read/holders.ts';
import type { Plan, Plans } from '../../write/holders/plans.ts';
import type { Endpoint } from '../contract/endpoint.ts';

/** The plan of a key's holder; null if it is not among the active plans. */
export const planOf = (plans: Plans, key: KnownKey): Plan | null =>
  key.plan === null ? plans.default : plans.find(key.plan);

/** Error code if a key may not call an endpoint, else null. The plan is checked first: new keys get only their plan's scopes. */
export const denialOf = (
  plans: Plans,
  key: KnownKey,
  { scope }: Pick<Endpoint, 'scope'>,
): 'scope_missing' | 'plan_required' | null => {
  if (scope === null) return null;
  if (planOf(plans, key)?.scopes.includes(scope) === false) return 'plan_required';
  return key.scopes.has(scope) ? null : 'scope_missing';
};

/**
 * Checks that the key's scopes and its holder's plan include an endpoint.
 * @param endpoint.why why the scope is needed, if not by the endpoint itself.
 * @throws {ServiceError} `scope_missing`, `plan_required`.
 */
export const authorize = (
  plans: Plans,
  key: KnownKey,
  endpoint: Pick<Endpoint, 'scope'> & { readonly why?: string },
): void => {
  const { scope, why: reason } = endpoint;
  const lead = reason === undefined ? '' : `${reason} `;
  const why = denialOf(plans, key, endpoint);
  if (why === null || scope === null) return;
  if (why === 'scope_missing') {
    throw new ServiceError(
      'scope_missing',
      `${lead}The key ${key.keyId} lacks the scope ${scope}, which your plan includes: ask the operator to add it to the key.`,
      {
        details: [{ path: 'scope', message: scope }],
      },
    );
  }
  const lowest = plans.lowestWith(scope)?.name ?? 'none';
  const plan = { path: 'plan', message: lowest };
  // Another plan alone does not help then.
  const isScopeMissing = !key.scopes.has(scope);
  throw new ServiceError(
    'plan_required',
    `${lead}Your plan does not include ${scope}; the lowest plan that does is ${lowest}.${isScopeMissing ? ' The key lacks the scope too.' : ''}`,
    { details: isScopeMissing ? [plan, { path: 'scope', message: scope }] : [plan] },
  );
};

interface Pin {
  readonly isWithin: (address: string) => boolean;
  /** Cached decisions by address: callers have few. */
  readonly known: Map<string, boolean>;
}

const pins = new WeakMap<KnownKey, Pin>();
const MAX_KNOWN = 1_000;

/** Whether a key's IP allowlist includes an address; true if it has none. */
export const isAllowedFrom = (key: KnownKey, address: string): boolean => {
  if (key.allowlist.length === 0) return true;
  let pin = pins.get(key);
  if (pin === undefined) {
    pin = { isWithin: createMatcher(key.allowlist), known: new Map() };
    pins.set(key, pin);
  }
  let allowed = pin.known.get(address);
  if (allowed === undefined) {
    allowed = pin.isWithin(address);
    if (pin.known.size >= MAX_KNOWN) pin.known.clear();
    pin.known.set(address, allowed);
  }
  return allowed;
};
