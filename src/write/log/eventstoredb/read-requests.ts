import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerFilter } from './filter.ts';
import { recordAt } from './positions.ts';

const { Options } = streams.ReadReq;
const FORWARDS = 0;
const BACKWARDS = 1;

/** Records that the server scans at once when it reads backwards for a single event. */
const BACKWARDS_WINDOW = 500;

const optionsOf = (): ReadReq.Options => {
  const uuid = new Options.UUIDOption();
  uuid.setString(new shared.Empty());
  const options = new Options();
  options.setUuidOption(uuid);
  options.setReadDirection(FORWARDS);
  return options;
};

const requestOf = (options: ReadReq.Options): ReadReq => {
  const request = new streams.ReadReq();
  request.setOptions(options);
  return request;
};

export const streamIdentifier = (stream: string) => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  return identifier;
};

const filterOf = (filter: ServerFilter, window?: number): ReadReq.Options.FilterOptions => {
  const expression = new Options.FilterOptions.Expression();
  if ('regex' in filter) expression.setRegex(filter.regex);
  else expression.setPrefixList([...filter.prefixes]);
  const options = new Options.FilterOptions();
  if (filter.on === 'stream') options.setStreamIdentifier(expression);
  else options.setEventType(expression);
  if (window === undefined) options.setCount(new shared.Empty());
  else options.setMax(window);
  options.setCheckpointintervalmultiplier(1_000);
  return options;
};

/** Events of a stream from a revision, inclusive; by default from its start or end. */
export const streamRequest = (
  stream: string,
  direction: 'forwards' | 'backwards',
  from: bigint | undefined,
  count: number,
): ReadReq => {
  const of = new Options.StreamOptions();
  of.setStreamIdentifier(streamIdentifier(stream));
  if (from !== undefined) of.setRevision(String(from));
  else if (direction === 'forwards') of.setStart(new shared.Empty());
  else of.setEnd(new shared.Empty());
  const options = optionsOf();
  options.setStream(of);
  options.setReadDirection(direction === 'forwards' ? FORWARDS : BACKWARDS);
  options.setCount(String(count));
  options.setNoFilter(new shared.Empty());
  return requestOf(options);
};

/** Up to `count` matching events of the log, starting at the record of `after`, inclusive. */
export const forwardsRequest = (after: bigint, filter: ServerFilter, count: number): ReadReq => {
  const of = new Options.AllOptions();
  if (after === 0n) {
    of.setStart(new shared.Empty());
  } else {
    const position = new Options.Position();
    position.setCommitPosition(recordAt(after));
    position.setPreparePosition(recordAt(after));
    of.setPosition(position);
  }
  const options = optionsOf();
  options.setAll(of);
  options.setCount(String(count));
  options.setFilter(filterOf(filter));
  return requestOf(options);
};

/** The last matching event of the log. */
export const lastRequest = (filter: ServerFilter): ReadReq => {
  const of = new Options.AllOptions();
  of.setEnd(new shared.Empty());
  const options = optionsOf();
  options.setAll(of);
  options.setReadDirection(BACKWARDS);
  options.setCount('1');
  options.setFilter(filterOf(filter, BACKWARDS_WINDOW));
  return requestOf(options);
};

/** Matching events appended from now on. */
export const liveRequest = (filter: ServerFilter): ReadReq => {
  const of = new Options.AllOptions();
  of.setEnd(new shared.Empty());
  const options = optionsOf();
  options.setAll(of);
  options.setSubscription(new Options.SubscriptionOptions());
  options.setFilter(filterOf(filter));
  return requestOf(options);
};
