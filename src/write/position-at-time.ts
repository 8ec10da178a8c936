import { PLATFORMS } from '../kernel/platform.ts';
import { engineReportStream } from './engines.ts';
import type { EventLog, RecordedEvent } from './log/port.ts';

/** More than one, so that a range of redacted events takes few reads. */
const LOOKAHEAD = 10;

/** Approximate number of events between two events of such a stream. */
const PAGE_SIZE = 100;

const firstAfter = async (log: EventLog, after: bigint, to: bigint): Promise<RecordedEvent | null> => {
  for await (const page of log.readAll(after, { to, pageSize: LOOKAHEAD })) {
    const [event] = page.events;
    if (event !== undefined) return event;
  }
  return null;
};

const isBefore = (event: RecordedEvent, atMs: number): boolean => Date.parse(event.recorded_at) < atMs;

/** Binary search over positions, for logs that can be read from any position. */
const byPosition = async (log: EventLog, atMs: number, head: bigint): Promise<bigint> => {
  let low = 0n;
  let high = head;
  while (low < high) {
    const middle = low + (high - low) / 2n;
    const next = await firstAfter(log, middle, high);
    if (next !== null && isBefore(next, atMs)) low = next.position;
    else high = middle;
  }
  return low;
};

/** The last event of a stream before the time, and the first one after it, by binary search over revisions. */
const around = async (log: EventLog, stream: string, atMs: number) => {
  let [last] = await log.readStream(stream, { direction: 'backwards', limit: 1 });
  if (last === undefined || isBefore(last, atMs)) return { before: last?.position, after: undefined };
  let before: bigint | undefined;
  for (let low = 0n; low < last.revision; ) {
    const middle: bigint = low + (last.revision - low) / 2n;
    // The first remaining event, if the stream was truncated.
    const [event] = await log.readStream(stream, { from: middle, limit: 1 });
    if (event !== undefined && isBefore(event, atMs)) {
      before = event.position;
      low = event.revision + 1n;
    } else if (event !== undefined && event.revision < last.revision) {
      last = event;
    } else {
      break;
    }
  }
  return { before, after: last.position };
};

/**
 * For logs that can't be read from any position: streams with regular events (the engines' reports) narrow the time down to a range
 * of positions, which is then read.
 */
const byStreams = async (log: EventLog, atMs: number, head: bigint): Promise<bigint> => {
  let low = 0n;
  let high = head;
  for (const stream of PLATFORMS.map(engineReportStream)) {
    const { before, after } = await around(log, stream, atMs);
    if (before !== undefined && before > low) low = before;
    if (after !== undefined && after < high) high = after;
  }
  const narrowed = low > 0n || high < head;
  for await (const page of log.readAll(low, { to: high, ...(narrowed ? { pageSize: PAGE_SIZE } : {}) })) {
    for (const event of page.events) {
      if (!isBefore(event, atMs)) return low;
      low = event.position;
    }
  }
  return low;
};

/**
 * The position of the log at a time: events up to it were recorded before, events after it were not. Relies on
 * `recorded_at` never decreasing.
 * @param atMs milliseconds since 1970-01-01 UTC.
 */
export const positionAtTime = async (log: EventLog, atMs: number): Promise<bigint> => {
  const head = await log.head();
  return log.canSeekAnyPosition === false ? byStreams(log, atMs, head) : byPosition(log, atMs, head);
};
