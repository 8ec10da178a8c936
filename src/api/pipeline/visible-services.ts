import type { Platform } from '../../kernel/platform.ts';
import type { KnownKey } from '../../read/holders.ts';
import type { FieldName } from '../../write/accounts/profile.ts';
import {
  replaced,
  SCOPES_OF_FIELDS,
  scopeOfField,
  type Visibility,
  visibilityWithout,
  visibleReads,
} from '../contract/visibility.ts';
import type { Services } from '../services.ts';
import { authorize, denialOf } from './access.ts';

/** The services of a caller, and what he may see. */
export type VisibleTo = (caller: KnownKey) => { readonly services: Services; readonly visible: Visibility };

/** Gives the accounts, persons and live readings of requests the fields that their callers may see; endpoints get no others. */
export const createVisibleServices = (services: Services): VisibleTo => {
  const made = new Map<string, ReturnType<VisibleTo>>();
  return (caller) => {
    const lacking = SCOPES_OF_FIELDS.filter((scope) => denialOf(services.plans, caller, { scope }) !== null);
    const name = lacking.join();
    let found = made.get(name);
    if (found === undefined) {
      const visible = visibilityWithout(new Set(lacking));
      found = {
        services: lacking.length === 0 ? services : replaced(services, visibleReads(services, visible)),
        visible,
      };
      made.set(name, found);
    }
    return found;
  };
};

/**
 * Checks that a caller may see a field, for a result that tells its value.
 * @throws {ServiceError} `scope_missing`, `plan_required`.
 */
export const requireVisible = (
  { services, caller }: { readonly services: Services; readonly caller: KnownKey },
  platform: Platform,
  field: FieldName,
): void => {
  const scope = scopeOfField(platform, field);
  authorize(services.plans, caller, { scope, why: `The result tells the ${field} of the account.` });
};
