import type { Source } from '../../kernel/source.ts';
import { HOUR_MINUTES, MINUTE_MS } from '../../projections/views/engines/tables.ts';

/** Windows of an engine's figures. They are read out of buckets, and end with the newest report. */
export const WINDOWS = ['1m', '1h', '24h'] as const;
export type Window = (typeof WINDOWS)[number];

/** Buckets of the windows at an instant. */
export interface WindowBounds {
  /**
   * First minute of the window of a minute. Workers report as a minute begins what they did in the one before, so each
   * worker's newest report counts, of this minute or the last one.
   */
  readonly minute: number;
  /** First minute of the window of an hour. */
  readonly hourMinute: number;
  /** First hour of the window of 24 hours: the running hour, and 23 before it. */
  readonly dayHour: number;
  /** Minutes that each window has. */
  readonly lengths: Readonly<Record<Window, number>>;
}

export const windowsAt = (nowMs: number): WindowBounds => {
  const now = Math.floor(nowMs / MINUTE_MS);
  const dayHour = Math.floor(now / HOUR_MINUTES) - 23;
  return {
    minute: now - 1,
    hourMinute: now - HOUR_MINUTES + 1,
    dayHour,
    lengths: { '1m': 1, '1h': HOUR_MINUTES, '24h': now - dayHour * HOUR_MINUTES + 1 },
  };
};

const UNKNOWN = 'unknown:';

/** Share of readings with a conclusive outcome; null if nothing was read. */
export const successRate = (outcomes: Readonly<Record<string, number>>): number | null => {
  const all = Object.entries(outcomes);
  const total = all.reduce((sum, [, n]) => sum + n, 0);
  if (total === 0) return null;
  const failed = all.reduce((sum, [name, n]) => (name.startsWith(UNKNOWN) ? sum + n : sum), 0);
  return (total - failed) / total;
};

/** In the order of precedence: what an operator decided, what an alarm says, what reports show. */
export const STATUSES = ['paused', 'blocked', 'degraded', 'idle', 'healthy'] as const;
export type EngineStatus = (typeof STATUSES)[number];

/** Reasons of alarms that mean that the platform refuses requests; others are about what it shows, or this installation. */
const REFUSALS: ReadonlySet<string> = new Set(['rate_limited', 'login_wall', 'challenge', 'region']);

/** Without a reading for so long an engine is idle. A feed is polled every five minutes by default. */
const IDLE_MS = 10 * MINUTE_MS;

/** What decides on the status of an engine. */
interface StatusInput {
  readonly paused_at: string | null;
  readonly alarm: string | null;
  readonly read_at: string | null;
}

export const statusOf = ({ paused_at, alarm, read_at }: StatusInput, nowMs: number): EngineStatus => {
  if (paused_at !== null) return 'paused';
  if (alarm !== null) return REFUSALS.has(alarm) ? 'blocked' : 'degraded';
  return read_at === null || nowMs - Date.parse(read_at) >= IDLE_MS ? 'idle' : 'healthy';
};

/** The read model behind an engine's work: what it reads next, or for a feed what it has read. */
export const modelOf = (engine: Source): 'frontier' | 'listings' =>
  engine === 'marketplace' ? 'listings' : 'frontier';
