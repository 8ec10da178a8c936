import { afterEach, expect, it, vi } from 'vitest';
import { logProgress } from '../../../src/cli/render/progress.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { numbered, openTestLog } from '../../support/eventstore/log.ts';
import { openNode } from '../../support/eventstore/server.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** What a progress says at its first line, half-way through a log. */
const lineHalfWay = async (log: EventLog): Promise<string> => {
  let said = '';
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said += String(text);
    return true;
  });
  vi.useFakeTimers({ toFake: ['Date'] });
  const progress = await logProgress('rebuild directory', { log });
  const head = Number(await log.head());
  vi.setSystemTime(Date.now() + 10_000);
  progress.update(head / 2, head);
  progress.end();
  return said;
};

it('progress along EventStoreDB counts about as many events as there are, with percent and time left', async () => {
  const node = await openNode({});
  const log = openTestLog(node.url);
  for (let n = 0; n < 1_000; n += 100) await log.append('account-x:a', numbered(100, n), 'any');
  const line = await lineHalfWay(log);
  await log.close();
  await node.close();
  const [, done, total] =
    /^rebuild directory: about ([\d,]+) of ([\d,]+) events \((?:49|50) %\), \d+\/s, 10 s left\n$/.exec(
      line,
    ) ?? [];
  expect(Number(done?.replace(',', ''))).toBeGreaterThan(400);
  expect(Number(done?.replace(',', ''))).toBeLessThan(600);
  expect(Number(total?.replace(',', ''))).toBeGreaterThan(800);
  expect(Number(total?.replace(',', ''))).toBeLessThan(1_200);
});

it('progress along a log without gaps is exact', async () => {
  const log = { head: async () => 2_000n } as unknown as EventLog;
  expect(await lineHalfWay(log)).toBe('rebuild directory: 1,000 of 2,000 events (50 %), 100/s, 10 s left\n');
});
