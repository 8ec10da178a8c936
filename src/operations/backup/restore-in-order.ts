import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '../../kernel/errors.ts';
import { uuidV5 } from '../../kernel/ids.ts';
import { READ_BACKOFF, retryForMs } from '../../kernel/retry.ts';
import type { OrderedAppend } from '../../write/log/eventstoredb/append.ts';
import type { EventStoreLog } from '../../write/log/eventstoredb/index.ts';
import {
  LogRequestRejectedError,
  LogUnavailableError,
  type NewEvent,
  type RecordedEvent,
} from '../../write/log/port.ts';
import { eventOf, type Lines } from './log-file.ts';

export interface InOrderOptions {
  readonly signal: AbortSignal;
  /** Called with the number of events that were read back and equal the backup. */
  readonly onLoaded: (events: number) => void;
  /** Events that are appended before they are read back. */
  readonly windowEvents?: number;
  /** Whether revisions may be missing, as they do once streams were truncated. */
  readonly mayHaveGaps?: boolean;
  /** How long the log may take to return confirmed events, since followers lag behind the leader. */
  readonly visibleMs?: number;
}

/**
 * Appends a backup's events to a log that assigns its own positions and times. They keep their order, since streams can
 * depend on each other, although many appends are in flight. Everything is read back, window by window, and compared with
 * the backup: order, revisions and contents. An interrupted restore is resumed: its events are compared, not appended
 * again.
 * @param log without the codec, so that events are restored as they were stored, in any version.
 * @throws {OperatorError} `restore_differs` or `target_not_empty` with the first event that differs from the backup;
 * `restore_interrupted` if the log is unavailable, after which the same call resumes.
 */
export const loadInOrder = async (log: OrderedLog, lines: Lines, options: InOrderOptions): Promise<void> => {
  try {
    await load(log, lines, options);
  } catch (error) {
    throw translated(error);
  }
};

/** A log whose appends keep an order across streams. */
type OrderedLog = Pick<EventStoreLog, 'readAll' | 'head' | 'appendInOrder'>;

/** Some 4 MB of events, twice: one window is read back while the next is appended. */
const WINDOW_EVENTS = 4_000;
const VISIBLE_MS = 10_000;

/** Approximate characters of one append: a node accepts at most a megabyte. */
const MAX_AT_ONCE = 256 * 1_024;

/** About that of the smallest events. */
const GAP_SIZE = 200;

/** An event of the backup in the form that the log should have. */
type Wanted = Pick<RecordedEvent, 'id' | 'stream' | 'revision' | 'type' | 'data' | 'metadata'> & {
  readonly size: number;
};

/**
 * Revisions that events will have in the log. A backup keeps the revisions of its source. They have gaps only in streams
 * of holders, where settlements were left out.
 */
const createNumbering = () => {
  const next = new Map<string, bigint>();
  return ({ stream, revision }: RecordedEvent): bigint => {
    if (!stream.startsWith('holder-')) return revision;
    const own = next.get(stream) ?? 0n;
    next.set(stream, own + 1n);
    return own;
  };
};

/**
 * What stands in place of events that were erased before the backup was made, so that those behind them keep their revisions: the same
 * that an erasure leaves of an event in Postgres.
 */
const createGaps = () => {
  const next = new Map<string, bigint>();
  return ({ stream, revision, type }: Wanted): readonly Wanted[] => {
    const gap: Wanted[] = [];
    for (let at = next.get(stream) ?? 0n; at < revision; at++) {
      const id = uuidV5(`erased ${stream} ${at}`);
      gap.push({ id, stream, revision: at, type, data: {}, metadata: { erased: true }, size: GAP_SIZE });
    }
    next.set(stream, revision + 1n);
    return gap;
  };
};

