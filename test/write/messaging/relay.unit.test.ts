import { describe, expect, it } from 'vitest';
import type { OutgoingMessage } from '../../../src/write/messaging/port.ts';
import { batchesOf } from '../../../src/write/messaging/relay.ts';

const message = (n: number, partition: number, bytes: number): OutgoingMessage => ({
  topic: 'sightline.accounts',
  partition,
  key: `account-x:${n}`,
  value: 'v'.repeat(bytes),
  headers: {},
  timestampMs: 0,
});

describe('a page of messages', () => {
  it('goes out in one request if it is small', () => {
    const messages = Array.from({ length: 500 }, (_, n) => message(n, n % 64, 500));
    expect([...batchesOf(messages)]).toEqual([messages]);
    expect([...batchesOf([])]).toEqual([]);
  });

  it('is split in order if a partition would get more than a broker accepts at once', () => {
    const messages = Array.from({ length: 60 }, (_, n) => message(n, n % 2, 20_000));
    const requests = [...batchesOf(messages)];
    expect(requests.flat()).toEqual(messages);
    for (const request of requests) {
      for (const own of Map.groupBy(request, ({ partition }) => partition).values()) {
        expect(own.reduce((sum, { value }) => sum + value.length * 3, 0)).toBeLessThanOrEqual(512 * 1024);
      }
    }
    expect(requests.length).toBeGreaterThan(1);
    expect(requests.length).toBeLessThan(10);
  });

  it('sends a larger message alone', () => {
    const messages = [message(0, 0, 10), message(1, 0, 400_000), message(2, 0, 10)];
    expect([...batchesOf(messages)].map((request) => request.length)).toEqual([1, 1, 1]);
  });
});
