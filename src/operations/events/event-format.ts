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

const SPECIAL = /[",\r\n]/;

/** A field as RFC 4180 has it: in quotes, which are doubled inside, where it holds a quote, a comma or a line end. */
export const csvField = (text: string): string =>
  SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

export const CSV_HEAD = COLUMNS.join(',');

/** A redacted event as a record of CSV, without its line end. */
export const csvOf = (event: RecordedEvent): string =>
  [
    String(event.position),
    csvField(event.stream),
    String(event.revision),
    event.id,
    csvField(event.type),
    event.recorded_at,
    csvField(JSON.stringify(event.data)),
    csvField(JSON.stringify(event.metadata)),
  ].join(',');
