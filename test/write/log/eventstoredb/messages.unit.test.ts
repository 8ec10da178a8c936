import streams from '@eventstore/db-client/generated/streams_pb.js';
import { describe, expect, it } from 'vitest';
import { batchAppendReqOf, createAppendRequest } from '../../../../src/write/log/eventstoredb/append.ts';
import { decodeEvent } from '../../../../src/write/log/eventstoredb/read.ts';
import type { ExpectedRevision } from '../../../../src/write/log/port.ts';
import { eventMessage, expectedOf, nameOf, proposedOf } from '../../../support/eventstore/messages.ts';
import type { StoredEvent } from '../../../support/eventstore/store.ts';

const ID = '01890000-0000-7000-8000-000000000001';

const STORED: StoredEvent = {
  id: ID,
  stream: 'account-x:zoë',
  revision: 7n,
  at: 2n ** 40n + 3n,
  type: 'Noted',
  contentType: 'application/json',
  data: Buffer.from('{"n":"é"}'),
  metadata: Buffer.from('{"version":2}'),
  ticks: 17_000_000_000_001_234n,
};

/** As it arrives. */
const received = (response: streams.ReadResp) =>
  streams.ReadResp.deserializeBinary(response.serializeBinary()).getEvent()?.getEvent();

const decoded = (event: StoredEvent) => {
  const raw = received(eventMessage(event));
  if (raw === undefined) throw new Error('no event');
  return decodeEvent(raw);
};

describe('an event as a node sends it', () => {
  it('is decoded with everything that the log returns', () => {
    expect(decoded(STORED)).toEqual({
      id: ID,
      stream: 'account-x:zoë',
      revision: 7n,
      position: 2n * (2n ** 40n + 3n) + 1n,
      type: 'Noted',
      data: { n: 'é' },
      metadata: { version: 2 },
      recorded_at: new Date(1_700_000_000_000).toISOString(),
    });
  });

  it('has defaults for what a node leaves out: the first record and revision, empty data and metadata', () => {
    const nothing = Buffer.alloc(0);
    const event = decoded({ ...STORED, revision: 0n, at: 0n, data: nothing, metadata: nothing });
    expect(event).toMatchObject({ revision: 0n, position: 1n, data: null, metadata: {} });
  });

  it('is returned as text if another program wrote no JSON', () => {
    expect(decoded({ ...STORED, data: Buffer.from('no JSON') }).data).toBe('no JSON');
  });

  it('can be read even if its stream’s name is no UTF-8', () => {
    const response = eventMessage(STORED);
    response
      .getEvent()
      ?.getEvent()
      ?.getStreamIdentifier()
      ?.setStreamName(Buffer.from([0x61, 0xc3, 0x28]));
    const raw = received(response);
    expect(raw && decodeEvent(raw).stream).toBe('a\ufffd(');
  });

  it('shares its immutable metadata with others', () => {
    const [one, two] = [decoded(STORED), decoded(STORED)];
    expect(one.metadata).toBe(two.metadata);
    expect(Object.isFrozen(one.metadata)).toBe(true);
    expect(decoded({ ...STORED, metadata: Buffer.from('{"version":3}') }).metadata).toEqual({ version: 3 });
  });
});

describe('an append request', () => {
  it.each<ExpectedRevision>(['any', 'no_stream', 0n, 41n, 2n ** 53n - 1n])(
    'states the expected revision: %s',
    (expected) => {
      const request = createAppendRequest('account-x:zoë', [
        { id: ID, type: 'Noted', data: { n: 'é' }, metadata: { version: 2 } },
        { id: ID, type: 'Noted', data: null },
      ]);
      const sent = streams.BatchAppendReq.deserializeBinary(
        batchAppendReqOf(request, 'correlation', expected).serializeBinary(),
      );
      expect(sent.getCorrelationId()?.getString()).toBe('correlation');
      expect(expectedOf(sent.getOptions())).toBe(expected);
      expect(nameOf(sent.getOptions()?.getStreamIdentifier())).toBe('account-x:zoë');
      expect(sent.getIsFinal()).toBe(true);
      const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
      expect(
        sent
          .getProposedMessagesList()
          .map(proposedOf)
          .map(({ data, metadata, ...rest }) => ({
            ...rest,
            data: text(data),
            metadata: text(metadata),
          })),
      ).toEqual([
        {
          id: ID,
          type: 'Noted',
          contentType: 'application/json',
          data: '{"n":"é"}',
          metadata: '{"version":2}',
        },
        { id: ID, type: 'Noted', contentType: 'application/json', data: 'null', metadata: '' },
      ]);
    },
  );
});
