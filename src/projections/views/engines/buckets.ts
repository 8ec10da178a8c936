import { addCounts, type Counts } from '../../../kernel/counts.ts';
import { HOUR_MINUTES, type HourRow, MINUTE_MS, type MinuteRow } from './tables.ts';

/** What a report adds to its buckets. */
export interface Work {
  readonly readings: number;
  readonly requests: number;
  readonly bytes: number;
  readonly live_requests: number;
  readonly outcomes: Counts;
  readonly latency_bins: Counts;
}

/** Reports by minute and hour, as many as windows of 24 hours need. */
export interface Buckets {
  readonly minutes: Map<string, MinuteRow>;
  readonly hours: Map<string, HourRow>;
  readonly changedMinutes: Set<string>;
  readonly changedHours: Set<string>;
}

/** Minutes and hours kept before an engine's newest report: more than a window has, since clocks of readers differ. */
const KEPT_MINUTES = 90;
const KEPT_HOURS = 30;

export const noBuckets = (): Buckets => ({
  minutes: new Map(),
  hours: new Map(),
  changedMinutes: new Set(),
  changedHours: new Set(),
});

const minuteOf = (at: string): number => Math.floor(Date.parse(at) / MINUTE_MS);
const hourOf = (minute: number): number => Math.floor(minute / HOUR_MINUTES);

/** Sums of both; the order of reports has no effect. */
const sumOf = (a: Work, b: Work): Work => ({
  readings: a.readings + b.readings,
  requests: a.requests + b.requests,
  bytes: a.bytes + b.bytes,
  live_requests: a.live_requests + b.live_requests,
  outcomes: addCounts(a.outcomes, b.outcomes),
  latency_bins: addCounts(a.latency_bins, b.latency_bins),
});

/** The first minute and hour that are kept beside an engine's newest report. */
export const keptSince = (reportedAt: string): { readonly minute: number; readonly hour: number } => {
  const newest = minuteOf(reportedAt);
  return { minute: newest - KEPT_MINUTES, hour: hourOf(newest) - KEPT_HOURS };
};

const keyOf = (...parts: readonly (string | number)[]): string => parts.join('\0');

export const putMinute = ({ minutes }: Buckets, row: MinuteRow): string => {
  const key = keyOf(row.engine, row.worker, row.minute);
  minutes.set(key, row);
  return key;
};

export const putHour = ({ hours }: Buckets, row: HourRow): string => {
  const key = keyOf(row.engine, row.hour);
  hours.set(key, row);
  return key;
};

/** Adds a report that ended at an instant. */
export const addReport = (buckets: Buckets, engine: string, worker: string, at: string, work: Work): void => {
  const minute = minuteOf(at);
  const hour = hourOf(minute);
  const inMinute = buckets.minutes.get(keyOf(engine, worker, minute));
  const inHour = buckets.hours.get(keyOf(engine, hour));
  const minuteWork = inMinute === undefined ? work : sumOf(inMinute, work);
  const hourWork = inHour === undefined ? work : sumOf(inHour, work);
  buckets.changedMinutes.add(putMinute(buckets, { engine, worker, minute, ...minuteWork }));
  buckets.changedHours.add(putHour(buckets, { engine, hour, ...hourWork }));
};

/** Forgets buckets that no window has any more, by what has to be kept of each engine. */
export const forgetOld = (
  { minutes, hours, changedMinutes, changedHours }: Buckets,
  sinceOf: (engine: string) => { readonly minute: number; readonly hour: number },
): void => {
  for (const [key, { engine, minute }] of minutes) {
    if (minute >= sinceOf(engine).minute) continue;
    minutes.delete(key);
    changedMinutes.delete(key);
  }
  for (const [key, { engine, hour }] of hours) {
    if (hour >= sinceOf(engine).hour) continue;
    hours.delete(key);
    changedHours.delete(key);
  }
};
