import { DAY } from './account.ts';
import { marksIn } from './draws.ts';
import { mix, unit } from './hash.ts';
import type { Parameters } from './parameters.ts';

const YEAR = 365 * DAY;
const EPOCH = Date.UTC(2000, 0, 1);

/** Share of an account's changes that are of each field. */
const FIELDS = { name: 0.25, bio: 0.45, avatar: 0.3 } as const;
export type ChangingField = keyof typeof FIELDS;
const SALTS: Readonly<Record<ChangingField, number>> = { name: 31, bio: 32, avatar: 33 };

export interface ProfileChanges {
  /** Mean interval between changes, in milliseconds: of an account, or of all accounts of a person. */
  intervalOf(pace: number): number;
  /**
   * A number that is another one after each change of the field.
   * @param pace what the interval is drawn from; by default the key.
   */
  versionOf(key: number, field: ChangingField, at: number, pace?: number): number;
  /** Changes of a field in (from, to], ascending. */
  between(key: number, field: ChangingField, from: number, to: number, pace?: number): readonly number[];
}

/**
 * Changes as a Poisson process by account (Cho and Garcia-Molina 2003), with mean intervals that are Weibull over
 * accounts. The scale is such that the given share changes neither name nor bio in a year.
 */
export const createProfileChanges = ({ profiles }: Parameters): ProfileChanges => {
  const shape = Math.log10(Math.log(0.01) / Math.log(0.99)) / profiles.decades;
  const quantile = (u: number) => (-Math.log(1 - Math.min(0.9999, Math.max(0.002, u)))) ** (1 / shape);
  const unchanged = (scale: number): number => {
    let sum = 0;
    for (let n = 0; n < 400; n++)
      sum += Math.exp(-(FIELDS.name + FIELDS.bio) / (scale * quantile((n + 0.5) / 400)));
    return sum / 400;
  };
  let [low, high] = [0.01, 100];
  for (let n = 0; n < 50; n++) {
    const middle = Math.sqrt(low * high);
    if (unchanged(middle) < profiles.unchanged) low = middle;
    else high = middle;
  }
  const scale = low * YEAR;
  const intervalOf = (key: number) => scale * quantile(unit(key, 38));

  const inBlock = (own: number, block: number, length: number): number[] =>
    Array.from(
      { length: marksIn(own, block, 1) },
      (_, n) => EPOCH + (block + unit(own, block * 8 + 2 + n)) * length,
    ).sort((a, b) => a - b);

  return {
    intervalOf,
    versionOf: (key, field, at, pace = key) => {
      const own = mix(key, SALTS[field]);
      const length = intervalOf(pace) / FIELDS[field];
      // The last change before now; blocks without one are rarely many in a row.
      for (let block = Math.floor((at - EPOCH) / length); block >= 0; block--) {
        let [last, latest] = [-1, -1];
        for (let n = marksIn(own, block, 1) - 1; n >= 0; n--) {
          const offset = unit(own, block * 8 + 2 + n);
          if (offset > latest && EPOCH + (block + offset) * length <= at) [last, latest] = [n, offset];
        }
        if (last >= 0) return mix(mix(own, block), last);
      }
      return own;
    },
    between: (key, field, from, to, pace = key) => {
      const own = mix(key, SALTS[field]);
      const length = intervalOf(pace) / FIELDS[field];
      const times: number[] = [];
      for (
        let block = Math.floor((from - EPOCH) / length);
        block <= Math.floor((to - EPOCH) / length);
        block++
      ) {
        for (const time of inBlock(own, block, length)) if (time > from && time <= to) times.push(time);
      }
      return times;
    },
  };
};
