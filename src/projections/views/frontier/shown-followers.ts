import type { AccountEventData } from '../../../write/accounts/events.ts';
import type { Shown } from './refresh.ts';

type Followers = Pick<Shown, 'isAvailable' | 'followers'>;

export const UNAVAILABLE: Followers = { isAvailable: false, followers: null };

/**
 * Followers that a reading showed, not those that are kept from earlier ones.
 * @param before followers shown last.
 */
export const shownBySighting = (
  { profile, kept }: AccountEventData['AccountSighted'],
  before: number | null,
): Followers => {
  // Older events do not say what they kept: an equal number may be an old one.
  const isKept = kept === null ? profile.followers === before : kept?.followers !== undefined;
  return { isAvailable: true, followers: isKept ? null : profile.followers };
};

/** As `shownBySighting`, of a reading that moved few values. */
export const shownUnchanged = (
  { moved, kept }: AccountEventData['AccountUnchanged'],
  before: number | null,
): Followers => {
  if (moved.followers !== undefined) return { isAvailable: true, followers: moved.followers };
  const isKept = kept === null || kept?.followers !== undefined;
  return { isAvailable: true, followers: isKept ? null : before };
};
