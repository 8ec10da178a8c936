import { expect, it } from 'vitest';
import { createAlarms } from '../../../src/crawlers/engine/alarms.ts';
import { PROBE_ALARMS } from '../../../src/crawlers/engine/self-probe.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import type { EventLog, NewEvent, RecordedEvent } from '../../../src/write/log/port.ts';

/** A log of one stream that counts its reads. */
const streamLog = () => {
  const events: NewEvent[] = [];
  let reads = 0;
  const log = {
    readStream: async () => {
      reads += 1;
      return events
        .map((event, n) => ({ ...event, revision: BigInt(n) }) as unknown as RecordedEvent)
        .reverse();
    },
    append: async (_: string, appended: readonly NewEvent[], expected: 'no_stream' | bigint) => {
      const revision = BigInt(events.length) - 1n;
      if (expected !== (events.length === 0 ? 'no_stream' : revision))
        return { status: 'conflict', revision };
      events.push(...appended);
      return { status: 'appended', revision: BigInt(events.length) - 1n, position: 1n };
    },
  } as unknown as EventLog;
  const alarmsOf = (worker: string) =>
    createAlarms({
      engine: 'x',
      worker,
      logger: silentLogger,
      clock: systemClock,
      log,
      keep: (work) => work(),
    });
  return { alarmsOf, types: () => events.map(({ type }) => type), reads: () => reads };
};

it('an engine ends an alarm after a restart', async () => {
  const { alarmsOf, types } = streamLog();
  await alarmsOf('before').raise('challenge', 'all');
  await alarmsOf('after').end();
  expect(types()).toEqual(['EngineDegraded', 'EngineRecovered']);
});

it('an engine records one history with several workers', async () => {
  const { alarmsOf, types } = streamLog();
  const [a, b] = [alarmsOf('a'), alarmsOf('b')];
  await Promise.all([a.raise('challenge', 'all'), b.raise('challenge', 'all')]);
  await Promise.all([a.end(), b.end()]);
  expect(types()).toEqual(['EngineDegraded', 'EngineRecovered']);
});

it('an engine learns of an alarm whose worker ended', async () => {
  const { alarmsOf, types } = streamLog();
  const survivor = alarmsOf('survivor');
  await survivor.end();
  await alarmsOf('ended').raise('challenge', 'all');
  await survivor.end();
  expect(types()).toEqual(['EngineDegraded']);
  survivor.recheck();
  await survivor.end();
  expect(types()).toEqual(['EngineDegraded', 'EngineRecovered']);
});

it('an engine with false verdicts does not recover through readings, of whichever worker', async () => {
  const { alarmsOf, types, reads } = streamLog();
  await alarmsOf('prober').raise('false_absence', 'page reports nasa as absent');
  const reader = alarmsOf('reader');
  for (let n = 0; n < 50; n++) await reader.end(PROBE_ALARMS);
  expect([types(), reads()]).toEqual([['EngineDegraded'], 2]);
  await alarmsOf('restarted').raise('false_absence', 'page reports nasa as absent');
  await alarmsOf('restarted again').end();
  await reader.end(PROBE_ALARMS);
  expect(types()).toEqual(['EngineDegraded', 'EngineRecovered']);
});

it('an engine reads the log once, however many readings succeed', async () => {
  const { alarmsOf, reads } = streamLog();
  const alarms = alarmsOf('a');
  for (let n = 0; n < 50; n++) await alarms.end();
  expect(reads()).toBe(1);
});
