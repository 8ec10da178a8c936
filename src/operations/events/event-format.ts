import type { RecordedEvent } from '../../write/log/port.ts';

/** Fields that no reader of events gets. */
const REDACTED = ['key_hash', 'successor_hash'] as const;

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
