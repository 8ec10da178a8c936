import type { LabelledFollower } from '../../../src/analysis/audit/model.ts';
import { isoOf } from '../../../src/kernel/clock.ts';
import type { LabelLine } from '../../../src/operations/audit/labels.ts';
import type { FollowMember } from '../../simulator/world/follow-list.ts';
import { mix, unit } from '../../simulator/world/hash.ts';
import type { World } from '../../simulator/world/world.ts';
import { AT } from '../observed.ts';

/** Platforms whose lists are audited, and whether their lists show figures of followers. */
export const AUDITED = { x: true, bluesky: false } as const;

export type AuditedPlatform = keyof typeof AUDITED;

const DAY = 86_400_000;
/** Lists of a labelled sample, and followers of each. */
const LISTS = 100;
const PER_LIST = 40;
const LEAST_FOLLOWERS = 100;

/** What a page of a list shows of a follower. */
export const seenOf = (platform: AuditedPlatform, member: FollowMember) => {
  const figure = (value: number): number | null => (AUDITED[platform] ? value : null);
  return {
    createdMs: member.createdAt,
    ageDays: (AT - member.createdAt) / DAY,
    followers: figure(member.followers),
    following: figure(member.following),
    posts: figure(member.posts),
    hasAvatar: member.hasAvatar,
    hasBio: member.bio !== '',
  };
};

type Labelled = LabelledFollower & { readonly createdMs: number };

/**
 * A labelled sample of the world: so many followers at random of each of so many lists, of accounts from a number on.
 * @returns with the number of the account after the last.
 */
export const labelledSample = (
  world: World,
  platform: AuditedPlatform,
  from: number,
): { readonly labelled: readonly Labelled[]; readonly next: number } => {
  const labelled: Labelled[] = [];
  let index = from;
  for (let lists = 0; lists < LISTS && index < world.size; index++) {
    const account = world.account(platform, index, AT);
    if (account.status !== 'active' || account.followers < LEAST_FOLLOWERS) continue;
    lists += 1;
    const list = world.followers(platform, index, AT);
    const positions = new Set<number>();
    for (let n = 0; positions.size < PER_LIST && n < 2 * PER_LIST; n++)
      positions.add(Math.floor(unit(mix(account.key, 9_101), n) * list.total));
    for (const position of positions)
      for (const member of list.page(position, 1))
        labelled.push({ ...seenOf(platform, member), label: member.kind, list: String(index) });
  }
  return { labelled, next: index };
};

/** A labelled sample as a file for AUDIT_LABELS has it. */
export const labelLines = (platform: AuditedPlatform, labelled: readonly Labelled[]): readonly LabelLine[] =>
  labelled.map((one) => ({
    platform,
    list: one.list,
    label: one.label,
    observed_at: isoOf(AT),
    created_at: isoOf(one.createdMs),
    followers: one.followers,
    following: one.following,
    posts: one.posts,
    has_picture: one.hasAvatar,
    has_bio: one.hasBio,
  }));
