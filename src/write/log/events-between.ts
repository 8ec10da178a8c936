import type { EventLog } from './port.ts';

/** A number of events, and whether it is an estimate, which is shown as "about". */
export interface EventCount {
  readonly events: bigint;
  readonly isEstimate: boolean;
}

/** Number of events that are counted exactly. The rest is extrapolated from them. */
const SAMPLE = 256;

/** Estimates from the average density of the log, without reading it. */
export const estimatedEvents = (from: bigint, to: bigint, positionsPerEvent: bigint): EventCount => {
  const positions = to > from ? to - from : 0n;
  // Rounded up: a lag of a fraction of an event is still a lag.
  const events = (positions + positionsPerEvent - 1n) / positionsPerEvent;
  return { events, isEstimate: positionsPerEvent !== 1n && positions > 0n };
};

/**
 * The number of events after one position and up to another, the unit of everything that is shown to people. If positions have no
 * gaps, it is their difference. Otherwise the first events are counted, and the rest is estimated from their density.
 * @param from a position from which the log can be read.
 */
export const eventsBetween = async (
  log: Pick<EventLog, 'positionsPerEvent' | 'readAll'>,
  from: bigint,
  to: bigint,
): Promise<EventCount> => {
  const { positionsPerEvent = 1n } = log;
  if (positionsPerEvent === 1n || to <= from) return estimatedEvents(from, to, positionsPerEvent);
  let events = 0n;
  for await (const page of log.readAll(from, { to, pageSize: SAMPLE, raw: true })) {
    events += BigInt(page.events.length);
    const passed = page.endPosition - from;
    if (events < SAMPLE || passed <= 0n || page.endPosition >= to) continue;
    return { events: (events * (to - from) + passed - 1n) / passed, isEstimate: true };
  }
  return { events, isEstimate: false };
};
