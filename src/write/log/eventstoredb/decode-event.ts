import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Metadata, RecordedEvent } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import { isPosition, positionOf } from './positions.ts';

type Raw = ReadResp.ReadEvent.RecordedEvent;

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
export const decodeEvent = (raw: Raw): RecordedEvent => {
  const about = raw.getMetadataMap();
  const [commit, prepare] = [raw.getCommitPosition(), raw.getPreparePosition()];
  if (!isPosition(commit)) {
    throw new LogRequestRejectedError(
      'this EventStoreDB returns no positions for events of a stream: version 22.6 or newer is required',
    );
  }
  return {
    id: raw.getId()?.getString() ?? '',
    stream: text(raw.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array()),
    revision: BigInt(raw.getStreamRevision()),
    position: positionOf(commit, prepare),
    type: about.get('type') ?? '',
    data: jsonOf(raw.getData_asU8(), null),
    metadata: jsonOf(raw.getCustomMetadata_asU8(), {}) as Metadata,
    // Clock of the leader at that time, in ticks of 100 ns since 1970.
    recorded_at: new Date(Number(BigInt(about.get('created') ?? '0') / TICKS_PER_MS)).toISOString(),
  };
};
