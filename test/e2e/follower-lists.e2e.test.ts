import { afterAll, beforeAll, expect, it } from 'vitest';
import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import type { FollowsData } from '../../src/write/follows.ts';
import { createTestHome, type TestHome } from '../support/cli.ts';
import { createTestProgram } from '../support/program.ts';
import { until } from '../support/wait.ts';

let simulator: Simulator;
let home: TestHome;
let x = '';
let bluesky = '';

beforeAll(async () => {
  simulator = await startSimulator({ seed: 21, size: 100 });
  home = await createTestHome({
    SIMULATOR_URL: simulator.url,
    LOG_LEVEL: 'error',
    CRAWL_RATE_PER_S: '1000',
    X_BEARER_TOKEN: 'simulated',
    X_GUEST_TOKEN: 'simulated',
  });
  [x = ''] = seedsOf(simulator.world, 'x', 5, Date.now());
  [bluesky = ''] = seedsOf(simulator.world, 'bluesky', 5, Date.now());
});

afterAll(async () => {
  await home.remove();
  await simulator.close();
});

const recorded = async (stream: string): Promise<readonly FollowsData[]> => {
  const { out } = await home.run(['events', 'read', '--stream', stream, '--json']);
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { data: FollowsData }).data);
};

it('lists of several platforms are read up to the cap, and printed', async () => {
  const { code, out, err } = await home.run(
    ['crawl', '--follows', `x:${x}`, `bluesky:@${bluesky}`, '--json'],
    { FOLLOWS_MOST: '250' },
  );
  expect(code, err).toBe(0);
  const results = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(results.map(({ platform, reading }) => [platform, reading.end.status, reading.members])).toEqual([
    ['x', 'capped', 250],
    ['bluesky', 'capped', 250],
  ]);
  const events = await recorded(`follows-x:${x}`);
  expect(events.flatMap(({ members }) => members)).toHaveLength(250);
  expect(events.at(-1)).toMatchObject({ capped: true, done: false });
});

it('a list interrupted by a kill is resumed by the next command, in one sweep without a missing page', async () => {
  const program = await createTestProgram();
  try {
    const args = ['crawl', '--follows', `x:${x}`, '--direction', 'following', '--json'];
    const env = { DATABASE_URL: program.database.url, FOLLOWS_MOST: '3000' };
    const events = async () =>
      (await program.log.readStream(`follows-x:${x}`)).map(({ data }) => data as FollowsData);
    const killed = home.start(args, { ...env, CRAWL_RATE_PER_S: '5' });
    await until('some pages are recorded', async () => (await events()).length > 1);
    await killed.end('SIGKILL');
    const before = await events();
    expect(before.at(-1)).toMatchObject({ done: false, capped: false });
    const { code, out, err } = await home.run(args, env);
    expect(code, err).toBe(0);
    expect(['done', 'capped']).toContain(JSON.parse(out).reading.end.status);
    const after = await events();
    expect(after.length).toBeGreaterThan(before.length);
    expect(after.map(({ page }) => page)).toEqual(after.map((_, n) => n));
    expect(new Set(after.map(({ sweep }) => sweep)).size).toBe(1);
  } finally {
    await program.close();
  }
});

it('no request beyond the day’s is made, and the refusal says when there are more', async () => {
  const other = await createTestHome({ SIMULATOR_URL: simulator.url, LOG_LEVEL: 'error' });
  try {
    const { code, err } = await other.run(['crawl', '--follows', `bluesky:${bluesky}`], {
      FOLLOWS_REQUESTS_PER_DAY: '3',
    });
    expect(code).toBe(2);
    expect(err).toMatch(/there are more from \d{4}-\d{2}-\d{2}T00:00:00\.000Z.*FOLLOWS_REQUESTS_PER_DAY/);
    // The account's own reading was one of the three.
    const { out } = await other.run(['events', 'read', '--type', 'FollowsSighted', '--json']);
    expect(out.trim().split('\n')).toHaveLength(2);
  } finally {
    await other.remove();
  }
});

it('no list is read if the setting forbids it, and the refusal says how to allow it', async () => {
  const { code, err } = await home.run(['crawl', '--follows', `bluesky:${bluesky}`], {
    FOLLOWS_REQUESTS_PER_DAY: '0',
  });
  expect(code).toBe(2);
  expect(err).toMatch(/FOLLOWS_REQUESTS_PER_DAY is 0, which forbids.*To allow them/);
});

it.each([
  [['crawl', '--follows', 'nasa'], /platform:handle/],
  [['crawl', '--follows', 'telegram:durov'], /shows no follower lists.*x, bluesky/],
  [['crawl', '--follows', 'x:not a handle'], /no handle of X/],
  [['crawl', 'x'], /missing argument/],
  [['crawl', 'x', 'nasa', '--follows', 'x:nasa'], /not both/],
  [['crawl', 'x', 'nasa', '--direction', 'following'], /--direction needs --follows/],
])('%s is rejected with exit code 2', async (args, words) => {
  const { code, err } = await home.run(args);
  expect([code, err]).toEqual([2, expect.stringMatching(words)]);
});
