import protobuf from 'protobufjs';

/**
 * The messages that a node exchanges per event, with the fields that are used here; a decoder skips the others. The
 * client's generated classes take several times as long for them.
 */
const PROTOCOL = `
  syntax = "proto3";

  message Empty {}
  message Uuid { string string = 2; }
  message StreamIdentifier { bytes stream_name = 3; }

  message ReadResp {
    ReadEvent event = 1;
    Empty confirmation = 2;
    message ReadEvent { RecordedEvent event = 1; }
    message RecordedEvent {
      Uuid id = 1;
      StreamIdentifier stream_identifier = 2;
      uint64 stream_revision = 3;
      uint64 prepare_position = 4;
      uint64 commit_position = 5;
      map<string, string> metadata = 6;
      bytes custom_metadata = 7;
      bytes data = 8;
    }
  }

  message BatchAppendReq {
    Uuid correlation_id = 1;
    Options options = 2;
    repeated ProposedMessage proposed_messages = 3;
    bool is_final = 4;
    message Options {
      StreamIdentifier stream_identifier = 1;
      oneof expected_stream_position {
        uint64 stream_position = 2;
        Empty no_stream = 3;
        Empty any = 4;
      }
    }
    message ProposedMessage {
      Uuid id = 1;
      map<string, string> metadata = 2;
      bytes custom_metadata = 3;
      bytes data = 4;
    }
  }

  message BatchAppendResp {
    Uuid correlation_id = 1;
    // A status, which the client's generated class decodes.
    bytes error = 2;
    Success success = 3;
    message Success {
      uint64 current_revision = 1;
      AllStreamPosition position = 3;
    }
    message AllStreamPosition {
      uint64 commit_position = 1;
      uint64 prepare_position = 2;
    }
  }
`;

/** An unsigned integer of 64 bits, in two halves whose bits are to be read as unsigned. */
export interface Uint64 {
  readonly high: number;
  readonly low: number;
}

/** Absent texts and numbers are empty and 0, absent messages are null; absent bytes are an empty array, which is no buffer. */
export interface RawEvent {
  readonly id: { readonly string: string } | null;
  readonly streamIdentifier: { readonly streamName: Uint8Array } | null;
  readonly streamRevision: Uint64;
  readonly preparePosition: Uint64;
  readonly commitPosition: Uint64;
  readonly metadata: Readonly<Record<string, string>>;
  readonly customMetadata: Uint8Array;
  readonly data: Uint8Array;
}

/** Neither is there in messages of other kinds. */
export interface ReadResp {
  readonly event: { readonly event: RawEvent | null } | null;
  /** The subscription is open. */
  readonly confirmation: object | null;
}

export interface ProposedMessage {
  readonly id: { readonly string: string };
  readonly metadata: Readonly<Record<string, string>>;
  readonly customMetadata?: Uint8Array;
  readonly data: Uint8Array;
}

export interface BatchAppendReq {
  readonly correlationId: { readonly string: string };
  readonly options: {
    readonly streamIdentifier: { readonly streamName: Uint8Array };
    readonly streamPosition?: number;
    readonly noStream?: object;
    readonly any?: object;
  };
  readonly proposedMessages: readonly ProposedMessage[];
  readonly isFinal: true;
}

/** A response without success has an error, which is encoded. */
export interface BatchAppendResp {
  readonly correlationId: { readonly string: string } | null;
  readonly error: Uint8Array;
  readonly success: {
    readonly currentRevision: Uint64;
    readonly position: { readonly commitPosition: Uint64; readonly preparePosition: Uint64 } | null;
  } | null;
}

const { root } = protobuf.parse(PROTOCOL);
const readResp = root.lookupType('ReadResp');
const batchAppendReq = root.lookupType('BatchAppendReq');
const batchAppendResp = root.lookupType('BatchAppendResp');

export const decodeReadResp = (bytes: Buffer): ReadResp => readResp.decode(bytes) as unknown as ReadResp;

export const decodeBatchAppendResp = (bytes: Buffer): BatchAppendResp =>
  batchAppendResp.decode(bytes) as unknown as BatchAppendResp;

export const encodeBatchAppendReq = (request: BatchAppendReq): Buffer =>
  batchAppendReq.encode(request).finish() as Buffer;
