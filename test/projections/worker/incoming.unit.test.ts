import { describe, expect, it } from 'vitest';
import { accounts } from '../../../src/projections/accounts.ts';
import { readMessages } from '../../../src/projections/worker/incoming.ts';
import { eventCatalog } from '../../../src/write/catalog.ts';
import { messageOf } from '../../../src/write/fanout/message.ts';
import type { IncomingMessage } from '../../../src/write/fanout/port.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { openReadDoor, UnreadableEvent } from '../../../src/write/log/read-door.ts';
import { recordedEvent } from '../../support/memory-log.ts';

const LOG = '0b5d4a3e-0000-4000-8000-000000000000';
const reading = {
  projection: accounts,
  readDoor: openReadDoor(eventCatalog),
  without: new Set<string>(),
  isParked: () => false,
  log: LOG,
};

/** A message as the broker gives it: position 10 is at offset 110. */
const message = (
  position: number,
  after: number,
  { log = LOG, ...more }: Partial<RecordedEvent> & { readonly log?: string } = {},
): IncomingMessage => {
  const { key, value, headers } = messageOf(
    recordedEvent(position, more),
    { topic: 'sightline.accounts', partition: 3 },
    { log, after: BigInt(after) },
  );
  return {
    offset: BigInt(position + 100),
    key: Buffer.from(key),
    value: Buffer.from(value),
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, Buffer.from(text)])),
  };
};

const read = (messages: readonly IncomingMessage[], from: number, more = {}) => {
  const { events, ...rest } = readMessages(messages, BigInt(from), { ...reading, ...more });
  return { positions: events.map(({ position }) => Number(position)), ...rest };
};

describe('messages of a partition', () => {
  it('are the events of the log again', () => {
    const event = recordedEvent(7, { metadata: { request_id: 'req_1' } });
    const { events } = readMessages([message(7, 2, event)], 2n, reading);
    expect(events).toEqual([event]);
  });

  it('keep the version of their schema, by which old ones are brought up to date', () => {
    const event = recordedEvent(7, { metadata: { version: 3 } });
    expect(readMessages([message(7, 2, event)], 2n, reading).events).toEqual([event]);
  });

  it('are taken where each follows what is there already', () => {
    expect(read([message(5, 2), message(9, 5)], 2)).toEqual({
      positions: [5, 9],
      through: 9n,
      next: 110n,
      left: null,
    });
    // The place has moved on past what is of no concern.
    expect(read([message(9, 5)], 8)).toMatchObject({ positions: [9], left: null });
  });

  it('are dropped where they come again, however late', () => {
    const again = [message(5, 2), message(9, 5), message(2, 0), message(5, 2), message(9, 5), message(11, 9)];
    expect(read(again, 5)).toEqual({ positions: [9, 11], through: 11n, next: 112n, left: null });
  });

  it('are not read past one that is missing', () => {
    expect(read([message(5, 2), message(9, 6)], 2)).toEqual({
      positions: [5],
      through: 5n,
      next: 109n,
      left: 'gap',
    });
    expect(read([message(5, 3)], 2)).toEqual({ positions: [], through: 2n, next: 105n, left: 'gap' });
  });

  it('are not looked at where they are of another log, or nobody’s', () => {
    const strangers = [message(3, 2, { log: 'another' }), { ...message(4, 2), headers: {} }];
    expect(read(strangers, 2)).toEqual({ positions: [], through: 2n, next: 105n, left: null });
  });

  it('that are damaged are as good as missing: the log has them', () => {
    for (const damage of [{ value: Buffer.from('{') }, { value: null }, { key: null }]) {
      expect(read([{ ...message(5, 2), ...damage }], 2)).toMatchObject({
        positions: [],
        next: 105n,
        left: 'gap',
      });
    }
  });

  it('of types or streams that the projection does not want are passed', () => {
    const other = message(5, 2, { type: 'PostsSighted', data: {} });
    expect(read([other, message(9, 5)], 2)).toMatchObject({ positions: [9], through: 9n, left: null });
  });

  it('that do not fit their schema stop the place before them, unless they are skipped', () => {
    const unfit = recordedEvent(5, { data: { observed_at: 'soon' } });
    const messages = [message(4, 2), message(5, 4, unfit), message(9, 5)];
    const stopped = read(messages, 2);
    expect(stopped).toMatchObject({ positions: [4], through: 4n, next: 105n });
    expect(stopped.left).toBeInstanceOf(UnreadableEvent);
    expect(read(messages, 2, { without: new Set([unfit.id]) })).toMatchObject({
      positions: [4, 9],
      left: null,
    });
  });

  it('pass the door that withholds', () => {
    const readDoor = openReadDoor(eventCatalog, { withholds: ({ position }) => position === 5n });
    expect(read([message(5, 2), message(9, 5)], 2, { readDoor })).toMatchObject({
      positions: [9],
      left: null,
    });
  });
});
