import { z } from 'zod';
import { platformSchema } from '../../kernel/platform.ts';
import { type EventOf, event } from '../log/event-definition.ts';
import { instant, key, text } from '../log/event-fields.ts';

export const poolStream = (pool: string): string => `pool-${pool}`;

/** At most ten years. */
const seconds = z.int().positive().max(315_360_000);

const tuning = {
  /** Share of the platform's request rate, relative to the shares of its other pools. */
  share: z.number().min(1e-6).max(1e6),
  /** Seconds between readings of an account that keeps changing. */
  refresh_min_s: seconds,
  /** Seconds between readings of an account that never changes. */
  refresh_max_s: seconds,
  /** Maximum number of accounts. */
  size_cap: z.int().positive().max(2_000_000_000),
};

export const poolEvents = {
  PoolCreated: event({
    at: instant,
    pool: key(100),
    platform: platformSchema,
    rule: z.enum(['seed', 'mention', 'link', 'follow', 'demand']),
    ...tuning,
  }),
  PoolTuned: event({ at: instant, ...tuning }),
  PoolPaused: event({ at: instant, why: text(2_000) }),
  PoolResumed: event({ at: instant }),
};

export type PoolEvent = EventOf<typeof poolEvents>;
