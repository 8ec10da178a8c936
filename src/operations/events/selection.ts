import { OperatorError } from '../../kernel/errors.ts';
import type { EventFilter, EventLog, RecordedEvent } from '../../write/log/port.ts';

/** A range of the log and a filter. */
export interface Selection {
  /** The range starts after this position. */
  readonly after: bigint;
  /** Last position of the range; events that are appended later are not part of it. */
  readonly to: bigint;
  readonly filter: EventFilter;
}

/** Each option narrows the selection. */
export interface SelectionOptions {
  readonly stream?: string;
  readonly type?: string;
  /** First and last position. */
  readonly from?: bigint;
  readonly to?: bigint;
  /** `recorded_at` from `since` on and before `until`, in milliseconds since 1970. */
  readonly since?: number;
  readonly until?: number;
}

/** @throws {OperatorError} `argument_invalid` for an unknown type. */
export const checkType = async (type: string | undefined): Promise<void> => {
  if (type === undefined) return;
  const { eventTypes } = await import('../../write/event-types.ts');
  if (Object.hasOwn(eventTypes, type)) return;
  throw new OperatorError(
    'argument_invalid',
    `"${type}" is no event type. The event types are: ${Object.keys(eventTypes).join(', ')}`,
  );
};

/** The selection that the options describe, in the log as it is now. */
export const selectionOf = async (log: EventLog, options: SelectionOptions): Promise<Selection> => {
  const { positionAtTime } = await import('../../write/position-at-time.ts');
  const { from, to, since, until } = options;
  const head = await log.head();
  const after = maxOf(
    0n,
    from === undefined ? 0n : from - 1n,
    since === undefined ? 0n : await positionAtTime(log, since),
  );
  const last = minOf(head, to ?? head, until === undefined ? head : await positionAtTime(log, until));
  return { after, to: maxOf(after, last), filter: filterOf(options) };
};

/** The event without hashes of keys. Every operation that returns events redacts them here. */
export const redacted = (event: RecordedEvent): RecordedEvent => {
  const { data } = event;
  if (data === null || typeof data !== 'object') return event;
  const found = REDACTED.filter((name) => Object.hasOwn(data, name));
  if (found.length === 0) return event;
  return { ...event, data: { ...data, ...Object.fromEntries(found.map((name) => [name, '[redacted]'])) } };
};

/** The columns of an export, in their order. */
export const COLUMNS = [
  'position',
  'stream',
  'revision',
  'id',
  'type',
  'recorded_at',
  'data',
  'metadata',
] as const;

/** A redacted event as one JSON object. Positions and revisions are text: a JSON number holds no 64 bits. */
export const jsonOf = (event: RecordedEvent): string =>
  JSON.stringify({
    position: String(event.position),
    stream: event.stream,
    revision: String(event.revision),
    id: event.id,
    type: event.type,
    recorded_at: event.recorded_at,
    data: event.data,
    metadata: event.metadata,
  });

/** The fields of a redacted event for CSV, in the order of the columns. */
export const csvRecordOf = (event: RecordedEvent): readonly string[] => [
  String(event.position),
  event.stream,
  String(event.revision),
  event.id,
  event.type,
  event.recorded_at,
  JSON.stringify(event.data),
  JSON.stringify(event.metadata),
];

const filterOf = ({ stream, type }: SelectionOptions): EventFilter => ({
  ...(stream === undefined ? {} : { streamPrefixes: [stream] }),
  ...(type === undefined ? {} : { types: [type] }),
});

const minOf = (...positions: readonly bigint[]): bigint => positions.reduce((a, b) => (a < b ? a : b));
const maxOf = (...positions: readonly bigint[]): bigint => positions.reduce((a, b) => (a > b ? a : b));

/** Fields that no reader of events gets. */
const REDACTED = ['key_hash', 'successor_hash'] as const;
