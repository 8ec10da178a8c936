import { z } from 'zod';
import { uuidV7 } from '../../kernel/ids.ts';
import { type Platform, platformSchema } from '../../kernel/platform.ts';
import { repaired } from '../log/codec/repair.ts';
import { boundedEvent } from '../log/event-definition.ts';
import { counts, instant, text } from '../log/event-fields.ts';
import type { NewEvent } from '../log/port.ts';

/** The stream of an engine, which crawls one platform; its key is the platform's name. */
export const engineStream = (platform: Platform): string => `engine-${platform}`;

export const engineEvents = {
  /** What an engine did since its last report. */
  CrawlBatchCompleted: boundedEvent({
    platform: platformSchema,
    started_at: instant,
    finished_at: instant,
    requests: z.int().nonnegative(),
    bytes: z.int().nonnegative(),
    /** Readings by outcome: a status, or `unknown:` with the reason. */
    outcomes: counts(200, 200),
    /** Milliseconds from the first request of a reading to its outcome; null if there was no reading. */
    latency_ms: z.strictObject({ p50: z.number(), p95: z.number(), p99: z.number() }).nullable(),
    /** Parser warnings by text, with their counts. */
    warnings: counts(500, 100),
  }),
  EngineDegraded: boundedEvent({
    at: instant,
    platform: platformSchema,
    reason: text(200),
    detail: text(2_000),
  }),
  EngineRecovered: boundedEvent({ at: instant, platform: platformSchema }),
};

/** An engine's event within its bounds: details and warnings quote platforms and networks. */
export const engineEvent = (type: keyof typeof engineEvents, data: unknown, nowMs: number): NewEvent => ({
  id: uuidV7(nowMs),
  type,
  data: repaired(engineEvents[type].schema, data),
});