/** The backup's events in windows of at least a number of them. */
async function* windowsOf(
  lines: Lines,
  least: number,
  mayHaveGaps: boolean,
): AsyncGenerator<readonly Wanted[], void, undefined> {
  const revisionOf = createNumbering();
  const gapBefore = createGaps();
  let window: Wanted[] = [];
  for await (const batch of lines) {
    for (const line of batch) {
      const event = eventOf(line);
      const { id, stream, type, data, metadata } = event;
      const wanted = { id, stream, revision: revisionOf(event), type, data, metadata, size: line.length };
      if (mayHaveGaps) window.push(...gapBefore(wanted));
      window.push(wanted);
      if (window.length < least) continue;
      yield window;
      window = [];
    }
  }
  if (window.length > 0) yield window;
}

const newEvent = ({ id, type, data, metadata }: Wanted): NewEvent => ({ id, type, data, metadata });

/** Appends of events, in order. Consecutive events of a stream are one append. */
const appendsOf = (events: readonly Wanted[]): readonly OrderedAppend[] => {
  const appends: { stream: string; events: NewEvent[]; expected: OrderedAppend['expected'] }[] = [];
  let size = 0;
  for (const event of events) {
    const run = appends.at(-1);
    if (run?.stream === event.stream && size + event.size <= MAX_AT_ONCE) {
      run.events.push(newEvent(event));
      size += event.size;
    } else {
      const expected = event.revision === 0n ? 'no_stream' : event.revision - 1n;
      appends.push({ stream: event.stream, events: [newEvent(event)], expected });
      size = event.size;
    }
  }
  return appends;
};

const isSame = (wanted: Wanted, { id, stream, revision, type, data, metadata }: RecordedEvent): boolean =>
  wanted.id === id &&
  wanted.stream === stream &&
  wanted.revision === revision &&
  wanted.type === type &&
  isDeepStrictEqual(wanted.data, data) &&
  isDeepStrictEqual({ ...wanted.metadata }, { ...metadata });

const nameOf = ({ type, stream, revision }: Pick<Wanted, 'type' | 'stream' | 'revision'>): string =>
  `${type} of ${stream} (revision ${revision})`;

/** Where the log differs from the backup. */
interface Difference {
  /** The number of the event in the backup, from 1. */
  readonly at: number;
  readonly wanted: Wanted | undefined;
  readonly found: RecordedEvent;
  /** Events of the backup that come later there. */
  readonly later: readonly Wanted[];
}

const differs = ({ at, wanted, found, later }: Difference): OperatorError => {
  const position = `at position ${found.position}`;
  if (wanted !== undefined && later.some(({ id, stream }) => id === found.id && stream === found.stream)) {
    return new OperatorError(
      'restore_differs',
      `The event log has another order than the backup: event ${at} of the backup is ${nameOf(wanted)}, and ${position} the ` +
        `log has ${nameOf(found)}, which comes later in the backup. The ${at - 1} events before are in order. The node ` +
        'refused an append and wrote later ones; what it wrote keeps its position. Empty the node, and restore again.',
    );
  }
  if (wanted !== undefined && wanted.id === found.id && wanted.stream === found.stream) {
    return new OperatorError(
      'restore_differs',
      `The event log differs from the backup: ${position}, ${nameOf(found)} has the id of event ${at} of the backup, ` +
        `${nameOf(wanted)}, and another type, revision, data or metadata. Empty the node, and restore again.`,
    );
  }
  return new OperatorError(
    'target_not_empty',
    `The event log holds other events than the backup: ${position} it has ${nameOf(found)}, and the backup ` +
      `${wanted === undefined ? 'ends before' : `has ${nameOf(wanted)} there`}. Restore into an empty one.`,
  );
};

interface Window {
  readonly events: readonly Wanted[];
  /** Events of the backup before it. */
  readonly before: number;
}

/**
 * Compares the events of a window, from index `from` on, with those that the log has after a position.
 * @returns how many of them the log has, and the position of the last one.
 * @throws {OperatorError} if the log has a different event.
 */
