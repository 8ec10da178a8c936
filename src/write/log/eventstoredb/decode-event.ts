import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Metadata, RecordedEvent } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import { isPosition, positionOf } from './positions.ts';

/** Digits of a number of ticks of 100 ns that are less than a millisecond. */
const TICK_DIGITS = 4;

const text = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');

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
export const decodeEvent = (raw: ReadResp.ReadEvent.RecordedEvent): RecordedEvent => {
  const about = raw.getMetadataMap();
  const commit = BigInt(raw.getCommitPosition());
  if (!isPosition(commit)) {
    throw new LogRequestRejectedError(
      'this EventStoreDB returns no positions for events of a stream: version 22.6 or newer is required',
    );
  }
  return {
    id: raw.getId()?.getString() ?? '',
    stream: text(raw.getStreamIdentifier()?.getStreamName_asU8() ?? new Uint8Array()),
    revision: BigInt(raw.getStreamRevision()),
    position: positionOf(commit, BigInt(raw.getPreparePosition())),
    type: about.get('type') ?? '',
    data: jsonOf(text(raw.getData_asU8()), null),
    metadata: metadataOf(text(raw.getCustomMetadata_asU8())),
    recorded_at: timeOf(about.get('created') ?? '0'),
  };
};
