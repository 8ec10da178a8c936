/**
 * `npm run measure:attacks`: how far invented sales move the middle of a valuation, at worst, by one who knows the
 * method and has as many sellers and days as he likes.
 */

import { parseArgs } from 'node:util';
import { quantileSorted } from 'simple-statistics';
import { type Comparable, fitPrices, type PriceLaw, valueAccount } from '../../src/analysis/market.ts';
import { PLATFORMS } from '../simulator/simulated-platforms.ts';
import { DEFAULT_PARAMETERS, type Parameters } from '../simulator/world/parameters.ts';
import { createWorld } from '../simulator/world/world.ts';
import { knownSales } from './market.ts';
import { AT } from './observed.ts';

/** Accounts of a world whose market has as many sales of each platform. */
const SIZE = 120_000;
/** Sales of a platform, invented ones included. */
const SALES = 210;
/** How many of them are invented. */
const INVENTED = [10, 40] as const;
/** Deviations of prices by which all invented ones are above or below the law. */
const DISTANCES = [0.5, 1, 1.5, 2, 3, 4, 8] as const;
/** Sizes of the accounts that are valued, as shares of those that were sold. */
const VALUED = [0.05, 0.25, 0.5, 0.75, 0.95] as const;

/** Which accounts the invented sales are of: those that others sell, the largest, the smallest, and one larger than any. */
const PLACES: readonly ((bySize: readonly Comparable[], n: number) => Comparable)[] = [
  (bySize, n) => bySize[(n * 7) % bySize.length] as Comparable,
  (bySize, n) => bySize.at(-1 - (n % 5)) as Comparable,
  (bySize, n) => bySize[n % 5] as Comparable,
  (bySize, n) => {
    const largest = bySize.at(-1) as Comparable;
    return { ...(bySize[n % bySize.length] as Comparable), followers: 100 * largest.followers };
  },
];

interface Moved {
  readonly invented: number;
  readonly distance: number;
  /** |ln| by which the middle moves: of the account in the middle by size, and of the one that moves most. */
  readonly usual: number;
  readonly worst: number;
}

const lnMidOf = (law: PriceLaw | null, account: Comparable): number => {
  const value = law === null ? null : valueAccount(law, account);
  if (value === null) throw new Error('too few sales for a value');
  return Math.log(value.mid);
};

/** The worst choice of accounts and side, for each platform, number and distance. */
export const measureAttacks = (sales: readonly Comparable[], noise: number): readonly Moved[] =>
  PLATFORMS.flatMap((platform) => {
    const own = sales.filter((sale) => sale.platform === platform);
    const others = sales.filter((sale) => sale.platform !== platform);
    return INVENTED.flatMap((invented) => {
      const honest = own.slice(-(SALES - invented));
      const bySize = honest.toSorted((a, b) => a.followers - b.followers);
      const targets = VALUED.map((share) => bySize[Math.floor(share * bySize.length)] as Comparable);
      const law = fitPrices([...others, ...honest]);
      return DISTANCES.map((distance): Moved => {
        const moves = PLACES.flatMap((place) =>
          [-1, 1].map((side) => {
            const fakes = Array.from({ length: invented }, (_, n): Comparable => {
              const account = place(bySize, n);
              return { ...account, price: Math.exp(lnMidOf(law, account) + side * distance * noise) };
            });
            const attacked = fitPrices([...others, ...honest, ...fakes]);
            return targets.map((target) => Math.abs(lnMidOf(attacked, target) - lnMidOf(law, target)));
          }),
        );
        return {
          invented,
          distance,
          usual: Math.max(...moves.map((of) => of[VALUED.indexOf(0.5)] as number)),
          worst: Math.max(...moves.flat()),
        };
      });
    });
  });

const percent = (ln: number): string => `${(100 * Math.expm1(ln)).toFixed(1)} %`;

const main = (): void => {
  const { values } = parseArgs({
    strict: false,
    options: { seeds: { type: 'string' }, 'first-seed': { type: 'string' } },
  });
  const [seeds, first] = [Number(values.seeds ?? 5), Number(values['first-seed'] ?? 7_001)];
  const parameters: Parameters = DEFAULT_PARAMETERS;
  const found = Array.from({ length: seeds }, (_, n) => first + n).flatMap((seed) => {
    const world = createWorld({ seed, size: SIZE, parameters, clock: { now: () => AT } });
    return measureAttacks(knownSales(world, SALES), parameters.market.noise);
  });
  for (const invented of INVENTED)
    for (const distance of DISTANCES) {
      const own = found.filter((one) => one.invented === invented && one.distance === distance);
      const line = (of: 'usual' | 'worst') => {
        const sorted = own.map((one) => one[of]).sort((a, b) => a - b);
        return [0.5, 0.05, 0.95].map((share) => percent(quantileSorted(sorted, share)));
      };
      const [[middle, low, high], [worst, , most]] = [line('usual'), line('worst')];
      console.log(
        `${invented} of ${SALES}, ${distance} deviations: ${middle} (${low} to ${high}); of the account that moves most ${worst}, at most ${most}`,
      );
    }
};

if (import.meta.main) main();
