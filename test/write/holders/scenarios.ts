import { type HolderEvent, holderDecider } from '../../../src/write/holders/holder.ts';
import { publishedPlans, type Scope } from '../../../src/write/holders/plans.ts';
import { storyOf } from '../../support/given-when-then.ts';

/** What the stories of a holder begin with. */
export const at = '2026-11-21T08:00:00.000Z';
export const later = '2026-11-22T08:00:00.000Z';
export const plans = publishedPlans('A');
export const { given } = storyOf(holderDecider);

export const hashOf = (n: number): string => String(n).padStart(64, 'a');
export const registered: HolderEvent = {
  type: 'HolderRegistered',
  data: { at, holder: 'acme', name: 'Acme' },
};
export const chosen = (plan: string, when = at): HolderEvent => ({
  type: 'PlanChosen',
  data: { at: when, plan },
});
export const issued = (n: number, scopes: Scope[] = ['accounts:read']): HolderEvent => ({
  type: 'KeyIssued',
  data: { at, key_id: `key_${n}`, key_hash: hashOf(n), scopes, label: null },
});
export const rotated = (n: number, successor: number, expires_at = later): HolderEvent => ({
  type: 'KeyRotated',
  data: {
    at,
    key_id: `key_${n}`,
    successor_id: `key_${successor}`,
    successor_hash: hashOf(successor),
    expires_at,
  },
});
export const revoked = (n: number, when = at): HolderEvent => ({
  type: 'KeyRevoked',
  data: { at: when, key_id: `key_${n}` },
});
export const pinned = (n: number, ...allowlist: string[]): HolderEvent => ({
  type: 'KeyPinned',
  data: { at, key_id: `key_${n}`, allowlist },
});
export const granted = (n: number, ...scopes: Scope[]): HolderEvent => ({
  type: 'ScopesGranted',
  data: { at, key_id: `key_${n}`, scopes },
});
