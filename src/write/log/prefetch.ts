import type { EventPage } from './port.ts';

/** Reads a page ahead while the one before it is worked on. */
export async function* prefetch(pages: AsyncIterable<EventPage>): AsyncIterable<EventPage> {
  const source = pages[Symbol.asyncIterator]();
  let next = source.next();
  try {
    for (;;) {
      const page = await next;
      if (page.done === true) return;
      next = source.next();
      // A failed look-ahead is met at its turn, not as an unhandled rejection before.
      next.catch(() => undefined);
      yield page.value;
    }
  } finally {
    await next.catch(() => undefined);
    await source.return?.();
  }
}
