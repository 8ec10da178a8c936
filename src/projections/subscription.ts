import {
  type EventFilter,
  type EventLog,
  LogRequestRejectedError,
  type RecordedEvent,
} from '../write/log/port.ts';
import {
  type Control,
  projectionStream,
  STREAM_RETRIED,
  startsSequence,
} from '../write/projection-control.ts';
import { platformPrefixes } from '../write/stream-platform.ts';
import type { Projection } from './projection.ts';

/**
 * The log filter of a projection: its event types, and retries if it parks streams.
 * @param platforms the platforms whose streams are wanted; null for all. Streams without a platform always are.
 */
export const subscription = (
  { name, types, streamPrefixes, parks, order }: Projection,
  platforms: readonly string[] | null = null,
): EventFilter => {
  const own = parks === undefined ? [] : [projectionStream(name)];
  const filter = { types: parks === undefined ? types : [...types, STREAM_RETRIED] };
  // Nearly all streams belong to platforms: the types alone select less than the categories do.
  if (streamPrefixes === undefined || (platforms === null && order === 'platform')) return filter;
  const categories = platforms === null ? streamPrefixes : platformPrefixes(streamPrefixes, platforms);
  return { ...filter, streamPrefixes: [...categories, ...own] };
};

/** Whether a projection subscribes to an event. */
export const subscribes = (projection: Projection, event: Pick<RecordedEvent, 'stream' | 'type'>): boolean =>
  (projection.types as readonly string[]).includes(event.type) &&
  (projection.streamPrefixes ?? ['']).some((prefix) => event.stream.startsWith(prefix));

/** Decode options of a projection: skipped events are excluded, and events of parked streams need not be readable. */
export const decodeOptionsFor = (control: () => Control, isParked: (stream: string) => boolean) => ({
  excludeIds: control().skipped,
  opaque: (event: RecordedEvent) => isParked(event.stream) || startsSequence(control(), event),
});

/** The raw event at a position, readable or not; null if there is none. */
export const eventAt = async (log: EventLog, position: bigint): Promise<RecordedEvent | null> => {
  try {
    for await (const page of log.readAll(position - 1n, { to: position, pageSize: 1, raw: true })) {
      const found = page.events.find((event) => event.position === position);
      if (found !== undefined) return found;
    }
  } catch (error) {
    // The log can't seek to this position, so there is no event.
    if (!(error instanceof LogRequestRejectedError) || log.canSeekAnyPosition !== false) throw error;
  }
  return null;
};
