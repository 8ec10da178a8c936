import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { CHROMIUM } from '../support/chromium.ts';
import { createTestHome, isAlive, type TestHome } from '../support/cli.ts';
import { isReadable, ORDINARY_USER } from '../support/ordinary-user.ts';
import { until } from '../support/wait.ts';

/** Processes that a program and its children have started and that are Chromium. */
const browsersOf = (ancestor: number): number[] => {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const parent = Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, 'utf8'))?.[1]);
        return [{ pid: Number(name), parent, command: readFileSync(`/proc/${name}/cmdline`, 'utf8') }];
      } catch {
        return [];
      }
    });
  const family = new Set([ancestor]);
  for (let size = 0; size !== family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  return processes
    .filter(({ pid, command }) => family.has(pid) && /chrom/.test(command.split('\0')[0] ?? ''))
    .map(({ pid }) => pid);
};

describe.skipIf(CHROMIUM === undefined || !isReadable())('a start with a browser', () => {
  let simulator: Simulator;
  let home: TestHome;
  let handles: readonly string[];
  beforeAll(async () => {
    simulator = await startSimulator({ seed: 24, size: 100 });
    simulator.faults.set('tiktok', 'script_only');
    handles = seedsOf(simulator.world, 'tiktok', 8, Date.now());
    home = await createTestHome(
      {
        SIMULATOR_URL: simulator.url,
        BROWSER_EXECUTABLE: CHROMIUM ?? '',
        PORT: '0',
        LOG_FORMAT: 'json',
        CRAWL_RATE_PER_S: '50',
        HOME: '/tmp',
      },
      ORDINARY_USER,
    );
  });
  afterAll(async () => {
    await home.remove();
    await simulator.close();
  });

  const seed = async (some: readonly string[]) => {
    const { code, err } = await home.run(['seeds', 'add', 'tiktok', ...some]);
    expect(code, err).toBe(0);
  };

  it('reads accounts from rendered pages, resumes after the browser is killed, and leaves no process', async () => {
    await seed(handles.slice(0, 3));
    const program = home.start(['start']);
    const [, metrics = ''] = await program.says(/"metrics":"(\S+?)".*"msg":"Sightline started"/);
    const rendered = async (): Promise<number> => {
      const text = await (await fetch(metrics)).text();
      const counts = text.matchAll(
        /^sightline_browser_pages_total\{.*platform="tiktok",outcome="rendered".*\} (\d+)$/gm,
      );
      return [...counts].reduce((sum, [, n]) => sum + Number(n), 0);
    };
    await until('pages are rendered', async () => (await rendered()) >= 3);

    const before = browsersOf(program.child.pid as number);
    expect(before.length).toBeGreaterThan(0);
    for (const pid of before) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended with its parent.
      }
    }
    const counted = await rendered();
    await seed(handles.slice(3));
    await until('pages are rendered again', async () => (await rendered()) > counted);

    const after = browsersOf(program.child.pid as number);
    expect(await program.end('SIGTERM')).toBe(0);
    await until('all browsers have ended', () => ![...before, ...after].some(isAlive));

    const { out } = await home.run(['events', 'read', '--type', 'AccountSighted', '--json']);
    const surfaces = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { stream: string; data: { surface: string } })
      .filter(({ stream }) => stream.startsWith('account-tiktok:'))
      .map(({ data }) => data.surface);
    expect(surfaces.length).toBeGreaterThan(3);
    expect(new Set(surfaces)).toEqual(new Set(['page_rendered']));
  });
});
