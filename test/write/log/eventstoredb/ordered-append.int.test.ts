import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OrderedAppend } from '../../../../src/write/log/eventstoredb/append.ts';
import type { EventStoreLog } from '../../../../src/write/log/eventstoredb/index.ts';
import { LogRequestRejectedError, LogUnavailableError } from '../../../../src/write/log/port.ts';
import { collect, numbered, numbersOf, openTestLog, upTo } from '../../../support/eventstore/log.ts';
import { openNode, type TestNode } from '../../../support/eventstore/server.ts';
import { until } from '../../../support/wait.ts';

const STREAMS = 7;
const signal = new AbortController().signal;

let node: TestNode;
let log: EventStoreLog;

beforeEach(async () => {
  node = await openNode();
  log = openTestLog(node.url, { limits: { doubtMs: 30_000, tryMs: 10_000 } });
});
afterEach(async () => {
  await log.close();
  await node.close();
});

/** Appends of an event each, whose numbers are their order, to streams by turns. */
const turns = (count: number, from = 0): OrderedAppend[] =>
  numbered(count, from).map((event, i) => {
    const revision = Math.floor((from + i) / STREAMS);
    return {
      stream: `account-x:turn${(from + i) % STREAMS}`,
      events: [event],
      expected: revision === 0 ? 'no_stream' : BigInt(revision - 1),
    };
  });

const numbersInLog = async () => numbersOf(await collect(log.readAll(0n)));
const appended = () => node.store.records.filter(({ type }) => !type.startsWith('$')).length;

/** Appends that the node takes from now on, at some of which something happens. */
const atAppend = (events: Readonly<Record<number, () => void>>): void => {
  let taken = 0;
  node.faults.onAppend = () => {
    taken += 1;
    events[taken]?.();
  };
};

describe('appends in a given order', () => {
  it('are in flight together, over one call, once the first is confirmed', async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    node.faults.answersAfter = gates[0].promise;
    const done = log.appendInOrder(turns(200), { signal });
    await until('the first was taken', () => appended() === 1);
    // A node that takes one takes the others: had they been sent, they would be there with the next answer.
    await log.head();
    expect(appended()).toBe(1);
    node.faults.answersAfter = gates[1].promise;
    gates[0].resolve();
    await until('all were taken before one of them was answered', () => appended() === 200);
    gates[1].resolve();
    await done;
    expect(await numbersInLog()).toEqual(upTo(200));
    expect(node.calls.get('batchAppend')).toBe(1);
  });

  it('are in the log once and in order, though the node dies under them again and again', async () => {
    const die = () => {
      node.stop();
      setImmediate(() => void node.start());
    };
    atAppend({ 1: die, 40: die, 41: die, 300: die, 1100: die });
    await log.appendInOrder(turns(1_000), { signal });
    expect(await numbersInLog()).toEqual(upTo(1_000));
    expect(node.calls.get('batchAppend')).toBeGreaterThanOrEqual(5);
  });

  it('are in the log once and in order, though connections break and the node finishes what it received', async () => {
    const drop = () => node.drop();
    atAppend({ 10: drop, 11: drop, 150: drop, 600: drop });
    await log.appendInOrder(turns(500), { signal });
    expect(await numbersInLog()).toEqual(upTo(500));
  });

  it.each(['timeOutAfterAppend', 'breakAfterAppend'] as const)(
    'are in the log once and in order, though some are written and not confirmed: %s',
    async (fault) => {
      atAppend({
        100: () => {
          node.faults[fault] = 3;
        },
      });
      await log.appendInOrder(turns(400), { signal });
      expect(await numbersInLog()).toEqual(upTo(400));
      expect(node.faults[fault]).toBe(0);
    },
  );

  it('are in order though a node refuses all of them until it is ready', async () => {
    node.faults.timeOutBeforeAppend = 5;
    await log.appendInOrder(turns(300), { signal });
    expect(await numbersInLog()).toEqual(upTo(300));
    expect(node.faults.timeOutBeforeAppend).toBe(0);
  });

  it('end at one that is too large, with all earlier ones in the log', async () => {
    const appends = turns(60);
    const large = { ...numbered(1, 30)[0], data: { n: 30, text: 'x'.repeat(1_100_000) } };
    appends[30] = { ...(appends[30] as OrderedAppend), events: [large as never] };
    await expect(log.appendInOrder(appends, { signal })).rejects.toThrow(LogRequestRejectedError);
    const numbers = await numbersInLog();
    expect(numbers.slice(0, 30)).toEqual(upTo(30));
    expect(numbers).not.toContain(30);
  });

  it('end at one whose stream has another revision, and name that stream', async () => {
    await log.append('account-x:turn3', numbered(2), 'no_stream');
    await expect(log.appendInOrder(turns(20), { signal })).rejects.toThrow(
      /account-x:turn3 is at revision 1/,
    );
    expect((await numbersInLog()).slice(0, 5)).toEqual([0, 1, 0, 1, 2]);
  });

  it('are abandoned if the node does not come back, and repeat without duplicates', async () => {
    const short = openTestLog(node.url, { limits: { doubtMs: 300, tryMs: 10_000 } });
    const appends = turns(500);
    atAppend({ 222: () => node.stop() });
    await expect(short.appendInOrder(appends, { signal })).rejects.toThrow(LogUnavailableError);
    await node.start();
    expect(appended()).toBeGreaterThanOrEqual(222);
    expect(appended()).toBeLessThan(500);
    await short.appendInOrder(appends, { signal });
    expect(await numbersInLog()).toEqual(upTo(500));
    await short.close();
  });

  it('stop on their signal, and resume', { tags: 'long' }, async () => {
    const stop = new AbortController();
    const appends = turns(3_000);
    atAppend({ 1200: () => stop.abort() });
    await expect(log.appendInOrder(appends, { signal: stop.signal })).rejects.toThrow('aborted');
    expect(appended()).toBeLessThan(3_000);
    await log.appendInOrder(appends, { signal });
    expect(await numbersInLog()).toEqual(upTo(3_000));
  });
});
