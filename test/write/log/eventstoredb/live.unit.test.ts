import { PassThrough } from 'node:stream';
import { afterEach, expect, it, vi } from 'vitest';
import type { Connection } from '../../../../src/write/log/eventstoredb/connection.ts';
import { NO_SYSTEM, openLive } from '../../../../src/write/log/eventstoredb/read.ts';
import { confirmationMessage, eventMessage } from '../../../support/eventstore/messages.ts';

const open = async () => {
  const stream = Object.assign(new PassThrough({ objectMode: true }), { cancel: () => undefined });
  const opening = openLive({ read: async () => stream } as unknown as Connection, NO_SYSTEM);
  stream.write(confirmationMessage('s'));
  const live = await opening;
  const push = (at: number) =>
    stream.emit(
      'data',
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
    );
  const next = async (limit = 100, signal = new AbortController().signal) =>
    (await live.next(limit, 5_000, signal)).map(({ revision }) => revision);
  return { stream, live, push, next };
};

afterEach(() => {
  vi.useRealTimers();
});

it('a live subscription hands over the first event after a pause at once, and batches the following ones', async () => {
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

it('a live subscription stops waiting once its page is full, its signal fires or its stream fails', async () => {
  const { stream, live, push, next } = await open();
  // After a minute, no time passes: whatever waits for it waits for ever.
  vi.useFakeTimers();
  vi.advanceTimersByTime(60_000);
  push(1);
  expect(await next()).toEqual([1n]);
  push(2);
  const page = next(2);
  push(3);
  expect(await page).toEqual([2n, 3n]);
  push(4);
  const stop = new AbortController();
  const ended = next(2, stop.signal);
  stop.abort();
  expect(await ended).toEqual([4n]);
  push(5);
  const failed = next(2);
  stream.emit('error', new Error('broken'));
  expect(await failed).toEqual([5n]);
  await expect(next()).rejects.toThrow('broken');
  live.close();
});
