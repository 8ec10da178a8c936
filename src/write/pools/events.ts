import { z } from 'zod';
import { platformSchema } from '../../kernel/platform.ts';
import { instant } from '../accounts/reading.ts';
import { type EventOf, event } from '../log/schema.ts';

export const poolStream = (pool: string): string => `pool-${pool}`;

const tuning = {
  /** Share of the platform's request budget, relative to the shares of its other pools. */
  share: z.number().positive(),
  /** Seconds between readings of an account that keeps changing. */
  refresh_min_s: z.int().positive(),
  /** Seconds between readings of an account that never changes. */
  refresh_max_s: z.int().positive(),
  /** Most accounts that it may hold. */
  size_cap: z.int().positive(),
};

export const poolEvents = {
  PoolCreated: event({
    at: instant,
    pool: z.string(),
    platform: platformSchema,
    rule: z.enum(['seed', 'mention', 'link', 'follow', 'demand']),
    ...tuning,
  }),
  PoolTuned: event({ at: instant, ...tuning }),
  PoolPaused: event({ at: instant, why: z.string() }),
  PoolResumed: event({ at: instant }),
};

export type PoolEvent = EventOf<typeof poolEvents>;
