import { z } from 'zod';
import { platformSchema } from '../../kernel/platform.ts';
import { MAX_KEY } from '../accounts/post.ts';
import { event } from '../log/event-definition.ts';
import { instant, key, list, text } from '../log/event-fields.ts';

export const ladderStream = (platform: string): string => `ladder-${platform}`;

const computed = {
  at: instant,
  platform: platformSchema,
  /** What was sampled. */
  population: key(100),
  /** The last event that the figures contain. */
  through: z.uuid(),
  method: text(100),
};

const WEEK_HOURS = 7 * 24;

/**
 * Figures of a population as of an event. What depends on the time of computing is recorded, so that a rebuilt read
 * model equals the one it replaces.
 */
export const ladderEvents = {
  /** Percentiles of a metric over the accounts of a size band. */
  LadderComputed: event({
    ...computed,
    metric: key(100),
    /** Size band by followers; null for the whole population. */
    band: key(20).nullable(),
    n: z.int().nonnegative(),
    /** The 0th to the 100th percentile. */
    points: z.array(z.number()).length(101),
  }),
  /** Posting times of a population, and its posts furthest above their author's usual figures. */
  PopulationPatternsComputed: event({
    ...computed,
    n: z.int().nonnegative(),
    /** Hours of the week that have a sample, from Monday 00:00 UTC. */
    cells: list(
      z.strictObject({
        hour: z
          .int()
          .nonnegative()
          .max(WEEK_HOURS - 1),
        n: z.int().positive(),
        /** Median figure of the hour relative to the author's own; null if too few authors posted then. */
        effect: z.number().nullable(),
      }),
      { max: WEEK_HOURS, maxChars: WEEK_HOURS, charsOf: () => 1 },
    ),
    viral: list(
      z.strictObject({ handle: key(MAX_KEY), post: key(MAX_KEY), multiple: z.number(), score: z.number() }),
      { max: 200, maxChars: 50_000, charsOf: ({ handle, post }) => handle.length + post.length },
    ),
  }),
};
