import { PLATFORMS, type Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import type { VoidingType } from '../write/erasure/subject.ts';
import type { EventDataOf, EventType } from '../write/event-types.ts';
import type { RecordedEvent } from '../write/log/port.ts';

/** An event as a build applies it. */
export interface AppliedEvent extends RecordedEvent {
  /**
   * The position of the retry, for an event of a stream that was parked; otherwise the event takes effect at its
   * own.
   */
  readonly appliedAt?: bigint;
  /**
   * For an event of a stream without a platform: the platform whose writer applies it now, since every platform's writer applies
   * it. Absent if one writer applies all events.
   */
  readonly platform?: Platform;
}

/** An event as a handler receives it. */
export interface ProjectedEvent<Type extends EventType = EventType> extends AppliedEvent {
  readonly type: Type;
  readonly data: EventDataOf<Type>;
}

/** Handlers by event type. The keys are the projection's subscription. */
export type Handlers<State> = {
  readonly [Type in EventType]?: (state: State, event: ProjectedEvent<Type>) => void;
};

/** A handler by which a view forgets an erased account. */
type Forgetting = {
  readonly [Type in VoidingType]: (state: never, event: ProjectedEvent<Type>) => void;
}[VoidingType];

/** The rows of one build during writing. A build has one writer, so rows may be cached between batches. */
export interface Fold {
  /** Loads the rows that the events may change. */
  load(db: Queryable, events: readonly AppliedEvent[]): Promise<void>;
  /** Applies one event to the rows in memory. */
  apply(event: AppliedEvent): void;
  /** Writes changed rows, one statement a table. */
  store(db: Queryable): Promise<void>;
  /** Discards the cache after a failed batch or a checkpoint conflict. */
  reset(): void;
  /** Optional: buffers rows while a build without readers is created. */
  readonly building?: {
    /** Writes append-only rows. The buffer is taken synchronously, so folding can continue during the write. */
    flush(db: Queryable): Promise<void>;
    /** Whether the buffer must be stored before more rows are loaded. */
    isFull(): boolean;
  };
}

/** The only partition of a build that one writer maintains. */
export const UNPARTITIONED = 'all';

const OF_PLATFORMS: ReadonlySet<string> = new Set(PLATFORMS);

/** Whether a partition of a build is one of a Kafka topic. */
export const isOfTopic = (partition: string): boolean =>
  partition !== UNPARTITIONED && !OF_PLATFORMS.has(partition);

/** A read model in tables of its own, derived from the log. */
export interface Projection {
  readonly name: string;
  /** Increment when tables or handlers change: the new version is built from the log. */
  readonly version: number;
  /**
   * The order of events that the rows depend on. It determines how the work can be divided:
   * - `stream`: the order within each stream. Consumers share the partitions of Kafka topics. Without Kafka, writers share the
   * platforms, if every stream belongs to one.
   * - `platform`: the order of all streams of one platform; no row belongs to two. Writers share the platforms. Every writer
   * applies the events of streams without a platform.
   * - `global`: the order of the log. One writer.
   * Decision: `docs/adr/0006-order-by-platform.md`.
   */
  readonly order: 'stream' | 'platform' | 'global';
  /**
   * Least milliseconds between two pages that are not full; none by default. What an event changes may cost much more than the
   * event: however often it comes, that is worked out once within this time.
   */
  readonly paceMs?: number;
  readonly types: readonly EventType[];
  /** Its handler of accounts that are erased; `no accounts` if none of its rows is about one. */
  readonly forgets: Forgetting | 'no accounts';
  /** Categories of its streams. They narrow the subscription, and are required unless the order is `global`. */
  readonly streamPrefixes?: readonly string[];
  /**
   * Prefixes of streams that may be parked at a poison event, so that all others continue; none by default. A poison event of any
   * other stream stalls the projection: data that decides on access must not be applied incompletely.
   */
  readonly parks?: readonly string[];
  /** Tables, with the keys that folding needs. */
  readonly tables: (schema: string) => string;
  /** Indexes for readers only. Creating them after catch-up is several times faster. */
  readonly indexes: (schema: string) => string;
  readonly open: (schema: string) => Fold;
}

/** Dispatches events to their handlers. The log has validated them. */
export const dispatch =
  <State>(handlers: Handlers<State>) =>
  (state: State, event: RecordedEvent): void => {
    const handler = handlers[event.type as EventType] as
      | ((state: State, event: RecordedEvent) => void)
      | undefined;
    handler?.(state, event);
  };

export const typesOf = <State>(handlers: Handlers<State>): readonly EventType[] =>
  Object.keys(handlers) as EventType[];
