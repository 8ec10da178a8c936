import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import { csvText } from '../../kernel/csv.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import type { Target } from './output-sink.ts';
import { type ReadOptions, selectedPages } from './read-events.ts';
import { COLUMNS, csvRecordOf, jsonOf, type Selection } from './selection.ts';
import type { TypedColumn } from './typed-columns.ts';

/** Writes redacted events in a format. A call resolves once its events are written, or buffered for their row group. */
interface EventWriter {
  write(events: readonly RecordedEvent[]): Promise<void>;
  end(): Promise<void>;
}

/** NDJSON: one object per line. */
export const ndjsonWriter = (target: Target): EventWriter => ({
  write: async (events) => {
    if (events.length > 0) await target.write(events.map((event) => `${jsonOf(event)}\n`).join(''));
  },
  end: async () => undefined,
});

/** CSV by RFC 4180: a header and records, each ending in CRLF. */
export const csvWriter = (target: Target): EventWriter => {
  let headed = false;
  const write = async (events: readonly RecordedEvent[]): Promise<void> => {
    const head = headed ? [] : [COLUMNS];
    headed = true;
    const text = csvText([...head, ...events.map(csvRecordOf)]);
    if (text !== '') await target.write(text);
  };
  return { write, end: () => write([]) };
};

/** Exports the selected events. @returns how many there were. */
export const exportEvents = async (
  log: EventLog,
  selection: Selection,
  writer: EventWriter,
  options: ReadOptions,
): Promise<number> => {
  let count = 0;
  for await (const events of selectedPages(log, selection, options)) {
    await writer.write(events);
    count += events.length;
  }
  await writer.end();
  return count;
};

/** Maximum rows of a row group, which is all that is held in memory; `GROUP_CHARACTERS` may end it earlier. */
export const GROUP_ROWS = 10_000;

/**
 * Parquet. The file is complete once `end` resolves.
 * @param typed further columns, which have the fields of the one type of event that is exported.
 */
export const parquetWriter = (target: Target, typed: readonly TypedColumn[] = []): EventWriter => {
  const writer = new ParquetWriter({
    writer: new TargetWriter(target),
    schema: [
      { name: 'event', num_children: COLUMNS.length + typed.length },
      ...ELEMENTS,
      ...typed.map(({ element }) => element),
    ],
    createdBy: 'sightline',
  });
  let group = emptyGroup();
  let values = typed.map((): ReturnType<TypedColumn['valueOf']>[] => []);
  let characters = 0;

  const add = (event: RecordedEvent): void => {
    const data = JSON.stringify(event.data);
    group.position.push(event.position);
    group.stream.push(event.stream);
    group.revision.push(event.revision);
    group.id.push(event.id);
    group.type.push(event.type);
    group.recorded_at.push(new Date(event.recorded_at));
    group.data.push(data);
    group.metadata.push(JSON.stringify(event.metadata));
    for (const [i, column] of typed.entries()) values[i]?.push(column.valueOf(event.data));
    characters += data.length;
  };

  const writeGroup = async (): Promise<void> => {
    const columnData = COLUMNS.map((name) => ({
      name,
      data: group[name],
      // Bounds of JSON texts and IDs are useless, and would enlarge the footer.
      statistics: name !== 'data' && name !== 'metadata' && name !== 'id',
    }));
    const typedData = typed.map(({ element: { name, type } }, i) => ({
      name,
      data: values[i] ?? [],
      statistics: type !== 'BYTE_ARRAY',
    }));
    await writer.write({ columnData: [...columnData, ...typedData], rowGroupSize: GROUP_ROWS });
    group = emptyGroup();
    values = typed.map(() => []);
    characters = 0;
  };

  return {
    write: async (events) => {
      for (const event of events) {
        add(event);
        if (group.position.length >= GROUP_ROWS || characters >= GROUP_CHARACTERS) await writeGroup();
      }
    },
    end: async () => {
      if (group.position.length > 0) await writeGroup();
      await writer.finish();
    },
  };
};

type Column = (typeof COLUMNS)[number];

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;

const TYPES: Readonly<Record<Column, Pick<SchemaElement, 'type' | 'converted_type'>>> = {
  position: { type: 'INT64' },
  stream: TEXT,
  revision: { type: 'INT64' },
  id: TEXT,
  type: TEXT,
  recorded_at: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  data: TEXT,
  metadata: TEXT,
};

const ELEMENTS = COLUMNS.map(
  (name): SchemaElement => ({ name, repetition_type: 'REQUIRED', ...TYPES[name] }),
);

const GROUP_CHARACTERS = 8_000_000;

/** Passes the bytes of each complete row group to the target. */
class TargetWriter extends ByteWriter {
  readonly #target: Target;

  constructor(target: Target) {
    super(1 << 20);
    this.#target = target;
  }

  async flush(): Promise<void> {
    await this.#target.write(this.getBytes());
    this.index = 0;
  }

  override finish(): Promise<void> {
    return this.flush();
  }
}

/** Rows of a group, a list a column. */
const emptyGroup = () => ({
  position: [] as bigint[],
  stream: [] as string[],
  revision: [] as bigint[],
  id: [] as string[],
  type: [] as string[],
  recorded_at: [] as Date[],
  data: [] as string[],
  metadata: [] as string[],
});
