import type { GrowthPoint } from '../../analysis/growth.ts';
import { horizonOf, type ProjectionLaw, projectionLaw } from '../../analysis/projection-law.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Builds } from '../active-builds.ts';
import { sampleFollowers } from './digest-sample.ts';
import type { PopulationReads } from './populations.ts';

/** A law, and how long ago the accounts were drawn that it was computed of. */
interface DrawnLaw {
  readonly law: ProjectionLaw;
  readonly ageMs: number;
}

export interface ProjectionLaws {
  /** How projections of about so many days did on the platform's accounts; null if too little is known of them. */
  over(platform: Platform, days: number): Promise<DrawnLaw | null>;
}

/** Accounts whose readings are compared. */
const ACCOUNTS = 400;
/** For how long a sample and its laws are used. */
const KEPT_MS = 600_000;

interface Sampled {
  readonly drawnMs: number;
  readonly histories: Promise<readonly (readonly GrowthPoint[])[]>;
  readonly laws: Map<number, Promise<ProjectionLaw | null>>;
}

/** Laws of projections out of a sample of histories, drawn at most every ten minutes: they are the same for all callers. */
export const createProjectionLaws = (
  db: Queryable,
  builds: Builds,
  populations: PopulationReads,
): ProjectionLaws => {
  const known = new Map<string, Sampled>();
  const sample = async (schema: string, platform: Platform) => {
    const population = await populations.of(platform);
    if (population === null) return [];
    const { accounts } = population.counts;
    return sampleFollowers(db, schema, platform, { accounts: ACCOUNTS, of: accounts, leastFollowers: 1 });
  };
  const sampled = (platform: Platform): Sampled => {
    const schema = builds.schema('directory');
    const key = `${schema} ${platform}`;
    const before = known.get(key);
    if (before !== undefined && before.drawnMs + KEPT_MS > elapsedMs()) return before;
    const fresh = {
      drawnMs: elapsedMs(),
      histories: sample(schema, platform),
      laws: new Map<number, Promise<ProjectionLaw | null>>(),
    };
    known.set(key, fresh);
    // A failed read is not kept, nor is a sample of a platform without figures of its population.
    const drop = () => {
      if (known.get(key) === fresh) known.delete(key);
    };
    fresh.histories.then((found) => (found.length === 0 ? drop() : undefined), drop);
    return fresh;
  };
  return {
    over: async (platform, days) => {
      const { drawnMs, histories, laws } = sampled(platform);
      const horizon = horizonOf(days);
      const computed =
        laws.get(horizon) ?? histories.then((found) => projectionLaw(found, horizon, platform));
      laws.set(horizon, computed);
      const law = await computed;
      return law === null ? null : { law, ageMs: elapsedMs() - drawnMs };
    },
  };
};
