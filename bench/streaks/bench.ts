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
  const rows = FAMILIES.map((family) => {
    progress(`  ${family.name}`);
    const cells = POSTS.map((posts) => {
      const { held, warned, wrong, width } = coverageOf(family, posts, accounts, seed);
      if (family.isJudged && posts >= SHOWN_FROM)
        // Rounding of the share of so many accounts is none of the method's.
        goals.push(
          goalsFor(BENCH).least(
            `${family.name}, ${posts} posts`,
            exactInterval(held, accounts, 0.95)[1],
            COVERAGE_BAR,
          ),
        );
      return `${percent(held / accounts)}, ×${width.toFixed(1)}, ${percent(warned / accounts)}, ${percent(wrong / accounts)}`;
    });
    return [family.name, ...cells];
  });
  return {
    bench: BENCH,
    table: [['posts', ...POSTS.map(String)], ...rows],
    goals,
    notes: [
      `Each cell: % of ${accounts} accounts whose 95 % interval holds the true median; width, upper by lower bound; % with a warning; % without one whose interval does not hold it`,
      `The catalog's posts have a strength of 0.35. Goals are of the upper 95 % bound of the coverage; npm run ${BENCH} -- --first-seed ${seed}`,
    ],
  };
};
