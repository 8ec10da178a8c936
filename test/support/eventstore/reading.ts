import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerWritableStream, status } from '@grpc/grpc-js';
import { callError, type Faults, met } from './faults.ts';
import {
  checkpointMessage,
  confirmationMessage,
  eventMessage,
  nameOf,
  predicateOf,
  streamNotFoundMessage,
} from './messages.ts';
import type { EventStore, StoredEvent } from './store.ts';

/** What left the node: events, and confirmations of subscriptions. */
export interface Sent {
  events: number;
  confirmations: number;
}

type Call = ServerWritableStream<ReadReq, ReadResp>;

const BACKWARDS = 1;
/** Records between two checkpoints of a subscription, per unit of the requested multiplier. */
const WINDOW = 32;

/** Maximum backlog of a live reader, in events. */
const LIVE_BACKLOG = 32;
const TOO_SLOW =
  'Operation timed out: Consumer too slow to handle event while live. Client resubscription required.';

const written = async (call: Call, message: ReadResp): Promise<void> => {
  if (call.write(message) || call.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = () => {
      call.off('drain', done).off('close', done).off('cancelled', done);
      resolve();
    };
    call.on('drain', done).on('close', done).on('cancelled', done);
  });
};

const ofStream = (store: EventStore, options: ReadReq.Options): readonly StoredEvent[] | null => {
  const of = options.getStream();
  const name = nameOf(of?.getStreamIdentifier());
  const held = store.streams.get(name);
  if (held === undefined) return null;
  const begin = Number(store.beginOf(name));
  const count = Number(options.getCount());
  if (options.getReadDirection() === BACKWARDS) {
    const from =
      of?.hasRevision() === true ? Math.min(Number(of.getRevision()), held.length - 1) : held.length - 1;
    return held.slice(Math.max(begin, from + 1 - count), from + 1).reverse();
  }
  const from = Math.max(begin, of?.hasRevision() === true ? Number(of.getRevision()) : 0);
  return held.slice(from, from + count);
};

/** Index of the record at a position, or of the next one if a scavenge removed it; null if no record ever began there. */
const partitionFor = (store: EventStore, position: ReadReq.Options.Position): number | null => {
  const at = BigInt(position.getCommitPosition());
  if (at === store.end) return store.records.length;
  if (!store.begins.has(at)) return null;
  let [low, high] = [0, store.records.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((store.records[middle] as StoredEvent).at < at) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** Begins with the record at the position, which is included. */
const ofAll = (store: EventStore, options: ReadReq.Options): readonly StoredEvent[] | null => {
  const { records } = store;
  const passes = predicateOf(options.getFilter());
  const backwards = options.getReadDirection() === BACKWARDS;
  const position = options.getAll()?.getPosition();
  const start = position === undefined ? (backwards ? records.length : 0) : partitionFor(store, position);
  if (start === null) return null;
  const found: StoredEvent[] = [];
  const count = Number(options.getCount());
  for (
    let i = backwards ? start - 1 : start;
    i >= 0 && i < records.length && found.length < count;
    i += backwards ? -1 : 1
  ) {
    const event = records[i] as StoredEvent;
    if (passes(event)) found.push(event);
  }
  return found;
};

const INVALID = () => callError(status.INVALID_ARGUMENT, 'The position is invalid');

/** Follows the log after a position, which is not included, or from its end. */
const follow = async (
  store: EventStore,
  faults: Faults,
  sent: Sent,
  call: Call,
  options: ReadReq.Options,
): Promise<void> => {
  const all = options.getAll();
  const position = all?.getPosition();
  const passes = predicateOf(options.getFilter());
  const interval = WINDOW * (options.getFilter()?.getCheckpointintervalmultiplier() ?? 1);
  let place = all?.hasEnd() === true ? store.records.length : 0;
  if (position !== undefined) {
    const record = partitionFor(store, position);
    if (record === null) {
      call.emit('error', INVALID());
      return;
    }
    place = store.records[record]?.at === BigInt(position.getCommitPosition()) ? record + 1 : record;
  }
  let isLive = place === store.records.length;
  let wake: () => void = () => undefined;
  const tell = () => wake();
  store.followers.add(tell);
  call.on('cancelled', () => wake());
  try {
    sent.confirmations += 1;
    await written(call, confirmationMessage(randomUUID()));
    for (let looked = 0; !call.cancelled; ) {
      const event = store.records[place];
      if (event === undefined || faults.mute) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          // A call that ended without being cancelled is noticed only later.
          setTimeout(resolve, 200).unref();
        });
        if (call.destroyed) return;
        continue;
      }
      // Like version 23.10: beyond its maximum backlog, a live reader is dropped and must subscribe again.
      if (store.records.length - place > LIVE_BACKLOG && isLive) {
        call.emit('error', callError(status.ABORTED, TOO_SLOW));
        return;
      }
      place += 1;
      looked += 1;
      isLive ||= place === store.records.length;
      if (faults.delayMs > 0) await sleep(faults.delayMs);
      if (passes(event)) {
        sent.events += 1;
        await written(call, eventMessage(event));
      }
      if (options.hasFilter() && looked % interval === 0) await written(call, checkpointMessage(event.at));
    }
  } finally {
    store.followers.delete(tell);
  }
};

export const readHandler = (store: EventStore, faults: Faults, sent: Sent) => async (call: Call) => {
  const error = met(faults, call.metadata);
  if (error !== null) return call.emit('error', error);
  if (faults.mute) return;
  if (faults.delayMs > 0) await sleep(faults.delayMs);
  const options = call.request.getOptions() as ReadReq.Options;
  if (options.hasSubscription()) {
    if (faults.lateSubscriptionMs > 0) await sleep(faults.lateSubscriptionMs);
    return follow(store, faults, sent, call, options);
  }
  const events = options.hasStream() ? ofStream(store, options) : ofAll(store, options);
  if (events === null && !options.hasStream()) return call.emit('error', INVALID());
  if (events === null) {
    await written(call, streamNotFoundMessage(nameOf(options.getStream()?.getStreamIdentifier())));
  }
  for (const event of events ?? []) {
    if (call.cancelled) return;
    sent.events += 1;
    await written(call, eventMessage(event));
  }
  call.end();
};
