import type { AccountEventData } from '../../../write/accounts/events.ts';

/** Followers that a conclusive reading showed; null if it showed none, as a kept value is no observation. */
export type FollowersShown = number | null | typeof UNAVAILABLE;

/** Of a reading that found the account to be unavailable. */
export const UNAVAILABLE = 'unavailable';

/** Followers that a reading showed, not those that are kept from earlier ones. */
export const shownBySighting = ({ profile, kept }: AccountEventData['AccountSighted']): FollowersShown =>
  kept?.followers === undefined ? profile.followers : null;

/**
 * As `shownBySighting`, of a reading that moved few values.
 * @param before followers shown last.
 */
export const shownUnchanged = (
  { moved, kept }: AccountEventData['AccountUnchanged'],
  before: number | null,
): FollowersShown => {
  if (moved.followers !== undefined) return moved.followers;
  return kept?.followers === undefined ? before : null;
};
