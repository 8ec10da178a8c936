import type { AccountEventData } from '../../../write/accounts/events.ts';

/** Followers that a conclusive reading showed; null if it showed none, as a kept value is no observation. */
export type FollowersShown = number | null | typeof UNAVAILABLE;

/** Of a reading that found the account to be unavailable. */
export const UNAVAILABLE = 'unavailable';

/**
 * Followers that a reading showed, not those that are kept from earlier ones.
 * @param before followers shown last.
 */
export const shownBySighting = (
  { profile, kept }: AccountEventData['AccountSighted'],
  before: number | null,
): FollowersShown => {
  // Older events do not say what they kept: an equal number may be an old one.
  const isKept = kept === null ? profile.followers === before : kept?.followers !== undefined;
  return isKept ? null : profile.followers;
};

/** As `shownBySighting`, of a reading that moved few values. */
export const shownUnchanged = (
  { moved, kept }: AccountEventData['AccountUnchanged'],
  before: number | null,
): FollowersShown => {
  if (moved.followers !== undefined) return moved.followers;
  const isKept = kept === null || kept?.followers !== undefined;
  return isKept ? null : before;
};
