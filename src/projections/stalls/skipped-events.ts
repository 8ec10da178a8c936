import { isoOf } from '../../kernel/clock.ts';
import { uuidV5 } from '../../kernel/ids.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import {
  type EventFilter,
  type EventLog,
  LogRequestRejectedError,
  type RecordedEvent,
} from '../../write/log/port.ts';
import { projectionDecider, skip } from '../../write/projection-skips/decide.ts';
import { projectionStream } from '../../write/projection-skips/events.ts';
import { platformPrefixes } from '../../write/stream-platform.ts';
import { RETRIED } from '../dead-letters/control.ts';
import type { Projection } from '../projection.ts';

/**
 * The log filter of a projection: its event types, and retries if it parks streams.
 * @param platforms the platforms whose streams are wanted; null for all. Streams without a platform always are.
 */
export const subscription = (
  { name, types, streamPrefixes, parks, order }: Projection,
  platforms: readonly string[] | null = null,
): EventFilter => {
  const own = parks === undefined ? [] : [projectionStream(name)];
  const filter = { types: parks === undefined ? types : [...types, RETRIED] };
  // Nearly all streams are of platforms: types alone select less than the categories do.
  if (streamPrefixes === undefined || (platforms === null && order === 'platform')) return filter;
  const categories = platforms === null ? streamPrefixes : platformPrefixes(streamPrefixes, platforms);
  return { ...filter, streamPrefixes: [...categories, ...own] };
};

/** Whether a projection subscribes to an event. */
export const subscribes = (projection: Projection, event: Pick<RecordedEvent, 'stream' | 'type'>): boolean =>
  (projection.types as readonly string[]).includes(event.type) &&
  (projection.streamPrefixes ?? ['']).some((prefix) => event.stream.startsWith(prefix));

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

/**
 * Makes a projection skip an event from now on, in the active build, rebuilds and copies.
 * @returns whether the skip is new.
 */
export const skipEvent = async (
  log: EventLog,
  projection: Pick<Projection, 'name'>,
  event: RecordedEvent,
  why: string,
  nowMs: number,
): Promise<boolean> => {
  const { id, position, stream, type } = event;
  const command = skip({ at: isoOf(nowMs), event_id: id, position: String(position), stream, type, why });
  const { outcome } = await handleCommand(
    log,
    projectionDecider,
    projectionStream(projection.name),
    command,
    {
      nowMs,
      idOf: () => uuidV5(`skip ${projection.name} ${id}`),
    },
  );
  return outcome !== null;
};
