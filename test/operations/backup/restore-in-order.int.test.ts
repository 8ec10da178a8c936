import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { type InOrderOptions, loadInOrder } from '../../../src/operations/backup/restore-in-order.ts';
import type { EventStoreLog } from '../../../src/write/log/eventstoredb/index.ts';
import { collect, numbered, numbersOf, openTestLog, upTo } from '../../support/eventstore/log.ts';
import { openNode, type TestNode } from '../../support/eventstore/server.ts';

const EVENTS = 1_000;
const WINDOW = 150;

let node: TestNode;
let log: EventStoreLog;

beforeEach(async () => {
  node = await openNode();
  log = openTestLog(node.url, { limits: { doubtMs: 300, tryMs: 10_000 } });
});
afterEach(async () => {
  await log.close();
  await node.close();
});

/** The lines of a backup: events whose numbers are their order, of streams by turns, some of which have two in a row. */
const linesOf = (count: number, streams = 9): string[] => {
  const revisions = new Map<string, number>();
  return numbered(count).map(({ id, type, data }, i) => {
    const stream = `account-x:turn${Math.floor(i / (i % 3 === 0 ? 1 : 2)) % streams}`;
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    return JSON.stringify({
      id,
      stream,
      revision: String(revision),
      position: String(i + 1),
      type,
      data,
      metadata: i % 2 === 0 ? {} : { version: 2 },
      recorded_at: '2026-10-01T00:00:00.000Z',
    });
  });
};

async function* batches(lines: readonly string[]) {
  for (let from = 0; from < lines.length; from += 70) yield lines.slice(from, from + 70);
}

const restore = (lines: readonly string[], options: Partial<InOrderOptions> = {}): Promise<void> =>
  loadInOrder(log, batches(lines), {
    signal: new AbortController().signal,
    onLoaded: () => undefined,
    windowEvents: WINDOW,
    visibleMs: 500,
    ...options,
  });

/** Runs something when the node has been sent so many events, counted from now. @returns the count. */
const atEvent = (at: number, happens: () => void) => {
  const sent = { events: 0 };
  node.faults.onAppend = (events) => {
    const before = sent.events;
    sent.events += events;
    if (before < at && sent.events >= at) happens();
  };
  return sent;
};

const stored = () => node.store.records.filter(({ type }) => !type.startsWith('$')).length;
const numbersInLog = async () => numbersOf(await collect(log.readAll(0n)));

