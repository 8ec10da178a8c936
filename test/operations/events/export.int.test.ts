import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/kernel/logger.ts';
import {
  csvWriter,
  exportEvents,
  GROUP_ROWS,
  ndjsonWriter,
  parquetWriter,
} from '../../../src/operations/events/export.ts';
import { intoFile, type Target } from '../../../src/operations/events/output-sink.ts';
import { type SelectionOptions, selectionOf } from '../../../src/operations/events/selection.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { withValidation } from '../../../src/write/log/codec.ts';
import type { EventLog, RecordedEvent } from '../../../src/write/log/port.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import { parseCsv } from '../../support/csv.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { decodeEvent, memoryLog } from '../../support/memory-log.ts';

const WRITERS = { ndjson: ndjsonWriter, csv: csvWriter, parquet: parquetWriter };
type Format = keyof typeof WRITERS;
const FORMATS = Object.keys(WRITERS) as Format[];

const AT = '2026-11-21T08:00:00.000Z';
const read = { observed_at: AT, source: 'crawler', surface: 'page' };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-export-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const openEventLog = ({ db, url }: TestDatabase): EventLog =>
  withValidation(createPostgresLog(db, url, silentLogger), eventTypes);

const exported = async (
  log: EventLog,
  format: Format,
  options: SelectionOptions = {},
  onProgress: (done: number) => void = () => undefined,
): Promise<string> => {
  const file = join(folder, `${randomUUID()}.${format}`);
  const selection = await selectionOf(log, options);
  await intoFile(file, async (target) => {
    const reading = { signal: new AbortController().signal, onProgress };
    await exportEvents(log, selection, WRITERS[format](target), reading);
  });
  return file;
};

interface Row {
  readonly position: bigint;
  readonly stream: string;
  readonly revision: bigint;
  readonly id: string;
  readonly type: string;
  readonly recorded_at: string;
  readonly data: string;
  readonly metadata: string;
}

/** The rows of a file as another program reads them. */
const READERS: Readonly<Record<Format, (file: string) => Promise<Row[]>>> = {
  ndjson: async (file) =>
    (await readFile(file, 'utf8'))
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))
      .map((row) => ({
        ...row,
        position: BigInt(row.position),
        revision: BigInt(row.revision),
        data: JSON.stringify(row.data),
        metadata: JSON.stringify(row.metadata),
      })),
  csv: async (file) => {
    const [head = [], ...records] = parseCsv(await readFile(file, 'utf8'));
    return records.map((record) => {
      expect(record).toHaveLength(head.length);
      const row = Object.fromEntries(record.map((field, i) => [head[i], field])) as Record<keyof Row, string>;
      return { ...row, position: BigInt(row.position), revision: BigInt(row.revision) };
    });
  },
  parquet: async (file) =>
    (await parquetReadObjects({ file: await asyncBufferFromFile(file) })).map(
      (row) => ({ ...row, recorded_at: (row.recorded_at as Date).toISOString() }) as Row,
    ),
};

const rowOf = (event: RecordedEvent, data: unknown = event.data): Row => ({
  position: event.position,
  stream: event.stream,
  revision: event.revision,
  id: event.id,
  type: event.type,
  recorded_at: event.recorded_at,
  data: JSON.stringify(data),
  metadata: JSON.stringify(event.metadata),
});

describe('an export of a log', () => {
  let database: TestDatabase;
  let log: EventLog;

  beforeAll(async () => {
    database = await createTestDatabase();
    log = openEventLog(database);
    const unchanged = (surface: string) => ({
      id: randomUUID(),
      type: 'AccountUnchanged',
      data: { ...read, surface, moved: { followers: 5 } },
      metadata: { request_id: 'req_"1", or so' },
    });
    const gone = { id: randomUUID(), type: 'AccountUnavailable', data: { ...read, status: 'absent' } };
    const issued = {
      id: randomUUID(),
      type: 'KeyIssued',
      data: { at: AT, key_id: 'key_1', key_hash: 'a'.repeat(64), scopes: [], label: 'one, "two"\nthree' },
    };
    for (const [stream, ...events] of [
      ['account-x:nasa', unchanged('say "hi",\r\nthen → 日本 🐙'), gone],
      ['account-bluesky:bsky.app', unchanged('page'), unchanged('api')],
      ['holder-acme', issued],
      ['account-x:esa', { ...gone, id: randomUUID() }],
    ] as const) {
      await log.append(stream, [...events], 'any');
    }
    // A second apart, from 08:00:01 on.
    await database.db.query(
      `update log.events set recorded_at = timestamptz '${AT}' + position * interval '1 second'`,
    );
  });
  afterAll(async () => {
    await log.close();
    await database.drop();
  });

  const held = async (): Promise<RecordedEvent[]> => {
    const events: RecordedEvent[] = [];
    for await (const page of log.readAll(0n)) events.push(...page.events);
    return events;
  };

  it.each(FORMATS)('as %s has every event of the log, without hashes of keys', async (format) => {
    const events = await held();
    const rows = await READERS[format](await exported(log, format));
    expect(rows).toEqual(
      events.map((event) =>
        rowOf(
          event,
          event.type === 'KeyIssued' ? { ...(event.data as object), key_hash: '[redacted]' } : event.data,
        ),
      ),
    );
    expect(rows).toHaveLength(6);
  });

  const second = (n: number) => Date.parse(AT) + n * 1_000;
  const cases: [string, SelectionOptions, number[]][] = [
    ['streams', { stream: 'account-x:' }, [1, 2, 6]],
    ['a stream of another family', { stream: 'holder-' }, [5]],
    ['type', { type: 'AccountUnavailable' }, [2, 6]],
    ['positions, both of them wanted', { from: 2n, to: 4n }, [2, 3, 4]],
    ['times, from the one on and before the other', { since: second(2), until: second(5) }, [2, 3, 4]],
    ['a time to the millisecond', { since: second(2) + 1, until: second(5) + 1 }, [3, 4, 5]],
    ['all of these', { stream: 'account-', type: 'AccountUnchanged', from: 2n, until: second(4) }, [3]],
    ['what nothing is', { since: second(60) }, []],
  ];
  describe.each(FORMATS)('as %s', (format) => {
    it.each(cases)('is narrowed by %s', async (_what, options, positions) => {
      const rows = await READERS[format](await exported(log, format, options));
      expect(rows.map((row) => Number(row.position))).toEqual(positions);
    });
  });

  it('ends at the head that the log had at the start', async () => {
    const selection = await selectionOf(log, {});
    const before = await log.head();
    await log.append(
      'account-x:late',
      [{ id: randomUUID(), type: 'AccountUnchanged', data: { ...read, moved: {} } }],
      'any',
    );
    const positions: bigint[] = [];
    const writer = {
      write: async (events: readonly RecordedEvent[]) => {
        positions.push(...events.map((event) => event.position));
      },
      end: async () => undefined,
    };
    const reading = { signal: new AbortController().signal, onProgress: () => undefined };
    await exportEvents(log, selection, writer, reading);
    expect(positions.at(-1)).toBe(before);
  });
});

