import { exactInterval } from '../../infra/calibrate/coverage.ts';
import { type Goal, goalsFor, progress, type Report } from '../support/targets.ts';
import { coverageOf, FAMILIES } from './simulate.ts';

const BENCH = 'bench:streaks';
const FIRST_SEED = 9_001;
const POSTS = [10, 20, 40, 80, 120, 200] as const;
/** Posts from which an account's own strength shows. */
const SHOWN_FROM = 80;
const COVERAGE_BAR = 0.93;
const [FULL, QUICK] = [2_000, 200];

interface StreaksOptions {
  readonly quick: boolean;
  readonly firstSeed?: number;
}

const percent = (share: number): string => (100 * share).toFixed(1);

/** How often intervals of medians hold the truth where posts depend on one another as the catalog's do, or by a strength of their own. */
export const run = async ({ quick, firstSeed: seed = FIRST_SEED }: StreaksOptions): Promise<Report> => {
  const accounts = quick ? QUICK : FULL;
  const goals: Goal[] = [];
  const rows = FAMILIES.flatMap((family) => {
    progress(`  ${family.name}`);
    return POSTS.map((posts) => {
      const { held, warned, wrong, width } = coverageOf(family, posts, accounts, seed);
      // The bar is of the method, and not of so many accounts by chance.
      const [, most] = exactInterval(held, accounts, 0.95);
      if (family.isJudged && posts >= SHOWN_FROM)
        goals.push(goalsFor(BENCH).least(`${family.name}, ${posts} posts`, most, COVERAGE_BAR));
      const shares = [held, warned, wrong].map((count) => percent(count / accounts));
      return [family.name, String(posts), ...shares, width.toFixed(2)];
    });
  });
  return {
    bench: BENCH,
    table: [['posts of an account', 'n', 'held', 'warned of', 'neither', 'upper by lower'], ...rows],
    goals,
    notes: [
      `% of ${accounts} accounts whose 95 % interval holds the true median, that have a warning, and that have neither`,
      `The catalog's posts have a strength of 0.35. Goals are of the upper 95 % bound of what is held; npm run ${BENCH} -- --first-seed ${seed}`,
    ],
  };
};
