import { setTimeout as sleep } from 'node:timers/promises';
import { steadyMs } from '../../kernel/retry.ts';
import type { EventPage } from '../../write/log/port.ts';

const DUE = Symbol('due');

/**
 * Pages of a subscription, and null whenever a deadline passes before the next page.
 * @param dueMs the deadline by the steady clock; null if there is none. Asked before each wait.
 */
export async function* pagesOrDue(
  source: AsyncIterable<EventPage>,
  dueMs: () => number | null,
): AsyncGenerator<EventPage | null, void> {
  const pages = source[Symbol.asyncIterator]();
  let next = pages.next();
  try {
    for (;;) {
      const due = dueMs();
      const timer = new AbortController();
      const first =
        due === null
          ? await next
          : await Promise.race([
              next,
              sleep(Math.max(0, due - steadyMs()), DUE, { signal: timer.signal }).catch(() => DUE),
            ]).finally(() => timer.abort());
      if (typeof first === 'symbol') {
        yield null;
        continue;
      }
      if (first.done === true) return;
      yield first.value;
      next = pages.next();
    }
  } finally {
    // The reader is abandoned, and its failure with it.
    next.catch(() => undefined);
    await pages.return?.();
  }
}
