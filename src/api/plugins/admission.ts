import { Failure } from '../../kernel/errors.ts';
import type { KnownKey } from '../../read/keys.ts';
import type { Endpoint } from '../endpoint.ts';

/**
 * Decides whether a key may make this call: the one place where that is decided. Scopes count here; budgets, rates
 * and plans will join them.
 * @throws {Failure} `scope_missing`.
 */
export const admit = (key: KnownKey, endpoint: Pick<Endpoint, 'scope'>): void => {
  if (endpoint.scope !== null && !key.scopes.has(endpoint.scope)) {
    throw new Failure('scope_missing', `The key lacks the scope ${endpoint.scope}.`, {
      details: [{ path: 'scope', message: endpoint.scope }],
    });
  }
};
