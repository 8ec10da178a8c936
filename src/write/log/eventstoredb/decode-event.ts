import type { Metadata, RecordedEvent } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import type { RawEvent } from './messages.ts';
import { isPosition, positionOf, toBigInt } from './positions.ts';

const TICKS_PER_MS = 10_000n;

const text = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

/** Data that is not JSON was written by another program; it is returned as text for validation to reject. */
const jsonOf = (bytes: Uint8Array, fallback: unknown): unknown => {
  if (bytes.length === 0) return fallback;
  try {
    return JSON.parse(text(bytes)) as unknown;
  } catch {
    return text(bytes);
  }
};

/** Converts an event of the server into the port's. */
export const decodeEvent = (raw: RawEvent): RecordedEvent => {
  const [commit, prepare] = [toBigInt(raw.commitPosition), toBigInt(raw.preparePosition)];
  if (!isPosition(commit)) {
    throw new LogRequestRejectedError(
      'this EventStoreDB returns no positions for events of a stream: version 22.6 or newer is required',
    );
  }
  return {
    id: raw.id?.string ?? '',
    stream: raw.streamIdentifier?.streamName ?? '',
    revision: toBigInt(raw.streamRevision),
    position: positionOf(commit, prepare),
    type: raw.metadata.type ?? '',
    data: jsonOf(raw.data, null),
    metadata: jsonOf(raw.customMetadata, {}) as Metadata,
    // Clock of the leader at that time, in ticks of 100 ns since 1970.
    recorded_at: new Date(Number(BigInt(raw.metadata.created ?? '0') / TICKS_PER_MS)).toISOString(),
  };
};
