import { type Clock, systemClock } from '../../../src/kernel/clock.ts';
import type { Platform } from '../../../src/kernel/platform.ts';
import type { Account, SimPost } from './account.ts';
import type { Audience } from './audience.ts';
import { type Ban, createBans } from './bans.ts';
import { type Communities, createCommunities } from './communities.ts';
import { createEngagement } from './engagement.ts';
import type { FollowList } from './follow-list.ts';
import { createFollows } from './follows.ts';
import { createGraph } from './graph.ts';
import { createGrowth, type Growth } from './growth.ts';
import { createHandles, MAX_OUTSIDERS, MAX_SIZE } from './handles.ts';
import { keyOf } from './identity.ts';
import { createdAtOf, createLifecycle, type Lifecycle } from './lifecycle.ts';
import { createCompanies, MAX_COMPANIES } from './linkedin/companies.ts';
import { type CompanyFacts, companyFacts, companyOf } from './linkedin/company.ts';
import { type Title, titleOf } from './linkedin/titles.ts';
import { mentionOf } from './links.ts';
import { createNaming, type Naming } from './naming.ts';
import { createNativeIds } from './native-ids.ts';
import { createObservables, type Observables } from './observables.ts';
import { createOutsiders, isTaker } from './outsiders.ts';
import { DEFAULT_PARAMETERS, hashOf, type Parameters } from './parameters.ts';
import { type AccountRef, createPeople, type People } from './people.ts';
import { createPostingTimes } from './posting-times.ts';
import { createPosts, type PostCauses } from './posts.ts';
import { createProfileChanges, type ProfileChanges } from './profile-changes.ts';
import { createResidents } from './residents.ts';
import { createTakers, takerNumber } from './takers.ts';
import { createTraits, type Traits } from './traits.ts';

export interface World {
  readonly seed: number;
  /** Personal accounts per platform. */
  readonly size: number;
  readonly clock: Clock;
  readonly parameters: Parameters;
  /** Identifies the parameters. */
  readonly hash: string;
  /** Number of accounts of the population; LinkedIn's companies come after its persons. Outsiders come after them. */
  count(platform: Platform): number;
  /** @throws {RangeError} if there is no such account. */
  account(platform: Platform, index: number, at?: number): Account;
  /** The handle (lower case) at a time. */
  handleOf(platform: Platform, index: number, at?: number): string;
  /** Account that has, had or will have this handle (case-insensitive); null if none. The first of several. */
  find(platform: Platform, handle: string): number | null;
  findById(platform: Platform, id: string): number | null;
  /** The account that has this handle at the time and is not absent; null otherwise. */
  current(platform: Platform, handle: string, at?: number): Account | null;
  /** Newest first, starting at post number `before` - 1. */
  posts(account: Account, at: number, limit: number, before?: number): readonly SimPost[];
  /** Post `n` of an account; null before it is posted. */
  post(platform: Platform, index: number, n: number, at: number): SimPost | null;
  /** The post that the account shows first, whatever its age. */
  pinned(account: Account, at: number): SimPost | null;
  followers(platform: Platform, index: number, at?: number): FollowList;
  following(platform: Platform, index: number, at?: number): FollowList;
  /** What is so and what no surface shows. */
  readonly hidden: Hidden;
}

