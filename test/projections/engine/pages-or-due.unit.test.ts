import { describe, expect, it } from 'vitest';
import { pagesOrDue } from '../../../src/projections/engine/runner.ts';
import type { EventPage } from '../../../src/write/log/port.ts';

const page = (endPosition: bigint): EventPage => ({ events: [], endPosition });

/** Pages that come when they are asked to. */
const source = () => {
  const waiting: ((result: IteratorResult<EventPage, undefined>) => void)[] = [];
  let isClosed = false;
  const pages: AsyncIterable<EventPage> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise((resolve) => waiting.push(resolve)),
      return: async () => {
        isClosed = true;
        return { done: true, value: undefined };
      },
    }),
  };
  return {
    pages,
    give: (next: EventPage) => waiting.shift()?.({ done: false, value: next }),
    end: () => waiting.shift()?.({ done: true, value: undefined }),
    asked: () => waiting.length,
    isClosed: () => isClosed,
  };
};

describe('pages with a deadline', () => {
  it('arrive as they come without a deadline', async () => {
    const { pages, give, end } = source();
    const all = pagesOrDue(pages, () => null);
    const first = all.next();
    give(page(1n));
    expect((await first).value).toEqual(page(1n));
    const last = all.next();
    await Promise.resolve();
    end();
    expect((await last).done).toBe(true);
  });

  it('are interrupted by the deadline without losing a page', async () => {
    const { pages, give, asked } = source();
    const all = pagesOrDue(pages, () => performance.now());
    expect((await all.next()).value).toBeNull();
    expect((await all.next()).value).toBeNull();
    expect(asked()).toBe(1);
    give(page(4n));
    let found = (await all.next()).value;
    while (found === null) found = (await all.next()).value;
    expect(found).toEqual(page(4n));
  });

  it('fail with the source, which is closed when the reader leaves', async () => {
    const failing: AsyncIterable<EventPage> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('the log is away')) }),
    };
    await expect(pagesOrDue(failing, () => null).next()).rejects.toThrow('the log is away');
    const { pages, isClosed } = source();
    const all = pagesOrDue(pages, () => performance.now());
    await all.next();
    await all.return();
    expect(isClosed()).toBe(true);
  });
});
