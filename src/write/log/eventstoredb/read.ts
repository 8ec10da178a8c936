import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { READ_BACKOFF } from '../../../kernel/backoff.ts';
import { retryForMs } from '../../../kernel/retry.ts';
import type { EventPage, ReadAllOptions, ReadStreamOptions, RecordedEvent } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import type { Connection } from './connection.ts';
import { decodeEvent } from './decode-event.ts';
import { portError, within } from './errors.ts';
import { NO_SYSTEM, splitFilter } from './filter.ts';
import { forwardsRequest, lastRequest, streamRequest } from './read-requests.ts';

const PAGE_SIZE = 1_000;
/** Timeout of reads that an index or the end of the log answers. */
const ANSWER_MS = 10_000;

/** How long a read is retried: when one call meets a dead node, concurrent calls fail with it. */
const AGAIN_MS = 2_000;

const once = async (
  connection: Connection,
  request: ReadReq,
  to: bigint | undefined,
): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  let isWhole = false;
  const stream = await connection.read(request);
  try {
    // Iterating costs a promise per event.
    await new Promise<void>((resolve, reject) => {
      stream.on('data', (response) => {
        const raw = response.getEvent()?.getEvent();
        if (raw === undefined || isWhole) return;
        try {
          const event = decodeEvent(raw);
          events.push(event);
          // The event itself is not wanted, but it proves that everything before it was returned.
          isWhole = to !== undefined && event.position > to;
          if (isWhole) resolve();
        } catch (error) {
          reject(error as Error);
        }
      });
      stream.on('end', resolve);
      stream.on('error', reject);
    });
  } finally {
    // The client reconnects after a cancellation by the node; it knows this one by its details.
    stream.cancel();
  }
  return events;
};

/** Events of a request: all, or up to the first one behind `to`. */
const eventsOf = async (
  connection: Connection,
  request: ReadReq,
  to?: bigint,
): Promise<readonly RecordedEvent[]> =>
  retryForMs(
    AGAIN_MS,
    READ_BACKOFF,
    () => once(connection, request, to),
    (error, isLate) => {
      const known = portError(error);
      if (known instanceof LogRequestRejectedError || isLate) throw known;
    },
  );

/** Larger than any stream. */
const NO_LIMIT = 2 ** 31 - 1;

export const readStream = (
  connection: Connection,
  stream: string,
  { direction = 'forwards', from, limit = NO_LIMIT }: ReadStreamOptions,
): Promise<readonly RecordedEvent[]> =>
  limit <= 0 ? Promise.resolve([]) : eventsOf(connection, streamRequest(stream, direction, from, limit));

/** Position of the last event that is not a system event. */
export const head = async (connection: Connection): Promise<bigint> => {
  const [last] = await within(ANSWER_MS, eventsOf(connection, lastRequest(NO_SYSTEM)));
  return last?.position ?? 0n;
};

/**
 * Pages up to the current head, or to `to` if that is earlier. A filtered read does not report what it skipped, so
 * its progress is known only at its end: it has passed the head that was read before it.
 */
export async function* readPages(
  connection: Connection,
  after: bigint,
  options: ReadAllOptions,
): AsyncIterable<EventPage> {
  const { server, wants } = splitFilter(options);
  const now = await head(connection);
  const end = options.to !== undefined && options.to < now ? options.to : now;
  const size = options.pageSize ?? PAGE_SIZE;
  let position = after;
  while (position < end) {
    // The first record was usually seen before: ask for one more, so that a page is never empty.
    const read =
      server === null ? [] : await eventsOf(connection, forwardsRequest(position, server, size + 1), end);
    const last = read.length > size ? read.at(-1) : undefined;
    const endPosition = last === undefined || last.position > end ? end : last.position;
    const from = position;
    const events = read.filter(
      (event) => event.position > from && event.position <= endPosition && wants(event),
    );
    // Otherwise there is one too many: the next page begins with it.
    const page = events.length > size ? events.slice(0, size) : events;
    position = page.length < events.length ? (page.at(-1)?.position ?? endPosition) : endPosition;
    yield { events: page, endPosition: position };
  }
}
