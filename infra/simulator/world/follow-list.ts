/** True state of a follower: suspicious accounts are operated by bots, inactive ones are abandoned. */
export type FollowKind = 'genuine' | 'suspicious' | 'inactive';

/** An entry of a list of followers or of followed accounts, with what a page of it shows. */
export interface FollowMember {
  readonly id: string;
  readonly handle: string;
  readonly displayName: string;
  /** Number of the account; outsiders have numbers from `count(platform)` on. */
  readonly index: number;
  /** Whether the account is one of the population. */
  readonly resident: boolean;
  readonly createdAt: number;
  readonly followers: number;
  readonly following: number;
  readonly posts: number;
  readonly hasAvatar: boolean;
  readonly bio: string;
  readonly kind: FollowKind;
  /** Number of the campaign that the follower was bought in; null if it was not. */
  readonly campaign: number | null;
}

export interface FollowList {
  /** Equals the count that the account's profile shows. */
  readonly total: number;
  /** Members `from` (0 is the newest) to `from + limit - 1`, or to the end of the list. */
  page(from: number, limit: number): readonly FollowMember[];
}
