import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { EventPage, ReadAllOptions, ReadStreamOptions, RecordedEvent } from '../port.ts';
import { LogRequestRejectedError } from '../port.ts';
import type { Connection } from './connection.ts';
import { decodeEvent } from './decode-event.ts';
import { portError, within } from './errors.ts';
import { NO_SYSTEM, splitFilter } from './filter.ts';
import { forwardsRequest, lastRequest, streamRequest } from './read-requests.ts';

const PAGE_SIZE = 1_000;
/** How long what is answered from an index, or from the log's end, may take. */
const ANSWER_MS = 10_000;

/** How long a read is asked again: where one call meets a dead node, those beside it are cut off with it. */
const AGAIN_MS = 2_000;

const once = async (
  connection: Connection,
  request: ReadReq,
  to: bigint | undefined,
): Promise<readonly RecordedEvent[]> => {
  const events: RecordedEvent[] = [];
  const stream = await connection.read(request);
  try {
    for await (const response of stream) {
      const raw = response.getEvent()?.getEvent();
      if (raw === undefined) continue;
      const event = decodeEvent(raw);
      events.push(event);
      // Nobody asked for what comes after it, but it says that this was all before.
      if (to !== undefined && event.position > to) break;
    }
  } finally {
    stream.cancel();
  }
  return events;
};

/** What a request brings: all of it, or up to the first event that is behind `to`. */
const eventsOf = async (
  connection: Connection,
  request: ReadReq,
  to?: bigint,
): Promise<readonly RecordedEvent[]> => {
  const until = Date.now() + AGAIN_MS;
  for (let attempt = 0; ; attempt++) {
    try {
      return await once(connection, request, to);
    } catch (error) {
      const known = portError(error);
      if (known instanceof LogRequestRejectedError || Date.now() > until) throw known;
      await sleep(Math.min(20 * 2 ** attempt, 500));
    }
  }
};

/** What no stream's length comes near. */
const UNPARTITIONED = 2 ** 31 - 1;

export const readStream = (
  connection: Connection,
  stream: string,
  { direction = 'forwards', from, limit = UNPARTITIONED }: ReadStreamOptions,
): Promise<readonly RecordedEvent[]> =>
  limit <= 0 ? Promise.resolve([]) : eventsOf(connection, streamRequest(stream, direction, from, limit));

/** Position of the last event that is not the server's own. */
export const head = async (connection: Connection): Promise<bigint> => {
  const [last] = await within(ANSWER_MS, eventsOf(connection, lastRequest(NO_SYSTEM)));
  return last?.position ?? 0n;
};

/**
 * Pages up to the head as it is when asked, or to `to` where that comes first. A filtered read says nothing of what it
 * passed over, so how far it went is known by its end only: it has seen all up to the head that was asked for before.
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
    // The record that reading begins at was seen before, as a rule: one more, so that a page can't come out empty.
    const read =
      server === null ? [] : await eventsOf(connection, forwardsRequest(position, server, size + 1), end);
    const last = read.length > size ? read.at(-1) : undefined;
    const endPosition = last === undefined || last.position > end ? end : last.position;
    const from = position;
    const events = read.filter(
      (event) => event.position > from && event.position <= endPosition && wants(event),
    );
    // Where the first was not seen before there is one too many: the next page begins with it.
    const page = events.length > size ? events.slice(0, size) : events;
    position = page.length < events.length ? (page.at(-1)?.position ?? endPosition) : endPosition;
    yield { events: page, endPosition: position };
  }
}
