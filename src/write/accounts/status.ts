import type { AccountStatus } from './events.ts';

/** What a status says of an account, for every answer that has to do with it. */
export const STATUSES: Readonly<
  Record<AccountStatus, { readonly exists: boolean | null; readonly isShown: boolean }>
> = {
  active: { exists: true, isShown: true },
  private: { exists: true, isShown: true },
  suspended: { exists: true, isShown: false },
  deactivated: { exists: true, isShown: false },
  absent: { exists: false, isShown: false },
  unknown: { exists: null, isShown: false },
};

/** Whether an account was found, and its platform does not show it, or not any more. */
export const isGone = (status: AccountStatus): status is 'suspended' | 'deactivated' | 'absent' =>
  status !== 'unknown' && !STATUSES[status].isShown;

/** Whether a platform has the account, but does not show it. */
export const isHidden = (status: AccountStatus): status is 'suspended' | 'deactivated' =>
  isGone(status) && STATUSES[status].exists === true;
