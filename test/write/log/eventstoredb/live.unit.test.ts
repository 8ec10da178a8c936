import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import type { Connection } from '../../../../src/write/log/eventstoredb/connection.ts';
import { NO_SYSTEM } from '../../../../src/write/log/eventstoredb/filter.ts';
import { openLive } from '../../../../src/write/log/eventstoredb/live.ts';
import { decodeReadResp } from '../../../../src/write/log/eventstoredb/messages.ts';
import { confirmationMessage, eventMessage } from '../../../support/eventstore/messages.ts';

const received = (message: { serializeBinary(): Uint8Array }) =>
  decodeReadResp(Buffer.from(message.serializeBinary()));

const open = async () => {
  const stream = Object.assign(new PassThrough({ objectMode: true }), { cancel: () => undefined });
  const opening = openLive({ read: async () => stream } as unknown as Connection, NO_SYSTEM);
  stream.write(received(confirmationMessage('s')));
  const live = await opening;
  const push = (at: number) =>
    stream.emit(
      'data',
      received(
        eventMessage({
          id: `00000000-0000-7000-8000-${String(at).padStart(12, '0')}`,
          stream: 'account-x:nasa',
          revision: at,
          at: BigInt(at),
          type: 'Noted',
          contentType: 'application/json',
          ticks: 17_000_000_000_000_000n,
          data: Buffer.from('{}'),
          metadata: Buffer.from('{}'),
        } as never),
      ),
    );
  const next = async () =>
    (await live.next(100, 5_000, new AbortController().signal)).map(({ revision }) => revision);
  return { live, push, next };
};

it('a live subscription hands the first event after a pause on at once, and batches those that follow it', async () => {
  const { live, push, next } = await open();
  push(1);
  expect(await next()).toEqual([1n]);
  push(2);
  const batch = next();
  // Without lingering, the batch was taken before this one arrived.
  push(3);
  expect(await batch).toEqual([2n, 3n]);
  live.close();
});
