import { uuidV7 } from '../../../src/kernel/ids.ts';
import { type Logger, silentLogger } from '../../../src/kernel/logger.ts';
import type { AppendLimits } from '../../../src/write/log/eventstoredb/append.ts';
import { parseConnectionString } from '../../../src/write/log/eventstoredb/connection.ts';
import { createEventStoreLog, type EventStoreLog } from '../../../src/write/log/eventstoredb/index.ts';
import type { EventLog, EventPage, NewEvent, RecordedEvent } from '../../../src/write/log/port.ts';

/**
 * A log at an address. It finds out within `keepAliveMs` that its node is frozen; a busy machine may take a shorter time
 * for that, so a test that counts connections sets a long one.
 */
export const openTestLog = (
  url: string,
  {
    limits,
    logger = silentLogger,
    keepAliveMs = 250,
  }: { limits?: AppendLimits; logger?: Logger; keepAliveMs?: number } = {},
): EventStoreLog =>
  createEventStoreLog(
    parseConnectionString(
      `${url}${url.includes('?') ? '&' : '?'}keepAliveInterval=${keepAliveMs}&keepAliveTimeout=${keepAliveMs}`,
    ),
    logger,
    limits === undefined ? {} : { limits },
  );

/** A number of events, numbered from `from`. */
export const numbered = (count: number, from = 0, type = 'Numbered'): NewEvent[] =>
  Array.from({ length: count }, (_, i) => ({ id: uuidV7(Date.now()), type, data: { n: from + i } }));

export const numbersOf = (events: readonly RecordedEvent[]): number[] =>
  events.map((event) => (event.data as { n: number }).n);

export const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

export const collect = async (pages: AsyncIterable<EventPage>): Promise<RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  for await (const page of pages) events.push(...page.events);
  return events;
};

/** Follows a log from a position; `seen` grows as events come. */
export const following = (log: EventLog, after = 0n) => {
  const stop = new AbortController();
  const seen: number[] = [];
  const done = (async () => {
    for await (const page of log.subscribe(after, { signal: stop.signal }))
      seen.push(...numbersOf(page.events));
  })();
  return {
    seen,
    end: () => {
      stop.abort();
      return done;
    },
  };
};
