import { isoOf } from '../../../src/kernel/clock.ts';
import { PLATFORMS, type Platform } from '../simulated-platforms.ts';
import { DAY } from '../world/account.ts';
import { WEEK } from '../world/growth.ts';
import type { AccountRef } from '../world/people.ts';
import type { World } from '../world/world.ts';

const instant = (ms: number): string | null => (Number.isFinite(ms) ? isoOf(ms) : null);
/** Six significant digits are plenty for a parameter. */
const rounded = (value: number): number => Number(value.toPrecision(6));

const refOf = (world: World, ref: AccountRef | null, at: number) =>
  ref && { platform: ref.platform, index: ref.index, handle: world.handleOf(ref.platform, ref.index, at) };

/** An account with its hidden parameters. */
export const accountTruth = (world: World, platform: Platform, index: number, at: number) => {
  const account = world.account(platform, index, at);
  const { hidden } = world;
  const own = hidden.traits(platform, index);
  const isCompany = index >= world.size;
  return {
    platform,
    index,
    id: account.id,
    handle: account.handle,
    kind: account.kind,
    status: account.status,
    display_name: account.displayName,
    name: isCompany ? account.displayName : hidden.name(platform, index),
    bio: account.bio,
    links: account.links,
    created_at: isoOf(account.createdAt),
    followers: account.followers,
    followers_exact: isCompany ? account.followers : rounded(hidden.followers(platform, index, at)),
    following: account.following,
    posts: account.posts,
    verified: account.verified,
    language: account.language,
    utc_offset_h: own.zone,
    dormant_from: instant(own.dormantFrom),
    posts_a_week: rounded(own.rate),
    volatility: rounded(own.volatility),
    trend_a_day: rounded(own.trend),
    size: rounded(own.size),
    engagement: {
      rate: rounded(own.engagement.rate),
      comments_per_like: rounded(own.engagement.commentsPerLike),
      reposts_per_like: rounded(own.engagement.repostsPerLike),
      views_per_like: rounded(own.engagement.viewsPerLike),
    },
    ...(isCompany
      ? { audience: null, role: null, person: null, subject: null, community: null, ban: null }
      : {
          audience: hidden.audience(platform, index),
          role: own.role,
          person: own.member ? index : null,
          subject: refOf(world, hidden.subject(platform, index), at),
          community: hidden.communities.of(index).number,
          ban: banOf(world, platform, index, at),
        }),
  };
};

const banOf = (world: World, platform: Platform, index: number, at: number) => {
  const ban = world.hidden.ban(platform, index, at);
  return ban && { kind: ban.kind, from: isoOf(ban.from), to: isoOf(ban.to), fall: rounded(ban.fall) };
};

/** An active ban, or a fall of engagement without one; null if neither. */
export const banTruth = (world: World, platform: Platform, index: number, at: number) => {
  const ban = banOf(world, platform, index, at);
  return ban && { platform, index, handle: world.handleOf(platform, index, at), ...ban };
};

/** What the engagement of an account depends on. */
export const effectsTruth = (world: World, platform: Platform, index: number, at: number) => {
  const { effects, zone } = world.hidden.traits(platform, index);
  const { timing } = effects;
  return {
    platform,
    index,
    handle: world.handleOf(platform, index, at),
    utc_offset_h: zone,
    timing: timing && {
      weekday: Math.floor(timing.bestCell / 24) + 1,
      hour: timing.bestCell % 24,
      factor: rounded(timing.best),
    },
    factors: effects.factor,
    confounded: effects.confounded,
    frequency: effects.frequency,
  };
};

const YEAR = 365 * DAY;

/** What changes in an account’s life, in the year until a time. */
export const changesTruth = (world: World, platform: Platform, index: number, at: number) => {
  const { changes, evidence, lifecycle, naming } = world.hidden;
  const { key, createdAt } = world.hidden.traits(platform, index);
  const times = (list: readonly number[]) => list.map(isoOf);
  return {
    platform,
    index,
    mean_interval_days: rounded(changes.intervalOf(evidence.paceOf(platform, index)) / DAY),
    name: times(evidence.changesOf(platform, index, 'name', at - YEAR, at)),
    bio: times(evidence.changesOf(platform, index, 'bio', at - YEAR, at)),
    avatar: times(evidence.changesOf(platform, index, 'avatar', at - YEAR, at)),
    renames: times(naming.renamesOf(platform, index, at)),
    takeovers: naming.takeovers(platform, index, at).map(({ generation, leftAt, takenAt, impersonates }) => ({
      handle: naming.handleAt(platform, index, generation),
      left_at: isoOf(leftAt),
      taken_at: isoOf(takenAt),
      impersonates,
    })),
    ends: lifecycle
      .spellsOf(key, createdAt)
      .map(({ status, from, to }) => ({ status, from: isoOf(from), to: instant(to) })),
    switches_privacy: lifecycle.isSwitching(platform, key),
  };
};

/** Followers of an account, before rounding, at instants a week apart that end at a time. */
export const seriesTruth = (world: World, platform: Platform, index: number, at: number, weeks: number) => ({
  platform,
  index,
  weekly: Array.from({ length: weeks }, (_, n) =>
    rounded10(world.hidden.followers(platform, index, at - (weeks - 1 - n) * WEEK)),
  ),
});

const rounded10 = (value: number): number => Number(value.toPrecision(10));

/** A person and all accounts of it. */
export const personTruth = (world: World, index: number, at: number) => {
  const { people } = world.hidden;
  return {
    person: index,
    named_as: people.namedAs(index),
    page: world.hidden.personPage(index),
    /** Another person to whom an account links that is linked back; null if there is none. */
    tied_to: people.tieOf(index),
    tied_on: people.tiedOn(index),
    accounts: people.membershipsOf(index).map((platform) => ({
      platform,
      index,
      id: world.account(platform, index, at).id,
      handle: world.handleOf(platform, index, at),
      handle_form: people.formOf(platform, index),
      name: world.hidden.name(platform, index),
      links_to: people.linkedFrom(platform, index),
      links_page: people.hasPage(platform, index),
    })),
    /** Accounts of the same number on other platforms, of other people. */
    strangers: PLATFORMS.filter((platform) => !people.isMember(platform, index)).map((platform) => ({
      platform,
      index,
      handle: world.handleOf(platform, index, at),
      handle_form: people.formOf(platform, index),
      role: people.roleOf(platform, index),
      tactic: people.roleOf(platform, index) === 'adaptive' ? people.tacticOf(platform, index) : null,
    })),
  };
};
