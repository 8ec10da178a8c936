import { z } from 'zod';
import { uuidV7 } from '../../kernel/ids.ts';
import { platformSchema } from '../../kernel/platform.ts';
import { repaired } from '../log/codec/repair.ts';
import { type EventOf, event } from '../log/event-definition.ts';
import { counts, instant, key, text } from '../log/event-fields.ts';
import type { NewEvent } from '../log/port.ts';

/** The stream of an engine: its alarms and what operators decide. Its key is the name of the platform it crawls. */
export const engineStream = (engine: string): string => `engine-${engine}`;

/**
 * The stream of an engine's reports. Apart from its decisions, since there are thousands of reports for each of
 * these.
 */
export const engineReportStream = (engine: string): string => `engine-${engine}:reports`;

/** The key of the engine whose stream it is, of decisions or of reports. */
export const engineOfStream = (stream: string): string =>
  stream.slice('engine-'.length).replace(/:reports$/, '');

const whole = z.int().nonnegative();

/** Numbers of values by logarithmic bin, as in `kernel/log-bins.ts`. */
const histogram = z.record(z.string().regex(/^-?\d{1,6}$/), z.int().positive());

const traffic = z.strictObject({ requests: whole, bytes: whole });

/** What a pool's accounts cost and gave. */
const poolWork = z.strictObject({
  requests: whole,
  readings: whole,
  /** Readings without a conclusive outcome. */
  errors: whole,
  /** Accounts that its readings named and that were recruited, into whichever pool. */
  discovered: whole,
});

const pools = z.record(key(100), poolWork).refine((found) => Object.keys(found).length <= 1_000, {
  error: 'must have at most 1000 pools',
});

const reason = text(200);
const details = { reason, detail: text(2_000) };

/** The process that reports. */
const worker = key(200);

export const engineEvents = {
  /** What one worker of an engine did since its last report. */
  CrawlBatchCompleted: event({
    /** Null for an engine that crawls no platform. */
    platform: platformSchema.nullable(),
    worker,
    started_at: instant,
    finished_at: instant,
    /** Requests and bytes of the crawl. */
    requests: whole,
    bytes: whole,
    /** Those of live reads in the same process. */
    live: traffic,
    /** Readings by outcome: a status, or `unknown:` with the reason. */
    outcomes: counts(200, 200),
    /** Milliseconds from the first request of a reading to its outcome; null if there was no reading. */
    latency_ms: z.strictObject({ p50: z.number(), p95: z.number(), p99: z.number() }).nullable(),
    /** The same as a histogram, which adds up over reports. */
    latency_bins: histogram,
    pools,
    /** The last conclusive reading of this worker; null if it had none yet. */
    last_success_at: instant.nullable(),
    last_error: z.strictObject({ reason, at: instant }).nullable(),
    /** Parser warnings by text, with their counts. */
    warnings: counts(500, 100),
  }),
  EngineDegraded: event({ at: instant, platform: platformSchema.nullable(), ...details, worker }),
  EngineRecovered: event({ at: instant, platform: platformSchema.nullable(), worker }),
  /** The request rate that all workers share. */
  EngineTuned: event({ at: instant, rate_per_s: z.number().positive().max(1e6) }),
  /** Nothing is read until the engine is resumed. */
  EnginePaused: event({ at: instant, why: text(2_000) }),
  EngineResumed: event({ at: instant }),
};

export type EngineEvent = EventOf<typeof engineEvents>;

/** An engine's event within its bounds: details and warnings quote platforms and networks. */
export const engineEvent = (type: keyof typeof engineEvents, data: unknown, nowMs: number): NewEvent => ({
  id: uuidV7(nowMs),
  type,
  data: repaired(engineEvents[type].schema, data),
});
