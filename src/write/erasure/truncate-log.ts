/**
 * Removes from the log in EventStoreDB what it says of erased accounts. No event can be removed from the middle of a stream there: a
 * stream begins later, and what others have before is appended again behind. References in streams of others stay: the fence masks
 * them at each read.
 */

import { isoOf, systemClock } from '../../kernel/clock.ts';
import { uuidV5, uuidV7 } from '../../kernel/ids.ts';
import type { EventDecoder } from '../log/codec.ts';
import type { EventStoreLog } from '../log/eventstoredb/index.ts';
import type { EventLog, RecordedEvent } from '../log/port.ts';
import type { Names, Refused } from './fence.ts';
import { createJudge, type ForgetOptions, renamed } from './forget-log.ts';
import { type Marker, SUBJECTS_STREAM } from './subject.ts';

/** The names of some subjects alone: what was erased before is void already. */
const namesOf = (fence: Refused, subjects: ReadonlySet<string>): Pick<Refused, 'asOf'> => {
  return {
    asOf: (position) => {
      const all = fence.asOf(position);
      const isOf: Names['has'] = (...name) => subjects.has(all.subjectOf(...name) ?? '');
      return {
        has: isOf,
        maskOf: (...name) => (isOf(...name) ? all.maskOf(...name) : null),
        subjectOf: (...name) => (isOf(...name) ? all.subjectOf(...name) : null),
        liftOf: (platform, handle) =>
          isOf(platform, 'handle', handle) ? all.liftOf(platform, handle) : null,
      };
    },
  };
};

/** How a stream goes on without an erased account. */
interface Cut {
  /** The revision that it begins at. */
  readonly before: bigint;
  /** What is appended again: all that is not the account's, in its order, if some of it would be lost. */
  readonly again: readonly RecordedEvent[];
}

const SHOW_WHO = new Set(['AccountSighted', 'FollowsSighted']);

/** The ID of an event that is appended again. */
const againId = (id: string): string => uuidV5(`again ${id}`);

/** @param all events of the stream, as far as it was not truncated before. Null if it may stay as it is. */
const cutOf = (
  { judge }: ReturnType<typeof createJudge>,
  names: Names,
  stream: string,
  all: readonly RecordedEvent[],
): Cut | null => {
  // A run that ended may have appended some of it again.
  const again = new Set(all.map(({ id }) => againId(id)));
  const first = all.findIndex(({ id }) => again.has(id));
  const events = first < 0 ? all : all.slice(0, first);
  const kept: RecordedEvent[] = [];
  let through = -1n;
  for (const event of events) {
    if (judge(event)?.isErased === true) through = event.revision;
    else if (event.metadata.erased !== true) kept.push(event);
  }
  const last = events.at(-1);
  if (last === undefined) return null;
  // A stream that is named after the account, and that shows nobody else, has nothing that is not about it.
  if (renamed(names, stream) !== null && !kept.some(({ type }) => SHOW_WHO.has(type)))
    return { before: last.revision + 1n, again: [] };
  if (through < 0n) return null;
  return kept.some(({ revision }) => revision < through)
    ? { before: last.revision + 1n, again: kept }
    : { before: through + 1n, again: [] };
};

/** Appends events behind all others of their stream. They are the same events however often it is tried. */
const appendAgain = async (log: EventLog, { again }: Cut): Promise<void> => {
  for (const { id, stream, type, data, metadata } of again)
    await log.append(stream, [{ id: againId(id), type, data, metadata }], 'any');
};

/** Streams that one entry of the ledger names at most. */
const MAX_STREAMS = 1_000;

export interface Truncated {
  /** Events of the accounts, and events of others that name them. */
  readonly events: number;
  readonly references: number;
}

/**
 * Goes through the log once, for some subjects. A run that ended anywhere is taken up by the next one: streams that were truncated show
 * nothing of them any more. The ledger says first where streams begin, so that no reader sees an event twice.
 * @param log without the codec.
 * @param ledger the same with it.
 */
export const truncateInLog = async (
  {
    log,
    ledger,
    decoder,
    fence,
    marker,
  }: {
    readonly log: EventStoreLog;
    readonly ledger: Pick<EventLog, 'append'>;
    /** One that lets everything pass. */
    readonly decoder: Pick<EventDecoder, 'decode'>;
    readonly fence: Refused;
    readonly marker: Marker;
  },
  subjects: ReadonlySet<string>,
  { signal, onProgress }: ForgetOptions,
): Promise<Truncated> => {
  const names = namesOf(fence, subjects);
  const scan = createJudge(names, decoder);
  const head = await log.head();
  let events = 0;
  let references = 0;
  for await (const page of log.readAll(0n, { to: head })) {
    signal.throwIfAborted();
    for (const event of page.events) {
      const change = scan.judge(event);
      if (change?.isErased === true) events += 1;
      else if (change !== null) references += 1;
    }
    onProgress(Number(page.endPosition), Number(head));
  }
  const streams = scan.streams();
  for (let from = 0; from < streams.length; from += MAX_STREAMS) {
    const cuts = new Map<string, Cut>();
    for (const stream of streams.slice(from, from + MAX_STREAMS)) {
      signal.throwIfAborted();
      const cut = cutOf(createJudge(names, decoder), names.asOf(head), stream, await log.readStream(stream));
      if (cut === null) continue;
      await appendAgain(log, cut);
      cuts.set(stream, cut);
    }
    if (cuts.size === 0) continue;
    const nowMs = systemClock.now();
    const data = {
      at: isoOf(nowMs),
      streams: [...cuts].map(([stream, { before }]) => ({
        digest: marker.streamDigest(stream),
        hint: marker.streamHint(stream),
        before: Number(before),
      })),
      appended: [...cuts.values()].reduce((sum, { again }) => sum + again.length, 0),
    };
    const event = { id: uuidV7(nowMs), type: 'SubjectStreamsTruncated', data };
    await ledger.append(SUBJECTS_STREAM, [event], 'any');
    for (const [stream, { before }] of cuts) await log.truncate(stream, before);
  }
  return { events, references };
};
