import { describe, expect, it } from 'vitest';
import { createReceiver, decodeMessages } from '../../../src/projections/consumer/messages.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { createDecoder, EventDeserializationError } from '../../../src/write/log/codec.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { encodeMessage } from '../../../src/write/messaging/message.ts';
import type { IncomingMessage } from '../../../src/write/messaging/port.ts';
import { decodeEvent } from '../../support/memory-log.ts';

const LOG = '0b5d4a3e-0000-4000-8000-000000000000';
const reading = {
  decoder: createDecoder(eventTypes),
  excludeIds: new Set<string>(),
  isParked: () => false,
  logId: LOG,
};

/** A message as the broker gives it: position 10 is at offset 110. */
const message = (
  position: number,
  after: number,
  { log = LOG, ...more }: Partial<RecordedEvent> & { readonly log?: string } = {},
): IncomingMessage => {
  const { key, value, headers } = encodeMessage(
    decodeEvent(position, more),
    { topic: 'sightline.accounts', partition: 3 },
    { logId: log, previousPosition: BigInt(after) },
  );
  return {
    offset: BigInt(position + 100),
    key: Buffer.from(key),
    value: Buffer.from(value),
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)])),
  };
};

const decoded = (messages: readonly IncomingMessage[], from: bigint, more = {}) => {
  const context = { ...reading, ...more };
  return decodeMessages(messages.map(createReceiver(accounts, context.decoder)), from, context);
};

const read = (messages: readonly IncomingMessage[], from: number, more = {}) => {
  const { events, ...rest } = decoded(messages, BigInt(from), more);
  return { positions: events.map(({ position }) => Number(position)), ...rest };
};

describe('messages of a partition', () => {
  it('equal the events of the log', () => {
    const event = decodeEvent(7, {
      metadata: { version: 3, request_id: 'req_1', actor: 'local:zoë', reason: 'says “why”, 100 %' },
    });
    const { events } = decoded([message(7, 2, event)], 2n);
    expect(events).toEqual([event]);
  });

  it('keep their schema version, by which old ones are upcast', () => {
    const event = decodeEvent(7, { metadata: { version: 3 } });
    expect(decoded([message(7, 2, event)], 2n).events).toEqual([event]);
  });

  it('are accepted if each follows what is applied', () => {
    expect(read([message(5, 2), message(9, 5)], 2)).toEqual({
      positions: [5, 9],
      endPosition: 9n,
      next: 110n,
      left: null,
    });
    // The partition has moved on past what is of no concern.
    expect(read([message(9, 5)], 8)).toMatchObject({ positions: [9], left: null });
  });

  it('are dropped when repeated, however late', () => {
    const again = [message(5, 2), message(9, 5), message(2, 0), message(5, 2), message(9, 5), message(11, 9)];
    expect(read(again, 5)).toEqual({ positions: [9, 11], endPosition: 11n, next: 112n, left: null });
  });

  it('are not read past a missing one', () => {
    expect(read([message(5, 2), message(9, 6)], 2)).toEqual({
      positions: [5],
      endPosition: 5n,
      next: 109n,
      left: 'gap',
    });
    expect(read([message(5, 3)], 2)).toEqual({ positions: [], endPosition: 2n, next: 105n, left: 'gap' });
  });

  it('are ignored if they belong to another log, or none', () => {
    const strangers = [message(3, 2, { log: 'another' }), { ...message(4, 2), headers: {} }];
    expect(read(strangers, 2)).toEqual({ positions: [], endPosition: 2n, next: 105n, left: null });
  });

  it('count as missing if damaged, since the log has them', () => {
    for (const damage of [{ value: Buffer.from('{') }, { value: null }, { key: null }]) {
      expect(read([{ ...message(5, 2), ...damage }], 2)).toMatchObject({
        positions: [],
        next: 105n,
        left: 'gap',
      });
    }
  });

  it('are skipped if the projection does not want their type or stream', () => {
    const other = message(5, 2, { type: 'PostsSighted', data: {} });
    expect(read([other, message(9, 5)], 2)).toMatchObject({ positions: [9], endPosition: 9n, left: null });
  });

  it('stop the partition if they do not fit their schema, unless skipped', () => {
    const unfit = decodeEvent(5, { data: { observed_at: 'soon' } });
    const messages = [message(4, 2), message(5, 4, unfit), message(9, 5)];
    const stopped = read(messages, 2);
    expect(stopped).toMatchObject({ positions: [4], endPosition: 4n, next: 105n });
    expect(stopped.left).toBeInstanceOf(EventDeserializationError);
    expect(read(messages, 2, { excludeIds: new Set([unfit.id]) })).toMatchObject({
      positions: [4, 9],
      left: null,
    });
  });

  it('are subject to the fence of what was erased', () => {
    const decoder = createDecoder(eventTypes, {
      isOpen: false,
      isUndone: () => false,
      pass: ({ revision, data }) => (revision === 5n ? null : data),
    });
    expect(read([message(5, 2), message(9, 5)], 2, { decoder })).toMatchObject({
      positions: [9],
      left: null,
    });
  });
});
