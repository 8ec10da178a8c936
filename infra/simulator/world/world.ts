import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import type { Platform } from '../simulated-platforms.ts';
import { createBans } from './bans.ts';
import { createCommunities } from './communities.ts';
import { createEngagement } from './engagement.ts';
import { createFollows } from './follows.ts';
import { createGraph } from './graph.ts';
import { createGrowth } from './growth.ts';
import { MAX_OUTSIDERS, MAX_SIZE } from './handle-types.ts';
import { createHandles } from './handles.ts';
import { unit } from './hash.ts';
import { keyOf } from './identity.ts';
import { createdAtOf, createLifecycle, posedAt } from './lifecycle.ts';
import { createCompanies, MAX_COMPANIES } from './linkedin/companies.ts';
import { companyFacts, companyOf } from './linkedin/company.ts';
import { titleOf } from './linkedin/titles.ts';
import { mentionOf } from './links.ts';
import { createLookup } from './lookup.ts';
import { createMarket } from './market.ts';
import { createNaming } from './naming.ts';
import { createNativeIds, residentNumber } from './native-ids.ts';
import { createObservables } from './observables.ts';
import { createOutsiders, isTaker } from './outsiders.ts';
import { createPages } from './pages.ts';
import { separatedShare } from './parameters/shares.ts';
import { DEFAULT_PARAMETERS, hashOf, type Parameters } from './parameters.ts';
import { createPeople } from './people.ts';
import { createPostingTimes } from './posting-times.ts';
import { createPosts } from './posts.ts';
import { createProfileChanges } from './profile-changes.ts';
import { createResidents } from './residents.ts';
import { createSizes } from './sizes.ts';
import { createTakers } from './takers.ts';
import { createTimelines } from './timelines.ts';
import { createTraits, type Traits } from './traits.ts';
import type { World } from './world-types.ts';

export type { World };

export interface WorldOptions {
  readonly seed: number;
  readonly size: number;
  readonly clock?: Clock;
  readonly parameters?: Parameters;
}

/**
 * A computed population without storage: everything is a function of parameters, seed, platform, index and time.
 * @throws {RangeError} unless the size is a whole number from 1 to 2^24 - 2^20.
 */