const compare = async (
  log: OrderedLog,
  { events, before }: Window,
  from: number,
  after: bigint,
): Promise<{ readonly same: number; readonly position: bigint }> => {
  let same = 0;
  let position = after;
  if (from === events.length) return { same, position };
  for await (const page of log.readAll(after, { pageSize: events.length - from })) {
    for (const found of page.events) {
      const wanted = events[from + same];
      if (wanted === undefined) return { same, position };
      if (!isSame(wanted, found)) {
        throw differs({ at: before + from + same + 1, wanted, found, later: events.slice(from + same + 1) });
      }
      same += 1;
      position = found.position;
    }
    if (from + same === events.length) break;
  }
  return { same, position };
};

/** Thrown while a node does not return confirmed events. */
class NotVisibleError extends Error {
  override readonly name = 'NotVisibleError';
}

const untilVisible = (
  log: OrderedLog,
  window: Window,
  from: number,
  after: bigint,
  visibleMs: number,
): Promise<bigint> =>
  retryForMs(
    visibleMs,
    READ_BACKOFF,
    async () => {
      const { same, position } = await compare(log, window, from, after);
      const missing = window.events[from + same];
      if (missing === undefined) return position;
      throw new NotVisibleError(
        `the event log confirmed event ${window.before + from + same + 1} of the backup, ${nameOf(missing)}, and does not ` +
          'return it',
      );
    },
    (error, isLate) => {
      if (!(error instanceof NotVisibleError)) throw error;
      if (isLate) throw new OperatorError('restore_differs', error.message, { cause: error });
    },
  );

/** @throws {OperatorError} if the log holds anything after the last event of the backup. */
const checkEnd = async (log: OrderedLog, events: number, position: bigint): Promise<void> => {
  for await (const page of log.readAll(position, { pageSize: 1 })) {
    const [found] = page.events;
    if (found !== undefined) throw differs({ at: events + 1, wanted: undefined, found, later: [] });
  }
};

const translated = (error: unknown): unknown => {
  if (error instanceof LogRequestRejectedError) {
    return new OperatorError(
      'restore_differs',
      `The event log refuses an event of the backup: ${error.message}.`,
      {
        cause: error,
      },
    );
  }
  if (error instanceof LogUnavailableError) {
    return new OperatorError(
      'restore_interrupted',
      `The restore was interrupted, because the event log is unavailable: ${error.message}. The same command resumes it.`,
      { cause: error },
    );
  }
  return error;
};

const load = async (
  log: OrderedLog,
  lines: Lines,
  {
    signal,
    onLoaded,
    windowEvents = WINDOW_EVENTS,
    mayHaveGaps = false,
    visibleMs = VISIBLE_MS,
  }: InOrderOptions,
): Promise<void> => {
  /** Up to here the log may hold events of an interrupted restore. */
  const head = await log.head();
  let position = 0n;
  let before = 0;
  let readingBack: Promise<void> = Promise.resolve();
  for await (const events of windowsOf(lines, windowEvents, mayHaveGaps)) {
    signal.throwIfAborted();
    const window = { events, before };
    let present = 0;
    if (position < head) {
      const left = await compare(log, window, 0, position);
      present = left.same;
      position = left.position;
    }
    try {
      if (present < events.length) await log.appendInOrder(appendsOf(events.slice(present)), { signal });
    } finally {
      // Its failure takes precedence, since it is about earlier events.
      await readingBack;
    }
    const from = position;
    readingBack = untilVisible(log, window, present, from, visibleMs).then((end) => {
      position = end;
      onLoaded(window.before + events.length);
    });
    readingBack.catch(() => undefined);
    // Within the events of an interrupted restore, the next comparison needs this position.
    if (position < head) await readingBack;
    before += events.length;
  }
  await readingBack;
  signal.throwIfAborted();
  await checkEnd(log, before, position);
};
