import type { EventLog, EventPage } from '../../write/log/port.ts';
import type { Parking } from '../dead-letters/parking.ts';
import type { Projection } from '../projection.ts';
import { decodeOptionsFor, subscription } from '../subscription/subscription.ts';

const PAGE = 5_000;

/** A part of the log. */
export interface Stretch {
  readonly after: bigint;
  /** The last position; by default the head. */
  readonly to?: bigint;
  /** The platforms whose streams are read; by default all. */
  readonly platforms?: readonly string[];
}

export interface EachPageOptions {
  readonly log: EventLog;
  readonly signal: AbortSignal;
  /** Called after every page with the positions processed and the total. */
  readonly onProgress?: (done: bigint, total: bigint) => void;
}

/** Pages of the log after a position, up to another position or the head, filtered for a projection. */
export const eachPage = async (
  projection: Projection,
  parking: Parking,
  { after, to, platforms }: Stretch,
  { log, signal, onProgress }: EachPageOptions,
  write: (page: EventPage) => Promise<void>,
  isParked: (stream: string) => boolean = () => false,
): Promise<void> => {
  const total = to ?? (await log.head());
  const pages = log.readAll(after, {
    ...subscription(projection, platforms ?? null),
    ...(to === undefined ? {} : { to }),
    ...decodeOptionsFor(parking.control, isParked),
    pageSize: PAGE,
  });
  signal.throwIfAborted();
  for await (const page of pages) {
    signal.throwIfAborted();
    await write(page);
    onProgress?.(page.endPosition, total);
  }
  signal.throwIfAborted();
};
