import { normal } from './draws.ts';
import { mix, unit } from './hash.ts';
import type { Parameters } from './parameters.ts';

/** What an observer sees of a follower. */
export interface Observed {
  /** Age at the anchor of growth as a share of the time that the platform is open, as a normal quantile. */
  readonly age: number;
  /** ln of one more than the count. */
  readonly followers: number;
  readonly following: number;
  readonly hasAvatar: boolean;
  readonly hasBio: boolean;
}

/** Mean and deviation of numbers, and shares of flags, of accounts that are not suspicious. */
const USUAL = {
  age: [0.5, 1],
  followers: [5, 1.8],
  following: [5.5, 1.2],
  avatar: 0.95,
  bio: 0.8,
} as const;

/**
 * Kinds of bots: how many there are, deviations between them and other accounts at distance 1, and ln of their posts. Those that
 * were labelled on X in 2017 are younger, have fewer followers, follow fewer and have hardly fewer posts, with few or very
 * many of each: feeds that follow nobody, accounts that are sold as followers, and those that follow to be followed.
 */
const BOTS = {
  feed: { share: 0.4, age: -1.2, followers: -0.5, following: -2.6, avatar: 0.95, bio: 0.85, posts: [5, 2.2] },
  sold: { share: 0.45, age: -1.3, followers: -2, following: 0.5, avatar: 0.68, bio: 0.42, posts: [0.8, 1] },
  spam: { share: 0.15, age: -1, followers: -0.5, following: 1.2, avatar: 0.9, bio: 0.75, posts: [4.5, 1.6] },
} as const;

type Bot = (typeof BOTS)[keyof typeof BOTS];

const ALL_BOTS: readonly Bot[] = Object.values(BOTS);

const NUMBERS = ['age', 'followers', 'following'] as const;

const botOf = (key: number): Bot => {
  const draw = unit(key, 239);
  return draw < BOTS.feed.share
    ? BOTS.feed
    : draw < BOTS.feed.share + BOTS.sold.share
      ? BOTS.sold
      : BOTS.spam;
};

const drawn = (key: number, bot: Bot | null, distance: number): Observed => {
  const [age, followers, following] = NUMBERS.map((name, n) => {
    const [mean, sigma] = USUAL[name];
    return mean + sigma * (normal(key, 241 + n) + (bot === null ? 0 : distance * bot[name]));
  }) as [number, number, number];
  const { avatar, bio } = bot ?? USUAL;
  return { age, followers, following, hasAvatar: unit(key, 244) < avatar, hasBio: unit(key, 245) < bio };
};

const flag = (has: boolean, share: number): number => (has ? share : 1 - share);

/** Density of bots without disguise by that of all others. */
const ratioOf = (seen: Observed, distance: number): number =>
  ALL_BOTS.reduce((sum, bot) => {
    const apart = NUMBERS.reduce((ln, name) => {
      const [mean, sigma] = USUAL[name];
      const by = distance * bot[name];
      return ln + by * ((seen[name] - mean) / sigma) - by ** 2 / 2;
    }, 0);
    const flags =
      (flag(seen.hasAvatar, bot.avatar) / flag(seen.hasAvatar, USUAL.avatar)) *
      (flag(seen.hasBio, bot.bio) / flag(seen.hasBio, USUAL.bio));
    return sum + bot.share * Math.exp(apart) * flags;
  }, 0);

/** Accounts of either kind that the area is measured with. */
const MEASURED = 1_500;

/** Area under the ROC curve of the density ratio at a distance. */
const areaAt = (distance: number): number => {
  const ratios = (isBot: boolean) =>
    Float64Array.from({ length: MEASURED }, (_, n) => {
      const key = mix(MEASURED, 2 * n + Number(isBot));
      return ratioOf(drawn(key, isBot ? botOf(key) : null, distance), distance);
    }).sort();
  const [bots, others] = [ratios(true), ratios(false)];
  let [below, area] = [0, 0];
  for (const bot of bots) {
    while (below < MEASURED && (others[below] as number) < bot) below += 1;
    area += below;
  }
  return area / MEASURED ** 2;
};

const distances = new Map<number, number>();

/** The distance at which the area is as large. */
const distanceFor = (area: number): number => {
  const known = distances.get(area);
  if (known !== undefined) return known;
  let [low, high] = [0.01, 5];
  for (let n = 0; n < 16; n++) {
    const middle = (low + high) / 2;
    if (areaAt(middle) < area) low = middle;
    else high = middle;
  }
  distances.set(area, low);
  return low;
};

export interface Observables {
  draw(key: number, suspicious: boolean): Observed;
  /** Mean and deviation of ln of the posts of a suspicious account; null in perfect disguise. */
  postsOf(key: number): readonly [number, number] | null;
  /** ln of the density of suspicious followers by that of all others, in what is observed: posts are not. */
  logRatio(observed: Observed): number;
}

/**
 * Densities of what is seen of followers: age, followers and following are normal for those that are not suspicious, and a mixture of
 * kinds of bots for the others, at a distance that gives the density ratio the area under the ROC curve of the parameters,
 * those in perfect disguise included.
 */
export const createObservables = ({ audience }: Parameters): Observables => {
  const { auc, disguised } = audience;
  const distance = distanceFor(Math.min(0.9985, (auc - disguised / 2) / (1 - disguised)));
  const shownAs = (key: number): Bot | null => (unit(key, 240) < disguised ? null : botOf(key));
  return {
    draw: (key, suspicious) => drawn(key, suspicious ? shownAs(key) : null, distance),
    postsOf: (key) => shownAs(key)?.posts ?? null,
    logRatio: (observed) => Math.log((1 - disguised) * ratioOf(observed, distance) + disguised),
  };
};
