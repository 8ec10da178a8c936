import type { EventLog, RecordedEvent } from './port.ts';

/** More than one, so that a run of withheld events is passed in few reads. */
const LOOK = 10;

const firstAfter = async (log: EventLog, after: bigint, to: bigint): Promise<RecordedEvent | null> => {
  for await (const page of log.readAll(after, { to, pageSize: LOOK })) {
    const [event] = page.events;
    if (event !== undefined) return event;
  }
  return null;
};

/**
 * Where the log stood at an instant: every event up to the position was recorded before it, none after the position
 * was. Found by halving, as `recorded_at` never decreases with the position.
 * @param atMs milliseconds since 1970-01-01 UTC.
 */
export const positionBefore = async (log: EventLog, atMs: number): Promise<bigint> => {
  let low = 0n;
  let high = await log.head();
  while (low < high) {
    const middle = low + (high - low) / 2n;
    const next = await firstAfter(log, middle, high);
    if (next !== null && Date.parse(next.recorded_at) < atMs) low = next.position;
    else high = middle;
  }
  return low;
};
