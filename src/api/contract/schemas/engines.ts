import { z } from 'zod';
import { platformSchema, SOURCES } from '../../../kernel/platform.ts';
import { ENGINE_STATUSES, WINDOWS } from '../../../read/engines.ts';

/** The query of both operations. */
export const engineQuery = z.strictObject({
  window: z
    .enum(WINDOWS)
    .optional()
    .describe('Time window of `success_rate`, `outcomes` and `latency_ms`. Default `1h`.'),
});

const instant = z.iso.datetime();
const count = z.int().nonnegative();
const seconds = z.int().nonnegative();
const rate = z.number().nonnegative();

const poolSchema = z
  .object({
    pool: z.string(),
    paused: z.boolean(),
    share: z.number().describe("Its share of the engine's rate, relative to the other pools."),
    members: count,
    backlog: count.describe('Accounts that are due.'),
    oldest_due_s: seconds
      .nullable()
      .describe('How long the longest-waiting account has been due; null if none is due.'),
    target_s: seconds.describe('The oldest age of a reading that its refresh interval allows.'),
  })
  .meta({ id: 'EnginePool' });

export const engineSchema = z
  .object({
    key: z.enum(SOURCES),
    platform: platformSchema.nullable().describe('Null for the engine that reads a marketplace.'),
    status: z
      .enum(ENGINE_STATUSES)
      .describe(
        '`paused`: by an operator. `blocked`: the platform refuses requests. `degraded`: readings stay inconclusive, or a surface showed false verdicts. `idle`: nothing was read for ten minutes. `healthy`: otherwise. If several apply, the first in this order.',
      ),
    alarm: z
      .object({ reason: z.string(), since: instant })
      .nullable()
      .describe('Why the engine is blocked or degraded, even while paused; null without an alarm.'),
    paused_since: instant.nullable(),
    rate_per_s: rate
      .nullable()
      .describe('Requests per second set by an operator; null if the configured rate applies.'),
    workers: count.describe('Processes that reported in the last hour.'),
    throughput_per_min: z
      .object({ last_1m: rate.nullable(), last_1h: rate.nullable(), last_24h: rate.nullable() })
      .describe(
        'Readings per minute, averaged over each window; null if nothing was reported in the window.',
      ),
    requests_per_min: rate.nullable().describe('Requests of the crawl in the last hour.'),
    window: z.enum(WINDOWS),
    success_rate: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Share of readings with a conclusive outcome; null without readings.'),
    outcomes: z
      .record(z.string(), count)
      .describe('Readings by status; `unknown:` and a reason for inconclusive ones.'),
    latency_ms: z
      .object({ p50: count.nullable(), p95: count.nullable(), p99: count.nullable() })
      .describe('Time from the first request of a reading to its outcome, accurate to 1 %.'),
    freshness: z
      .object({
        p50_s: seconds.nullable(),
        p95_s: seconds.nullable(),
        p99_s: seconds.nullable(),
        target_s: seconds.nullable().describe('The longest age that a pool allows.'),
      })
      .describe('Ages of the last readings of accounts, with a resolution of five minutes.'),
    catalog_size: count
      .nullable()
      .describe('Number of accounts that were read; for the marketplace engine, number of listings.'),
    backlog: count
      .nullable()
      .describe('Accounts that are due in pools that are not paused; null without pools.'),
    oldest_due_s: seconds
      .nullable()
      .describe('How long the longest-waiting account has been due; null if none is due.'),
    pools: z.array(poolSchema),
    projection_lag_s: seconds
      .nullable()
      .describe('Age of the oldest event that is not yet included in these figures.'),
    last_success_at: instant.nullable(),
    last_error: z.object({ kind: z.string(), at: instant }).nullable(),
  })
  .meta({ id: 'Engine' });

export type EngineAnswer = z.input<typeof engineSchema>;

export const EXAMPLE_ENGINE: EngineAnswer = {
  key: 'x',
  platform: 'x',
  status: 'healthy',
  alarm: null,
  paused_since: null,
  rate_per_s: null,
  workers: 2,
  throughput_per_min: { last_1m: 118, last_1h: 116.4, last_24h: 97.1 },
  requests_per_min: 231.9,
  window: '1h',
  success_rate: 0.987,
  outcomes: { present: 6_690, absent: 204, 'unknown:timeout': 90 },
  latency_ms: { p50: 412, p95: 987, p99: 1_204 },
  freshness: { p50_s: 41_250, p95_s: 198_450, p99_s: 340_950, target_s: 604_800 },
  catalog_size: 81_204,
  backlog: 1_410,
  oldest_due_s: 732,
  pools: [
    {
      pool: 'seed-x',
      paused: false,
      share: 1,
      members: 82_614,
      backlog: 1_410,
      oldest_due_s: 732,
      target_s: 604_800,
    },
  ],
  projection_lag_s: 0,
  last_success_at: '2026-11-22T08:16:25.900Z',
  last_error: { kind: 'timeout', at: '2026-11-22T08:15:59.004Z' },
};
