import { steadyMs } from '../../kernel/retry.ts';
import type { EventFilter, RecordedEvent } from '../../write/log/port.ts';
import { positionAtTime } from '../../write/position-at-time.ts';
import type { OperationsContext } from '../context.ts';
import { redacted } from './selection.ts';

/** The newest events that match, as far as they were looked for. */
export interface Newest {
  /** Newest first, redacted. */
  readonly events: readonly RecordedEvent[];
  /** Whether older ones may match: there are more, or the search ended before it had read everything. */
  readonly isCut: boolean;
  /** Milliseconds since 1970 from which on everything was searched; null if the whole log was. */
  readonly sinceMs: number | null;
}

const MINUTE_MS = 60_000;
/** How far back a search looks: ever further, until it has enough. Null is the whole log. */
const REACHES_MS = [
  ...[1, 10, 60, 6 * 60, 24 * 60, 7 * 24 * 60, 31 * 24 * 60].map((minutes) => minutes * MINUTE_MS),
  null,
];

/** A search ends after this time: a filter that nothing matches would read the whole log. */
const SEARCH_MS = 1_000;

/**
 * Searches the log backwards from an instant. A log reads forwards only, so the search reads the last minute, then ten, and so on.
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
  const to = before === undefined || before > head ? head : before - 1n;
  const untilMs = steadyMs() + SEARCH_MS;
  let found: Newest = { events: [], isCut: true, sinceMs: nowMs };
  let reached = to;
  for (const reachMs of REACHES_MS) {
    const after = reachMs === null ? 0n : await positionAtTime(log, nowMs - reachMs);
    if (after >= reached) continue;
    reached = after;
    const newest: RecordedEvent[] = [];
    let isMore = false;
    for await (const page of log.readAll(after, { ...filter, to })) {
      newest.push(...page.events.filter(matches));
      isMore ||= newest.length > limit;
      newest.splice(0, newest.length - limit);
      if (steadyMs() > untilMs) return found;
    }
    found = {
      events: newest.toReversed().map(redacted),
      isCut: isMore || after > 0n,
      sinceMs: after === 0n || reachMs === null ? null : nowMs - reachMs,
    };
    if (isMore) return found;
  }
  return found;
};
