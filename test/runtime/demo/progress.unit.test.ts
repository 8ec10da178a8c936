import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPhases } from '../../../src/kernel/start-phases.ts';
import { createProgress, progressOfStart } from '../../../src/runtime/demo/progress.ts';

let printed: string[];
let warned: unknown[];

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-22T06:39:30Z') });
  printed = [];
  warned = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((line) => printed.push(String(line).trimEnd()) > 0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const create = () => createProgress({ warn: (fields: unknown) => void warned.push(fields) } as never);

it('a start prints the running phases from the first second on', async () => {
  const phases = createPhases();
  const progress = create();
  progress.show(progressOfStart(phases));
  const database = Promise.withResolvers<void>();
  const running = phases.run('database', () => database.promise);
  void phases.run('loading of the roles', () => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(1_000);
  database.resolve();
  await running;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(printed).toEqual([
    '06:39:31  start  database, loading of the roles',
    '06:39:32  start  loading of the roles',
  ]);
  await progress.stop();
});

it('a failed read of the progress is logged, and the next line is printed', async () => {
  const progress = create();
  let calls = 0;
  progress.show({
    everyMs: 500,
    line: async () => {
      calls += 1;
      if (calls === 1) throw new Error('no connection');
      return `call ${calls}`;
    },
  });
  await vi.advanceTimersByTimeAsync(1_000);
  expect([printed, warned]).toEqual([['06:39:31  call 2'], [{ err: 'no connection' }]]);
  await progress.stop();
});

it('nothing is printed for progress that was replaced or stopped', async () => {
  const progress = create();
  progress.show({ everyMs: 100, line: () => 'old' });
  progress.show({ everyMs: 200, line: () => 'new' });
  await vi.advanceTimersByTimeAsync(200);
  await progress.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(printed).toEqual(['06:39:30  new']);
});
