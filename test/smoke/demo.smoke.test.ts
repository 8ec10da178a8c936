import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestHome, curlLines, sendLine, type TestHome } from '../support/cli.ts';
import { until } from '../support/wait.ts';

let home: TestHome;
beforeAll(async () => {
  home = await createTestHome({ PORT: '0' });
});
afterAll(() => home.remove());

it('the demo, on its own Postgres, prints a working key and URLs, and stops cleanly', async () => {
  const demo = home.start(['demo', '--size', '150']);
  await demo.says(/API reference, where you can try every endpoint: \S+/);
  const calls = curlLines(demo.out());
  expect(calls.length).toBeGreaterThan(3);
  for (const line of calls) {
    // A machine that is busy with other things may keep a list waiting for longer than it is given.
    const response = await until('it is answered in time', async () => {
      const given = await sendLine(line);
      return given.status !== 503 && given;
    });
    expect([line.url, response.status]).toEqual([line.url, 200]);
    expect(((await response.json()) as { data: unknown }).data, line.url).not.toEqual([]);
  }
  expect(await demo.end('SIGINT')).toBe(0);
  expect(demo.out()).toMatch(/Stopped\.\n$/);
});
