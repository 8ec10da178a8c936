/** A clock, passed in wherever time matters, so that tests control it. */
export interface Clock {
  /** Milliseconds since 1970-01-01 UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** ISO 8601 UTC with milliseconds, the format of events and responses. */
export const isoOf = (ms: number): string => new Date(ms).toISOString();
