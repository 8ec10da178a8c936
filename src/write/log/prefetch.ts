import { setImmediate } from 'node:timers/promises';
import type { EventPage } from './port.ts';

/** Reads the next page while the current one is processed. */
export async function* prefetch(pages: AsyncIterable<EventPage>): AsyncIterable<EventPage> {
  const source = pages[Symbol.asyncIterator]();
  let next = source.next();
  try {
    for (;;) {
      const page = await next;
      if (page.done === true) return;
      next = source.next();
      // A failure of the prefetch is reported when its page is due. Until then it must not count as an unhandled rejection.
      next.catch(() => undefined);
      // The driver sends a query in a later phase of this turn, and the caller may not yield before it has done its work.
      await setImmediate();
      yield page.value;
    }
  } finally {
    await next.catch(() => undefined);
    await source.return?.();
  }
}
