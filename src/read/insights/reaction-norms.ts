import {
  AUTHENTICITY_WINDOW_DAYS,
  type ReactionNorms,
  reactionFigures,
  reactionNorms,
} from '../../analysis/authenticity.ts';
import { sampleOf } from '../../analysis/sample.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Builds } from '../active-builds.ts';
import { sampleDigests } from './digest-sample.ts';
import { readLaws } from './laws.ts';
import type { PopulationReads } from './populations.ts';

/** Norms, and how long ago they were drawn. */
interface DrawnNorms {
  readonly norms: ReactionNorms;
  readonly ageMs: number;
}

export interface ReactionNormReads {
  /** Null before anything was computed of the platform's population. */
  of(platform: Platform): Promise<DrawnNorms | null>;
}

/** Accounts whose posts are compared. */
const ACCOUNTS = 1_000;
/** For how long norms are used. */
const KEPT_MS = 600_000;

interface Drawn {
  readonly drawnMs: number;
  readonly found: Promise<ReactionNorms | null>;
}

const read = async (
  db: Queryable,
  schema: string,
  platform: Platform,
  populations: PopulationReads,
): Promise<ReactionNorms | null> => {
  const { population, persistences } = await readLaws(populations, platform);
  if (population === null) return null;
  const of = population.counts.accounts;
  const digests = await sampleDigests(db, schema, platform, { accounts: ACCOUNTS, of });
  return reactionNorms(
    digests.map(({ posts, span, anchorMs }) => {
      const options = { platform, anchorMs, windowDays: AUTHENTICITY_WINDOW_DAYS, span };
      return reactionFigures(sampleOf(posts, options).ripe, persistences.engagement);
    }),
  );
};

/** What reactions of a platform's accounts are like, drawn at most every ten minutes: it is the same for all callers. */
export const createReactionNorms = (
  db: Queryable,
  builds: Builds,
  populations: PopulationReads,
): ReactionNormReads => {
  const known = new Map<string, Drawn>();
  const drawn = (platform: Platform): Drawn => {
    const schema = builds.schema('posts');
    const key = `${schema} ${platform}`;
    const before = known.get(key);
    if (before !== undefined && before.drawnMs + KEPT_MS > elapsedMs()) return before;
    const fresh = { drawnMs: elapsedMs(), found: read(db, schema, platform, populations) };
    known.set(key, fresh);
    // Neither a failed read is kept, nor that nothing was computed.
    const drop = () => {
      if (known.get(key) === fresh) known.delete(key);
    };
    fresh.found.then((norms) => (norms === null ? drop() : undefined), drop);
    return fresh;
  };
  return {
    of: async (platform) => {
      const { drawnMs, found } = drawn(platform);
      const norms = await found;
      return norms === null ? null : { norms, ageMs: elapsedMs() - drawnMs };
    },
  };
};
