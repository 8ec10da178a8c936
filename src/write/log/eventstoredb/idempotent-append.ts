import { isDeepStrictEqual } from 'node:util';
import type { AppendOutcome, NewEvent, RecordedEvent } from '../port.ts';
import type { Connection } from './connection.ts';
import { readStream } from './read.ts';

const FIRST_LOOK = 32;
const LOOKAHEAD = 500;
/** Maximum clock skew between writers and nodes. */
const SKEW_MS = 60 * 60 * 1_000;

/** Time of a UUIDv7; null for other versions, which may be as old as their cause. */
const drawnAt = (id: string): number | null =>
  id[14] === '7' ? Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : null;

/** Earliest time at which the events can have been recorded; null if unknown. */
const notBefore = (events: readonly NewEvent[]): number | null => {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { id } of events) {
    const at = drawnAt(id);
    if (at === null) return null;
    earliest = Math.min(earliest, at);
  }
  return earliest - SKEW_MS;
};

/** Whether an event stands in its stream as it is to be appended. */
const isSame = ({ id, type, data }: NewEvent, recorded: RecordedEvent | undefined): boolean =>
  recorded?.id === id &&
  recorded.type === type &&
  // As JSON has it: without what is undefined.
  isDeepStrictEqual(recorded.data, JSON.parse(JSON.stringify(data)));

export interface PriorAppend {
  /**
   * The outcome of the events' first append; a conflict if the stream contains only some of them, not consecutively, or
   * with other contents; null if it contains none.
   */
  readonly outcome: AppendOutcome | null;
  /** The stream's last revision; null if it does not exist. */
  readonly last: bigint | null;
}

/**
 * Searches a stream for events, from its end back to an hour before their IDs were drawn, or to the start if that
 * is unknown.
 */
export const findPriorAppend = async (
  connection: Connection,
  stream: string,
  events: readonly NewEvent[],
): Promise<PriorAppend> => {
  const ids = new Set(events.map(({ id }) => id));
  const limit = notBefore(events);
  const found: RecordedEvent[] = [];
  let last: bigint | null = null;
  let from: bigint | undefined;
  for (;;) {
    const size = from === undefined ? FIRST_LOOK : LOOKAHEAD;
    const page = await readStream(connection, stream, {
      direction: 'backwards',
      limit: size,
      ...(from === undefined ? {} : { from }),
    });
    last ??= page[0]?.revision ?? null;
    found.push(...page.filter(({ id }) => ids.has(id)));
    const oldest = page.at(-1);
    if (found.length >= events.length || page.length < size || oldest === undefined || oldest.revision === 0n)
      break;
    if (limit !== null && Date.parse(oldest.recorded_at) < limit) break;
    from = oldest.revision - 1n;
  }
  const [newest] = found;
  if (newest === undefined) return { outcome: null, last };
  const run = found.reverse();
  if (run.length !== events.length || events.some((event, i) => !isSame(event, run[i]))) {
    return { outcome: { status: 'conflict', revision: last }, last };
  }
  return { outcome: { status: 'appended', revision: newest.revision, position: newest.position }, last };
};
