import { expect, it } from 'vitest';
import { withValidation } from '../../../src/write/log/codec.ts';
import type { EventLog, EventPage } from '../../../src/write/log/port.ts';
import { prefetch } from '../../../src/write/log/prefetch.ts';

/** Pages that a driver sends for in a later phase of the turn, and what was sent for. */
const pagesOf = (count: number, seen: string[]) =>
  (async function* (): AsyncIterable<EventPage> {
    for (let n = 0; n < count; n++) {
      await new Promise<void>((resolve) =>
        process.nextTick(() => {
          seen.push(`sent ${n}`);
          resolve();
        }),
      );
      yield { events: [], endPosition: BigInt(n) };
    }
  })();

it('the next page is requested before the caller works on one, even without yielding', async () => {
  const seen: string[] = [];
  for await (const { endPosition } of prefetch(pagesOf(3, seen))) seen.push(`worked ${endPosition}`);
  expect(seen).toEqual(['sent 0', 'sent 1', 'worked 0', 'sent 2', 'worked 1', 'worked 2']);
});

it('a failure is reported after the pages before it', async () => {
  const seen: bigint[] = [];
  const failing = (async function* () {
    yield* pagesOf(1, []);
    throw new Error('gone');
  })();
  const read = async () => {
    for await (const { endPosition } of prefetch(failing)) seen.push(endPosition);
  };
  await expect(read()).rejects.toThrow('gone');
  expect(seen).toEqual([0n]);
});

it.each([
  { pageSize: 200, sent: ['sent 0'] },
  { pageSize: 1_000, sent: ['sent 0', 'sent 1'] },
])('a caller that stops after a page of $pageSize has had $sent.length read', async ({ pageSize, sent }) => {
  const seen: string[] = [];
  const log = withValidation({ readAll: () => pagesOf(3, seen) } as unknown as EventLog, {});
  for await (const page of log.readAll(0n, { pageSize })) if (page.endPosition === 0n) break;
  expect(seen).toEqual(sent);
});
