import { getEventListeners } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { csvWriter, exportEvents, ndjsonWriter } from '../../../src/operations/events/export.ts';
import { intoStream, type Target } from '../../../src/operations/events/output-sink.ts';
import { parseCsv } from '../../support/csv.ts';
import { decodeEvent, memoryLog } from '../../support/memory-log.ts';
import { until } from '../../support/wait.ts';

const events = Array.from({ length: 60 }, (_, i) => decodeEvent(i + 1));
const all = { after: 0n, to: 60n, filter: {} };
const never = new AbortController().signal;
const reading = { signal: never, onProgress: () => undefined, pageSize: 10 };

const collecting = () => {
  const chunks: string[] = [];
  const target: Target = {
    write: async (chunk) => {
      chunks.push(String(chunk));
    },
  };
  return { target, chunks };
};

describe('an export', () => {
  it('requests a page only when the previous one was written', async () => {
    const { log, counted } = memoryLog(events);
    const waiting: (() => void)[] = [];
    const target: Target = { write: () => new Promise((resolve) => waiting.push(resolve)) };
    const exported = exportEvents(log, all, ndjsonWriter(target), reading);
    for (let page = 1; page <= 6; page++) {
      await until('a page waits', () => waiting.length === 1);
      // Whatever else could run has run.
      await new Promise(setImmediate);
      expect(counted.pages).toBe(page);
      waiting.pop()?.();
    }
    expect(await exported).toBe(60);
  });

  it('waits for a slower reader, until it is stopped', async () => {
    const { log, counted } = memoryLog(events);
    const pipe = new PassThrough({ highWaterMark: 1 });
    const stop = new AbortController();
    const target = intoStream(pipe, stop.signal);
    const exported = exportEvents(log, all, ndjsonWriter(target), { ...reading, signal: stop.signal });
    const failed = expect(exported).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    await until('the pipe is full', () => pipe.writableNeedDrain);
    await new Promise(setImmediate);
    expect(counted.pages).toBe(1);
    pipe.read();
    await until('it went on', () => counted.pages === 2 && pipe.listenerCount('drain') === 1);
    // Of the present wait only, however many there were.
    expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1);
    stop.abort();
    await failed;
    expect([pipe.listenerCount('drain'), getEventListeners(stop.signal, 'abort').length]).toEqual([0, 0]);
  });

  it('reports progress in positions', async () => {
    const { log } = memoryLog(events);
    const said: [number, number][] = [];
    const onProgress = (done: number, total: number) => said.push([done, total]);
    await exportEvents(log, { ...all, after: 30n }, ndjsonWriter(collecting().target), {
      ...reading,
      onProgress,
    });
    expect(said).toEqual([
      [0, 30],
      [10, 30],
      [20, 30],
      [30, 30],
    ]);
  });

  it('of nothing is a heading in CSV, and nothing in NDJSON', async () => {
    const { log } = memoryLog([]);
    const nothing = { after: 0n, to: 0n, filter: {} };
    const csv = collecting();
    await exportEvents(log, nothing, csvWriter(csv.target), reading);
    expect(csv.chunks.join('')).toBe('position,stream,revision,id,type,recorded_at,data,metadata\r\n');
    const ndjson = collecting();
    await exportEvents(log, nothing, ndjsonWriter(ndjson.target), reading);
    expect(ndjson.chunks).toEqual([]);
  });

  it('has one heading, however many pages there are', async () => {
    const { log } = memoryLog(events);
    const { target, chunks } = collecting();
    await exportEvents(log, all, csvWriter(target), reading);
    expect(parseCsv(chunks.join('')).map(([position]) => position)).toEqual([
      'position',
      ...events.map((event) => String(event.position)),
    ]);
  });
});
