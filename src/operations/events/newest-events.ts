import { steadyMs } from '../../kernel/retry.ts';
import type { EventFilter, EventLog, RecordedEvent } from '../../write/log/port.ts';
import { positionAtTime } from '../../write/position-at-time.ts';
import type { OperationsContext } from '../context.ts';
import { redacted } from './selection.ts';

/** The newest events that match, as far as they were looked for. */
export interface Newest {
  /** Newest first, redacted. */
  readonly events: readonly RecordedEvent[];
  /** Where to look further back: an event at or after it was found, if it matches. Null if the whole log was searched. */
  readonly before: bigint | null;
}

const MINUTE_MS = 60_000;
/** Positions of the first stretch; each further one is twice as long. */
const STRETCH = 2_000n;
const LONGEST = 64_000n;

/** A search ends after this time: a filter that nothing matches would read the whole log. */
const SEARCH_MS = 1_000;

/** The beginnings of ever longer stretches that end at a position: by positions, or by time where a log can't be read from any. */
async function* stretchesBefore(log: EventLog, to: bigint, nowMs: number): AsyncIterable<bigint> {
  if (log.canSeekAnyPosition === false) {
    for (const minutes of [1, 10, 60, 360, 1_440, 10_080, 44_640])
      yield await positionAtTime(log, nowMs - minutes * MINUTE_MS);
  } else {
    let after = to;
    for (let length = STRETCH; after > 0n; length = length < LONGEST ? length * 2n : LONGEST) {
      after = after > length ? after - length : 0n;
      yield after;
    }
  }
  yield 0n;
}

/**
 * Searches the log backwards. A log reads forwards only: so the search reads stretch after stretch, each before the last one, until it
 * has enough or its time is over. The first stretch is always read.
 * @param search `before`: only events before this position. `matches`: a further condition.
 */
export const newestEvents = async (
  { log }: Pick<OperationsContext, 'log'>,
  search: {
    readonly filter: EventFilter;
    readonly limit: number;
    readonly nowMs: number;
    readonly before?: bigint | undefined;
    readonly matches?: (event: RecordedEvent) => boolean;
  },
): Promise<Newest> => {
  const { filter, limit, nowMs, before, matches = () => true } = search;
  const head = await log.head();
  let to = before === undefined || before > head ? head : before - 1n;
  const untilMs = steadyMs() + SEARCH_MS;
  let events: readonly RecordedEvent[] = [];
  for await (const after of stretchesBefore(log, to, nowMs)) {
    if (after >= to) continue;
    const stretch: RecordedEvent[] = [];
    for await (const page of log.readAll(after, { ...filter, to }))
      stretch.push(...page.events.filter(matches));
    events = [...events, ...stretch.toReversed()];
    if (events.length > limit) {
      const shown = events.slice(0, limit);
      return { events: shown.map(redacted), before: shown.at(-1)?.position ?? null };
    }
    to = after;
    if (to === 0n) break;
    if (steadyMs() > untilMs) return { events: events.map(redacted), before: to + 1n };
  }
  return { events: events.map(redacted), before: null };
};
