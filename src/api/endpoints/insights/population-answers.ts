import { FIGURES_WINDOW_DAYS } from '../../../analysis/account-figures.ts';
import { ServiceError } from '../../../kernel/errors.ts';
import { SIZE_BANDS } from '../../../kernel/size-bands.ts';
import type { Population } from '../../../read/insights/populations.ts';
import type { Services } from '../../services.ts';
import { PLATFORM } from './insight-subject.ts';

/** @throws {ServiceError} `insufficient_data` before it was computed. */
export const requirePopulation = async (services: Pick<Services, 'populations'>): Promise<Population> => {
  const population = await services.populations.of(PLATFORM);
  if (population !== null) return population;
  throw new ServiceError('insufficient_data', 'The figures of the population have not been computed yet.', {
    details: [{ path: 'computations', message: 'has 0, needs 1' }],
  });
};

export const bandOf = (band: number) => {
  const next = SIZE_BANDS[band + 1];
  return { min_followers: SIZE_BANDS[band] ?? 0, max_followers: next === undefined ? null : next - 1 };
};

/** What figures of a population are figures of. */
export const FRAMING =
  'Accounts of the catalog that the last reading found and that show their followers. The catalog is what crawlers discovered, not a random sample of the platform. Figures of posts are of those with at least 8 originals in the 30 days before their last sighting.';

const DAY_MS = 86_400_000;

/** The oldest sighting behind the figures of a population; when they were computed, if nothing was sampled. */
export const oldestSightingMs = ({ counts: { window_start, computed_at } }: Population): number =>
  window_start === null ? Date.parse(computed_at) : Date.parse(window_start) + FIGURES_WINDOW_DAYS * DAY_MS;
