import { expect, it } from 'vitest';
import { eventTypes } from '../../../src/write/event-types.ts';
import { createDecoder } from '../../../src/write/log/codec.ts';
import type { RecordedEvent } from '../../../src/write/log/port.ts';
import { type EventExample, eventExamples } from '../../support/event-examples.ts';

const readings = eventExamples().filter(({ data }) => 'observed_at' in (data as object));
const decoder = createDecoder(eventTypes);

const decoded = ({ type, stream, version, data }: EventExample, observedAt: string, recordedAt: string) => {
  const event = {
    position: 1n,
    revision: 0n,
    id: '01a20253-e8b7-7fbe-97e0-f6d430ff7812',
    type,
    stream,
    data: { ...(data as object), observed_at: observedAt },
    metadata: { version },
    recorded_at: recordedAt,
  } as unknown as RecordedEvent;
  return (decoder.decode(event) as RecordedEvent & { data: { observed_at: string } }).data.observed_at;
};

it.each(readings.map((reading) => [reading.type, reading] as const))(
  'a reading from the future counts as made when it was recorded: %s',
  (_, reading) => {
    const recordedAt = '2026-11-22T08:00:00.123456Z';
    expect(decoded(reading, '2026-11-23T08:00:00.000Z', recordedAt)).toBe('2026-11-22T08:00:00.123Z');
    // One that was made before keeps its time, however late it was recorded.
    for (const at of ['2026-11-22T08:00:00.123Z', '2025-01-01T00:00:00.000Z'])
      expect(decoded(reading, at, recordedAt)).toBe(at);
  },
);