describe('a row group of Parquet', () => {
  const groupsOf = async (file: string): Promise<number[]> =>
    (await parquetMetadataAsync(await asyncBufferFromFile(file))).row_groups.map((group) =>
      Number(group.num_rows),
    );

  it('has a bounded number of rows, and is written when full', async () => {
    const events = Array.from({ length: 2 * GROUP_ROWS + 5 }, (_, i) => decodeEvent(i + 1));
    const { log } = memoryLog(events);
    const left: number[] = [];
    let passed = 0;
    const target: Target = {
      write: async (chunk) => {
        if (chunk.length > 1_000) left.push(passed);
      },
    };
    const reading = {
      signal: new AbortController().signal,
      onProgress: (done: number) => {
        passed = done;
      },
    };
    await exportEvents(log, await selectionOf(log, {}), parquetWriter(target), reading);
    // The page that fills a group is under way when the group leaves.
    expect(left.slice(0, 2)).toEqual([GROUP_ROWS - 1_000, 2 * GROUP_ROWS - 1_000]);
    const file = await exported(log, 'parquet');
    expect(await groupsOf(file)).toEqual([GROUP_ROWS, GROUP_ROWS, 5]);
    expect(await READERS.parquet(file)).toEqual(events.map((event) => rowOf(event)));
  });

  it('has a bounded amount of text', async () => {
    const events = [1, 2, 3, 4, 5].map((position) =>
      decodeEvent(position, { data: { text: String(position).repeat(3_000_000) } }),
    );
    const file = await exported(memoryLog(events).log, 'parquet');
    expect(await groupsOf(file)).toEqual([3, 2]);
    expect(await READERS.parquet(file)).toEqual(events.map((event) => rowOf(event)));
  });
});

describe('memory', { tags: 'long' }, () => {
  let database: TestDatabase;
  let log: EventLog;
  const MANY = 200_000;

  beforeAll(async () => {
    database = await createTestDatabase();
    log = openEventLog(database);
    await database.db.query(
      `insert into log.events (position, stream, revision, id, type, data, metadata, recorded_at)
       select n, 'account-x:a' || n % 5000, n / 5000, gen_random_uuid(), 'AccountUnchanged',
         json_build_object('observed_at', $1::text, 'source', 'crawler', 'surface', md5(n::text),
           'moved', json_build_object('followers', n)), '{}', timestamptz '2026-11-21' + n * interval '1 ms'
       from generate_series(1, ${MANY}) n`,
      [AT],
    );
  });
  afterAll(async () => {
    await log.close();
    await database.drop();
  });

  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;

  /**
   * What is alive at the end of an export of so many events, in bytes: the least of its last looks, as a reader is some
   * pages ahead of a slow disk.
   */
  const aliveAtEnd = async (format: Format, events: number): Promise<number> => {
    const looks: number[] = [];
    const file = await exported(log, format, { to: BigInt(events) }, (done) => {
      // Where a row group is nearly full.
      if (done % GROUP_ROWS !== GROUP_ROWS - 1_000) return;
      collect();
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      looks.push(heapUsed + arrayBuffers);
    });
    expect(looks).toHaveLength(events / GROUP_ROWS);
    await rm(file);
    return Math.min(...looks.slice(-3));
  };

  it.each(FORMATS)('does not grow with the log: %s', async (format) => {
    await aliveAtEnd(format, 20_000);
    const few = await aliveAtEnd(format, 50_000);
    const many = await aliveAtEnd(format, MANY);
    // What 150,000 events more weigh, if they were kept in any form, is tens of millions of bytes.
    expect(many - few).toBeLessThan(4_000_000);
  });
});
