import { normalTail } from '../../../src/kernel/distributions.ts';
import { normal } from './draws.ts';
import { unit } from './hash.ts';
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

const AGE = { mean: 0.5, sigma: 1 };
const FOLLOWERS = { mean: 5, sigma: 1.8 };
const FOLLOWING = { mean: 5.5, sigma: 1.2 };
/** Shares of genuine and of suspicious followers. */
const AVATAR = { genuine: 0.95, suspicious: 0.75 };
const BIO = { genuine: 0.8, suspicious: 0.5 };

const flag = (has: boolean, share: number): number => (has ? share : 1 - share);

/** Area under the ROC curve when the three numbers together are `distance` deviations apart. */
const areaAt = (distance: number): number => {
  const cells = [true, false].flatMap((avatar) =>
    [true, false].map((bio) => {
      const suspicious = flag(avatar, AVATAR.suspicious) * flag(bio, BIO.suspicious);
      const genuine = flag(avatar, AVATAR.genuine) * flag(bio, BIO.genuine);
      return { suspicious, genuine, ratio: Math.log(suspicious / genuine) };
    }),
  );
  let area = 0;
  for (const bot of cells)
    for (const other of cells) {
      const lead = (distance ** 2 + bot.ratio - other.ratio) / (Math.SQRT2 * distance);
      area += bot.suspicious * other.genuine * normalTail(-lead);
    }
  return area;
};

export interface Observables {
  draw(key: number, suspicious: boolean): Observed;
  /** ln of the density of suspicious followers by that of all others: what the best classifier knows. */
  logRatio(observed: Observed): number;
}

/**
 * Densities of what is seen of followers: normal in age, followers and following, with a distance between suspicious
 * and other ones that gives the best classifier the area under the ROC curve of the parameters, those in perfect
 * disguise included.
 */
export const createObservables = ({ audience }: Parameters): Observables => {
  const { auc, disguised } = audience;
  const aim = Math.min(0.9985, (auc - disguised / 2) / (1 - disguised));
  let [low, high] = [0.01, 8];
  for (let n = 0; n < 60; n++) {
    const middle = (low + high) / 2;
    if (areaAt(middle) < aim) low = middle;
    else high = middle;
  }
  const shift = low / Math.sqrt(3);
  const term = (value: number, { mean, sigma }: typeof AGE, sign: number): number => {
    const z = (value - mean) / sigma;
    return sign * shift * z - shift ** 2 / 2;
  };
  return {
    draw: (key, suspicious) => {
      const apart = suspicious && unit(key, 240) >= disguised;
      const by = apart ? shift : 0;
      const share = (of: typeof AVATAR) => (apart ? of.suspicious : of.genuine);
      return {
        age: AGE.mean + AGE.sigma * (normal(key, 241) - by),
        followers: FOLLOWERS.mean + FOLLOWERS.sigma * (normal(key, 242) - by),
        following: FOLLOWING.mean + FOLLOWING.sigma * (normal(key, 243) + by),
        hasAvatar: unit(key, 244) < share(AVATAR),
        hasBio: unit(key, 245) < share(BIO),
      };
    },
    logRatio: ({ age, followers, following, hasAvatar, hasBio }) => {
      const plain =
        term(age, AGE, -1) +
        term(followers, FOLLOWERS, -1) +
        term(following, FOLLOWING, 1) +
        Math.log(flag(hasAvatar, AVATAR.suspicious) / flag(hasAvatar, AVATAR.genuine)) +
        Math.log(flag(hasBio, BIO.suspicious) / flag(hasBio, BIO.genuine));
      return Math.log((1 - disguised) * Math.exp(plain) + disguised);
    },
  };
};
