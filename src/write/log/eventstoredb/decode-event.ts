import type { Metadata, RecordedEvent } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import type { RawEvent } from './messages.ts';
import { isPosition, positionOf, toBigInt } from './positions.ts';

/** Digits of a number of ticks of 100 ns that are less than a millisecond. */
const TICK_DIGITS = 4;

/** Of none, the decoder gives an array that is no buffer. */
const text = (bytes: Uint8Array): string =>
  bytes.length === 0 ? '' : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

/** Data that is not JSON was written by another program; it is returned as text for validation to reject. */
const jsonOf = (json: string, fallback: unknown): unknown => {
  if (json === '') return fallback;
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return json;
  }
};

/** Remembers the last result: successive events have the same metadata, and those of one append the same time. */
const remembering = <T>(of: (from: string) => T): ((from: string) => T) => {
  let last: { readonly from: string; readonly result: T } | null = null;
  return (from) => {
    if (last?.from !== from) last = { from, result: of(from) };
    return last.result;
  };
};

/** Events have it in common, so that none may change it. */
const metadataOf = remembering((json) => Object.freeze(jsonOf(json, {})) as Metadata);

/** Clock of the leader at that time, from ticks of 100 ns since 1970. */
const timeOf = remembering((ticks) => new Date(Number(ticks.slice(0, -TICK_DIGITS))).toISOString());

/** Converts an event of the server into the port's. */
export const decodeEvent = (raw: RawEvent): RecordedEvent => {
  const commit = toBigInt(raw.commitPosition);
  if (!isPosition(commit)) {
    throw new LogRequestRejectedError(
      'this EventStoreDB returns no positions for events of a stream: version 22.6 or newer is required',
    );
  }
  return {
    id: raw.id?.string ?? '',
    stream: raw.streamIdentifier === null ? '' : text(raw.streamIdentifier.streamName),
    revision: toBigInt(raw.streamRevision),
    position: positionOf(commit, toBigInt(raw.preparePosition)),
    type: raw.metadata.type ?? '',
    data: jsonOf(text(raw.data), null),
    metadata: metadataOf(text(raw.customMetadata)),
    recorded_at: timeOf(raw.metadata.created ?? '0'),
  };
};