describe('a restore into EventStoreDB', () => {
  it('appends the backup in order, reads it back, and reports progress', async () => {
    const lines = linesOf(EVENTS);
    const progress: number[] = [];
    await restore(lines, { onLoaded: (events) => progress.push(events) });
    const events = await collect(log.readAll(0n));
    expect(events.map(({ id, revision }) => [id, String(revision)])).toEqual(
      lines.map((line) => [JSON.parse(line).id, JSON.parse(line).revision]),
    );
    expect(progress).toEqual([150, 300, 450, 600, 750, 900, 1_000]);
  });

  it.each([
    ['in the first window', 20],
    ['in the middle', 517],
    ['at the last event', EVENTS],
  ])('is exact when the node dies and returns %s', async (_, at) => {
    atEvent(at, () => {
      node.stop();
      setImmediate(() => void node.start());
    });
    await restore(linesOf(EVENTS));
    expect(await numbersInLog()).toEqual(upTo(EVENTS));
  });

  it.each([40, 444, 990])('resumes where it stopped when the node was gone after %i events', async (at) => {
    const lines = linesOf(EVENTS);
    atEvent(at, () => node.stop());
    await expect(restore(lines)).rejects.toThrow(/interrupted.*The same command resumes it/);
    await node.start();
    const left = stored();
    expect(left).toBeGreaterThanOrEqual(at);
    const sent = atEvent(0, () => undefined);
    await restore(lines);
    expect(sent.events).toBe(EVENTS - left);
    expect(await numbersInLog()).toEqual(upTo(EVENTS));
  });

  it('resumes after each of many interruptions, and appends nothing at the end', async () => {
    const lines = linesOf(EVENTS);
    for (const at of [1, 3, 150, 151, 320]) {
      const stop = new AbortController();
      atEvent(at, () => stop.abort());
      await expect(restore(lines, { signal: stop.signal })).rejects.toThrow('aborted');
    }
    await restore(lines);
    expect(await numbersInLog()).toEqual(upTo(EVENTS));
    const sent = atEvent(0, () => undefined);
    await restore(lines);
    expect(sent.events).toBe(0);
  });

  it('says where the order differs when the node refused an append and wrote later ones, also when repeated', async () => {
    const lines = linesOf(EVENTS);
    atEvent(200, () => {
      node.faults.timeOutBeforeAppend = 1;
    });
    const differs =
      /another order than the backup: event \d+ of the backup is Numbered of account-x:turn\d \(revision \d+\), and at position \d+ the log has Numbered of .*comes later in the backup/;
    await expect(restore(lines)).rejects.toThrow(differs);
    await expect(restore(lines)).rejects.toThrow(differs);
    const numbers = await numbersInLog();
    const first = numbers.findIndex((n, i) => n !== i);
    await expect(restore(lines)).rejects.toThrow(`event ${first + 1} of the backup`);
  });

  it('reads again where a node lags behind what was confirmed, and names the event that it never returned', async () => {
    const lines = linesOf(WINDOW);
    let early = 3;
    const lagging = (isMissing: () => boolean): Parameters<typeof loadInOrder>[0] => ({
      head: log.head,
      appendInOrder: log.appendInOrder,
      readAll: async function* (after, options) {
        for await (const page of log.readAll(after, options)) {
          const events = isMissing() ? page.events.slice(0, 10) : page.events;
          yield { events, endPosition: page.endPosition };
        }
      },
    });
    const options = {
      signal: new AbortController().signal,
      onLoaded: () => undefined,
      windowEvents: WINDOW,
      visibleMs: 2_000,
    };
    const fewTimes = () => early-- > 0;
    await loadInOrder(lagging(fewTimes), batches(lines), options);
    expect(early).toBeLessThan(0);
    await log.close();
    await node.close();
    node = await openNode();
    log = openTestLog(node.url);
    await expect(
      loadInOrder(
        lagging(() => true),
        batches(lines),
        { ...options, visibleMs: 1 },
      ),
    ).rejects.toThrow(/confirmed event 11 of the backup, Numbered of account-x:turn\d .*does not return it/);
  });

  it('names what another program wrote meanwhile', async () => {
    atEvent(300, () => {
      node.store.append('account-x:other', 'no_stream', [
        {
          id: uuidV7(Date.now()),
          type: 'Foreign',
          contentType: 'application/json',
          data: Buffer.from('{}'),
          metadata: Buffer.from(''),
        },
      ]);
    });
    await expect(restore(linesOf(EVENTS))).rejects.toThrow(
      /holds other events than the backup: at position \d+ it has Foreign of account-x:other/,
    );
  });

  it('does not mistake an event with other contents for the backup’s', async () => {
    const lines = linesOf(20);
    const changed = lines.with(7, (lines[7] as string).replace('"n":7', '"n":70'));
    await restore(changed);
    await expect(restore(lines)).rejects.toThrow(/event 8 of the backup.*another type, revision, data/);
  });

  it('names what follows the backup’s last event', async () => {
    const lines = linesOf(310);
    await restore(lines);
    await expect(restore(lines.slice(0, 290))).rejects.toThrow(/holds other events.*the backup ends before/);
    await expect(restore(lines.slice(0, WINDOW * 2))).rejects.toThrow(/the backup ends before/);
  });

  it('renumbers the events of a holder whose settlements the backup left out', async () => {
    const [first, second, third] = linesOf(3).map((line, i) =>
      JSON.stringify({ ...JSON.parse(line), stream: 'holder-acme', revision: String(i) }),
    ) as [string, string, string];
    await restore([first, third.replace('"revision":"2"', '"revision":"5"')]);
    expect((await log.readStream('holder-acme')).map(({ revision }) => revision)).toEqual([0n, 1n]);
    await expect(restore([first, second])).rejects.toThrow(/holds other events/);
  });

  it('is refused where the backup lacks events of a stream', async () => {
    const lines = linesOf(30, 1).slice(4);
    await expect(restore(lines)).rejects.toThrow(
      /refuses an event of the backup: account-x:turn0 is at revision none/,
    );
  });
});