export const createWorld = ({
  seed,
  size,
  clock = systemClock,
  parameters = DEFAULT_PARAMETERS,
}: WorldOptions): World => {
  if (!Number.isInteger(size) || size < 1 || size > MAX_SIZE - MAX_COMPANIES) {
    throw new RangeError(`size is ${size}; allowed: whole numbers from 1 to ${MAX_SIZE - MAX_COMPANIES}`);
  }
  const people = createPeople(seed, size, parameters);
  const handles = createHandles(seed, {
    separated: separatedShare(parameters),
    namesakes: parameters.names.sameHandle,
    isTaken: (platform, { form, number, separated }) =>
      number < size &&
      people.formOf(platform, number) === form &&
      people.isSeparated(platform, number) === separated,
  });
  const pages = createPages(seed, size, handles);
  const ids = createNativeIds(seed);
  const companies = createCompanies(seed);
  const companyCount = Math.min(MAX_COMPANIES, Math.ceil(size / 8));
  const communities = createCommunities(seed, size, parameters);
  const growth = createGrowth(seed, parameters, createSizes(parameters));
  const lifecycle = createLifecycle(parameters);
  const changes = createProfileChanges(parameters);
  const engagement = createEngagement(parameters);
  const times = createPostingTimes(parameters);
  const bans = createBans(parameters);
  const graph = createGraph(seed, size, communities, parameters);
  const observables = createObservables(parameters);
  const outsiders = createOutsiders(seed, parameters, observables, handles, ids, engagement, times);
  const createdAt = (platform: Platform, index: number, key = keyOf(seed, platform, index)): number =>
    (index < size ? communities.joinedWith(platform, index, key) : null) ??
    (isNewPoser(platform, index) ? posedAt(key) : createdAtOf(platform, key));
  /** Whether it deceives with a young account. */
  const isNewPoser = (platform: Platform, index: number): boolean =>
    index < size &&
    people.isPoser(platform, index) &&
    unit(keyOf(seed, platform, index), 53) >= parameters.adversaries.oldPosers;
  const residentTraits = createTraits({
    seed,
    parameters,
    engagement,
    isMember: (platform, index) => index < size && people.isMember(platform, index),
    roleOf: (platform, index) => (index < size ? people.roleOf(platform, index) : null),
    createdAt,
    isNewPoser,
    paceOf: times.paceOf,
  });

  const count = (platform: Platform) => (platform === 'linkedin' ? size + companyCount : size);
  const company = (index: number, at: number) =>
    companyOf(
      index,
      keyOf(seed, 'linkedin', index),
      companies.slug(index - size),
      (createdAt) => ids.encode('linkedin', residentNumber(index), createdAt),
      at,
      growth,
    );

  const traits = (platform: Platform, index: number): Traits => {
    if (index >= count(platform)) return outsiders.traits(platform, index - count(platform), index);
    const own = residentTraits(platform, index);
    if (index < size) return own;
    const { createdAt: founded } = company(index, 0);
    return { ...own, kind: 'company', createdAt: founded, pace: times.paceOf(own.key, own.zone, founded) };
  };

  const naming = createNaming({
    seed,
    size,
    parameters,
    handles,
    people,
    lifecycle,
    createdAt,
  });

  const posts = createPosts({
    parameters,
    times,
    growth,
    engagement,
    bans,
    graph: {
      mentions: ({ platform, index }, postKey) =>
        index < size ? graph.inPost(platform, index, postKey) : [],
      acquaintance: ({ platform, index }, draw) =>
        traits(platform, graph.acquaintance(platform, index % size, draw)),
      acquaintedWith: ({ platform, index }) =>
        index < size ? graph.acquaintedWith(platform, index).map((other) => traits(platform, other)) : [],
      isOutsider: ({ platform, index }) => index >= count(platform),
      name: (platform, index, at) => mentionOf(platform, residents.handleNow(platform, index, at)),
      existed: (platform, index, at) => createdAt(platform, index) <= at,
    },
  });

  const residents = createResidents({
    seed,
    size,
    parameters,
    handles,
    ids,
    companies,
    companyCount,
    people,
    naming,
    lifecycle,
    changes,
    growth,
    graph,
    pages,
    traits,
    createdAt,
    postCount: posts.count,
  });
  const takers = createTakers({ seed, size, naming, handles, ids, resident: residents.account });

  const account: World['account'] = (platform, index, at = clock.now()) => {
    const number = index - count(platform);
    if (!Number.isInteger(index) || index < 0 || number >= MAX_OUTSIDERS)
      throw new RangeError(`${platform} has no account ${index}`);
    if (number >= 0) {
      if (isTaker(number)) return takers.account(platform, number, index, at);
      const own = outsiders.traits(platform, number, index);
      return outsiders.account(own, number, posts.count(own, at));
    }
    if (index < size) return residents.account(platform, index, at);
    return { ...company(index, at), posts: posts.count(traits(platform, index), at) };
  };

  const handleOf: World['handleOf'] = (platform, index, at = clock.now()) => {
    if (index < size) return residents.handleNow(platform, index, at);
    if (index < count(platform)) return `company:${companies.slug(index - size)}`;
    return account(platform, index, at).handle;
  };

  const { find, findById, findAuthor, current } = createLookup({
    size,
    clock,
    companies,
    companyCount,
    handles,
    ids,
    naming,
    takers,
    count,
    account,
    idOf: (platform, index) => {
      const { createdAt: born } = traits(platform, index);
      return ids.encode(platform, residentNumber(index), born);
    },
  });

  const isTakerIndex = (platform: Platform, index: number) =>
    index >= count(platform) && isTaker(index - count(platform));
  const timelines = createTimelines({ posts, traits, isTaker: isTakerIndex });

  const follows = createFollows({
    parameters,
    graph,
    communities,
    growth,
    outsiders,
    count,
    traits,
    account,
    statusAt: (platform, index, at) => {
      const key = keyOf(seed, platform, index);
      return lifecycle.statusAt(platform, key, createdAt(platform, index, key), at);
    },
    size,
  });

  const market = createMarket({
    seed,
    size,
    parameters,
    followers: (platform, index, at) => growth.at(platform, traits(platform, index), at),
    createdAt,
    engagement: (platform, index) => {
      const { size: followers, engagement: own } = traits(platform, index);
      return own.rate / engagement.medianRate(platform, followers);
    },
    views: (platform, index, at) => {
      const own = traits(platform, index);
      const reactions = growth.at(platform, own, at) * own.engagement.rate;
      return platform === 'telegram' ? reactions : reactions * own.engagement.viewsPerLike;
    },
  });

  return {
    seed,
    size,
    clock,
    parameters,
    hash: hashOf(parameters),
    count,
    account,
    handleOf,
    find,
    findById,
    findAuthor,
    current,
    ...timelines,
    followers: (platform, index, at = clock.now()) => follows.followers(platform, index, at),
    following: (platform, index, at = clock.now()) => follows.following(platform, index, at),
    market,
    hidden: {
      traits,
      audience: follows.audienceOf,
      ban: (platform, index, at) => bans.at(keyOf(seed, platform, index), at),
      causes: (platform, index, n) => posts.causes(traits(platform, index), n),
      repliesTo: (platform, index, n, at) => posts.repliesTo(traits(platform, index), n, at),
      followers: (platform, index, at) => growth.at(platform, traits(platform, index), at),
      subject: (platform, index) => residents.subjectOf(platform, index, traits(platform, index).role),
      name: residents.nameOf,
      employer: residents.employerOf,
      title: (index) => {
        const { key, language } = traits('linkedin', index);
        return titleOf(key, language);
      },
      company: (index) => companyFacts(keyOf(seed, 'linkedin', index), companies.slug(index - size)),
      follows: follows.residentsFollowed,
      personPage: pages.ofPerson,
      pages,
      evidence: residents.evidence,
      elsewhere: (platform, index) => {
        const number = index - count(platform);
        if (number < 0 || isTaker(number)) return [];
        return outsiders
          .elsewhere(platform, number)
          .map((one) => ({ platform: one.platform, index: count(one.platform) + one.number }));
      },
      people,
      naming,
      lifecycle,
      changes,
      communities,
      growth,
      observables,
    },
  };
};
