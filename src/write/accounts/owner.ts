import type { AccountEvent } from './events.ts';

/**
 * The account that a handle's readings are of. A handle can be reassigned: the native ID decides; without one, a
 * handle found unused in between is taken to have a new owner.
 */
export interface Owner {
  /** Its native ID; null if no reading showed it. */
  readonly id: string | null;
  /** Whether any reading showed its profile. */
  readonly isSeen: boolean;
  /** Whether the handle was unused at the last reading. */
  readonly isAbsent: boolean;
}

export const noOwner: Owner = { id: null, isSeen: false, isAbsent: false };

/** Whether a profile read under the handle is of the account seen there before. */
export const isSameOwner = (owner: Owner, found: { readonly id: string | null }): boolean => {
  if (!owner.isSeen) return false;
  if (owner.id !== null && found.id !== null) return owner.id === found.id;
  return !owner.isAbsent;
};

/** Whether a full profile shows that the handle has a new owner, to whom nothing recorded before belongs. */
export const isTakenOver = (owner: Owner, found: { readonly id: string | null }): boolean =>
  owner.isSeen && !isSameOwner(owner, found);

/** The owner after an event; the same object if the event says nothing of it. */
export const evolveOwner = (owner: Owner, event: AccountEvent): Owner => {
  switch (event.type) {
    case 'AccountSighted': {
      const { id } = event.data.profile;
      // A surface that hides the ID does not make it unknown.
      return { id: id ?? (isSameOwner(owner, { id }) ? owner.id : null), isSeen: true, isAbsent: false };
    }
    case 'AccountUnchanged':
      return owner.isAbsent ? { ...owner, isAbsent: false } : owner;
    case 'AccountUnavailable':
      // A suspended or deactivated account keeps its handle.
      return { ...owner, isAbsent: event.data.status === 'absent' };
    case 'PostsSighted':
      return owner;
  }
};
