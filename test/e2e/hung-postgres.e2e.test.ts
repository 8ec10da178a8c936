import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serverFiles } from '../../src/kernel/postgres/embedded/server.ts';
import { childrenOf, commandOf } from '../../src/kernel/processes.ts';
import { createTestHome, type TestHome } from '../support/cli.ts';
import { until } from '../support/wait.ts';

let home: TestHome;

beforeAll(async () => {
  home = await createTestHome({ PORT: '0', CRAWL_MODE: 'replay', LOG_FORMAT: 'json' });
});
afterAll(() => home.remove());

const STARTED = /"msg":"Sightline started"/;

it('a stop ends although Postgres hangs and says why, and the next start ends that Postgres', async () => {
  const first = home.start(['start']);
  await first.says(STARTED);
  const { data } = await serverFiles(home.home);
  const postmaster = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const hung = [postmaster, ...(await childrenOf(postmaster))];
  for (const pid of hung) process.kill(pid, 'SIGSTOP');
  expect(await first.end('SIGTERM')).toBe(2);
  expect(first.err()).toContain('Postgres does not respond');

  const second = home.start(['start']);
  await second.says(STARTED);
  await until('none of it runs', async () => {
    const commands = await Promise.all(hung.map(commandOf));
    return commands.every((command) => command === null || !command.includes('postgres'));
  });
  expect(await second.end('SIGTERM')).toBe(0);
});
