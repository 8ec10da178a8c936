import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RecordedEvent } from '../../src/write/log/port.ts';
import { createTestHome, type TestHome } from '../support/cli.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';

let program: TestProgram;
let home: TestHome;

beforeAll(async () => {
  program = await createTestProgram();
  home = await createTestHome({ DATABASE_URL: program.database.url, LOG_FORMAT: 'json' });
});
afterAll(async () => {
  await home.remove();
  await program.close();
});

/** Runs a command on a host whose clock is ahead. */
const onHost = (aheadMs: number, ...args: string[]) =>
  home.run(args, {
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
      `const right = Date.now.bind(Date); Date.now = () => right() + ${aheadMs};`,
    )}`,
  });

it.each([-86_400_000, 86_400_000])(
  'a host whose clock is %d ms ahead writes nothing',
  {
    tags: 'long',
  },
  async (ms) => {
    const before = await program.log.head();
    const { code, err } = await onHost(ms, 'holders', 'add', 'Acme');
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/clock of this host is 86400 s (?:ahead of|behind)/),
    ]);
    expect(await program.log.head()).toBe(before);
  },
);

it('a host whose clock is two minutes off is warned, and its events have the time of the database', {
  tags: 'long',
}, async () => {
  const { code, err } = await onHost(120_000, 'holders', 'add', 'Acme');
  expect([code, err]).toEqual([0, expect.stringContaining('the clock of this host is 120 s ahead')]);
  const [event] = await program.log.readStream('holder-acme');
  const { data, recorded_at } = event as RecordedEvent & { data: { at: string } };
  expect(Math.abs(Date.parse(data.at) - Date.parse(recorded_at))).toBeLessThan(30_000);
});
