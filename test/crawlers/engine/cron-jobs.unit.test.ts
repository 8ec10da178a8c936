import { pino } from 'pino';
import { afterEach, expect, it, vi } from 'vitest';
import { schedule } from '../../../src/crawlers/engine/cron-jobs.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

it('a missed job is a line of the log, and nothing is printed beside it', async () => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  const printed = [
    vi.spyOn(console, 'warn').mockImplementation(() => undefined),
    vi.spyOn(console, 'log').mockImplementation(() => undefined),
    vi.spyOn(console, 'error').mockImplementation(() => undefined),
  ];
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(line) });
  const run = vi.fn(async () => undefined);
  const stop = schedule([{ name: 'probe', at: '* * * * * *', run }], logger);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(run).toHaveBeenCalled();
  expect(lines).toEqual([]);
  // The process was busy for ten seconds.
  vi.setSystemTime(Date.now() + 10_000);
  await vi.advanceTimersByTimeAsync(2_000);
  await stop();
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      job: 'probe',
      msg: 'schedule of a job',
      detail: expect.stringContaining('missed execution'),
    }),
  );
  for (const print of printed) expect(print).not.toHaveBeenCalled();
});