export interface Hidden {
  traits(platform: Platform, index: number): Traits;
  audience(platform: Platform, index: number): Audience;
  ban(platform: Platform, index: number, at: number): Ban | null;
  causes(platform: Platform, index: number, n: number): PostCauses;
  /** Followers before they are rounded. */
  followers(platform: Platform, index: number, at: number): number;
  /** Whom a role of the account is about. */
  subject(platform: Platform, index: number): AccountRef | null;
  /** The name without ornaments. */
  name(platform: Platform, index: number): string;
  employer(index: number): number;
  title(index: number): Title;
  company(index: number): CompanyFacts;
  /** Residents that an account follows. */
  follows(platform: Platform, index: number): readonly number[];
  personPage(index: number): string;
  readonly people: People;
  readonly naming: Naming;
  readonly lifecycle: Lifecycle;
  readonly changes: ProfileChanges;
  readonly communities: Communities;
  readonly growth: Growth;
  readonly observables: Observables;
}

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
  const handles = createHandles(seed);
  const ids = createNativeIds(seed);
  const companies = createCompanies(seed);
  const companyCount = Math.min(MAX_COMPANIES, Math.ceil(size / 8));
  const communities = createCommunities(seed, size, parameters);
  const people = createPeople(seed, size, parameters);
  const growth = createGrowth(seed, parameters);
  const lifecycle = createLifecycle(parameters);
  const changes = createProfileChanges(parameters);
  const engagement = createEngagement(parameters);
  const times = createPostingTimes(parameters);
  const bans = createBans(parameters);
  const graph = createGraph(seed, size, communities, parameters);
  const observables = createObservables(parameters);
  const outsiders = createOutsiders(seed, parameters, observables, handles, ids, engagement, times);
  const createdAt = (platform: Platform, index: number, key = keyOf(seed, platform, index)): number =>
    (index < size ? communities.joinedWith(platform, index, key) : null) ?? createdAtOf(platform, key);
  const residentTraits = createTraits({
    seed,
    parameters,
    engagement,
    isMember: (platform, index) => index < size && people.isMember(platform, index),
    roleOf: (platform, index) => (index < size ? people.roleOf(platform, index) : null),
    createdAt,
    paceOf: times.paceOf,
  });

  const count = (platform: Platform) => (platform === 'linkedin' ? size + companyCount : size);
  const company = (index: number, at: number) =>
    companyOf(index, keyOf(seed, 'linkedin', index), companies.slug(index - size), at, growth);

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

  const ofCompany = (slug: string): number | null => {
    const number = companies.numberOf(slug);
    return number !== null && number < companyCount ? size + number : null;
  };

  const find: World['find'] = (platform, written) => {
    const handle = written.toLowerCase();
    if (platform === 'linkedin' && handle.startsWith('company:')) return ofCompany(handle.slice(8));
    const resident = naming.residentOf(platform, handle);
    if (resident) return resident.index;
    const parts = handles.decode(platform, handle);
    return parts?.form === 'outsider' && !isTaker(parts.number) ? count(platform) + parts.number : null;
  };

  /** Who has taken the name of an account by a time. */
  const takerOf = (platform: Platform, handle: string, at: number): number | null => {
    const left = naming.residentOf(platform, handle);
    if (!left) return null;
    const taken = naming
      .takeovers(platform, left.index, at)
      .some(({ generation }) => generation === left.generation);
    return taken ? count(platform) + takerNumber(left.index, left.generation) : null;
  };

  const current: World['current'] = (platform, written, at = clock.now()) => {
    const handle = written.toLowerCase();
    const index = find(platform, handle);
    if (index === null) return null;
    const found = account(platform, index, at);
    if (found.handle === handle) return found.status === 'absent' ? null : found;
    const taker = takerOf(platform, handle, at);
    return taker === null ? null : account(platform, taker, at);
  };

  const findById: World['findById'] = (platform, id) => {
    for (const { number, outsider } of ids.decode(platform, id)) {
      if (!outsider && number >= size) continue;
      const index = outsider ? count(platform) + number : number;
      if (outsider && isTaker(number) && takers.takeoverOf(platform, number) === null) continue;
      if (outsider) {
        if (account(platform, index).id === id) return index;
      } else {
        const { key, createdAt } = traits(platform, index);
        if (ids.encode(platform, index, key, createdAt) === id) return index;
      }
    }
    return null;
  };

  const isTakerIndex = (platform: Platform, index: number) =>
    index >= count(platform) && isTaker(index - count(platform));
  const postAt = (own: Traits, n: number, at: number): SimPost => {
    const post = posts.post(own, n, at);
    return posts.pinned(own, at) === n ? { ...post, pinned: true } : post;
  };

  const follows = createFollows({
    parameters,
    graph,
    communities,
    growth,
    outsiders,
    count,
    traits,
    account,
    size,
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
    current,
    posts: (of, at, limit, before = of.posts) => {
      if (isTakerIndex(of.platform, of.index)) return [];
      const from = Math.min(before, of.posts);
      const own = traits(of.platform, of.index);
      return Array.from({ length: Math.max(0, Math.min(limit, from)) }, (_, n) =>
        postAt(own, from - 1 - n, at),
      );
    },
    post: (platform, index, n, at) => {
      if (isTakerIndex(platform, index)) return null;
      const own = traits(platform, index);
      return n >= 0 && n < posts.count(own, at) ? postAt(own, n, at) : null;
    },
    pinned: (of, at) => {
      if (isTakerIndex(of.platform, of.index)) return null;
      const own = traits(of.platform, of.index);
      const n = posts.pinned(own, at);
      return n === null ? null : postAt(own, n, at);
    },
    followers: (platform, index, at = clock.now()) => follows.followers(platform, index, at),
    following: (platform, index, at = clock.now()) => follows.following(platform, index, at),
    hidden: {
      traits,
      audience: follows.audienceOf,
      ban: (platform, index, at) => bans.at(keyOf(seed, platform, index), at),
      causes: (platform, index, n) => posts.causes(traits(platform, index), n),
      followers: (platform, index, at) => growth.at(platform, traits(platform, index), at),
      subject: (platform, index) => residents.subjectOf(platform, index, traits(platform, index).role),
      name: residents.nameOf,
      employer: residents.employerOf,
      title: (index) => {
        const { key, language } = traits('linkedin', index);
        return titleOf(key, language);
      },
      company: (index) => companyFacts(keyOf(seed, 'linkedin', index), companies.slug(index - size)),
      follows: (platform, index) => graph.follows(platform, index, follows.roomOf(platform)),
      personPage: residents.personPage,
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
