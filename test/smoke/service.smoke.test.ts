import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedsOf } from '../../infra/simulator/ground-truth.ts';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { createTestHome, isAlive, type RunningProgram, type TestHome } from '../support/cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { readinessAt } from '../support/readiness.ts';
import { seedHome } from '../support/seeded-home.ts';
import { until } from '../support/wait.ts';

let simulator: Simulator;
let database: TestDatabase;
let home: TestHome;
let program: RunningProgram;
let key: string;
let url: string;
let metrics: string;
let health: string;

// One start for all tests of this file, which run in order.
beforeAll(async () => {
  simulator = await startSimulator({ seed: 3, size: 40 });
  database = await createTestDatabase(2, 'built');
  home = await createTestHome({
    PORT: '0',
    LOG_FORMAT: 'json',
    DATABASE_URL: database.url,
    SIMULATOR_URL: simulator.url,
    X_BEARER_TOKEN: 'simulated',
    X_GUEST_TOKEN: 'simulated',
  });
  key = await seedHome({ SIGHTLINE_HOME: home.home, DATABASE_URL: database.url }, simulator);
  program = home.start(['start']);
  [, url = '', metrics = '', health = ''] = await program.says(
    /"api":"(http:\S+?)\/v2\/".*"metrics":"(\S+?)","health":"(\S+?)","msg":"Sightline started"/,
  );
});

afterAll(async () => {
  await home.remove();
  await simulator.close();
  await database.drop();
});

const ask = async (path: string, token = key) => {
  const response = await fetch(`${url}/v2${path}`, { headers: { authorization: `Bearer ${token}` } });
  // biome-ignore lint/suspicious/noExplicitAny: each test states what an answer has
  return { status: response.status, body: (await response.json()) as any };
};

const run = async (...args: string[]): Promise<string> => {
  const { code, out, err } = await home.run(args);
  expect(code, `${args.join(' ')}\n${err}`).toBe(0);
  return out.trim();
};

const refused = async (...args: string[]): Promise<string> => {
  const { code, err } = await home.run(args);
  expect(code, args.join(' ')).toBe(2);
  return err;
};

const apiPids = (): number[] =>
  [...program.err().matchAll(/"child_pid":(\d+),"msg":"the API is served by a separate process"/g)].map(
    (match) => Number(match[1]),
  );

describe('a start of the service', () => {
  it('crawls the simulated platforms and serves what it read', async () => {
    const entries = await until('the directory has entries of every platform', async () => {
      const { status, body } = await ask('/directory?limit=100');
      if (status !== 200) return null;
      return new Set(body.data.map((entry: { platform: string }) => entry.platform)).size === 6 && body.data;
    });
    const [{ platform, handle }] = entries;
    const { body } = await ask(`/accounts/${platform}/${handle}`);
    expect(body.data).toMatchObject({ platform, handle, exists: true, status: 'active' });
    const [seed = ''] = seedsOf(simulator.world, 'bluesky', 1, Date.now());
    expect((await ask(`/accounts/bluesky/${seed}/live`)).body.meta).toMatchObject({ source: 'live' });
  });

  it('reports itself ready, with the metrics of its two processes at one address', async () => {
    await until('it is ready', async () => (await fetch(`${url}/readyz`)).status === 200);
    const { checks } = await until('all of it is ready', async () => {
      const readiness = await readinessAt(health);
      return readiness.ready && readiness;
    });
    expect(checks).toContainEqual(expect.objectContaining({ name: 'api', ok: true }));
    const text = await (await fetch(metrics)).text();
    expect(text).toMatch(/^process_cpu_seconds_total\{process="main"\} \d/m);
    expect(text).toMatch(/^process_cpu_seconds_total\{process="api"\} \d/m);
  });

  it('starts the process of its API again on the same port after a kill', async () => {
    const [pid = 0] = apiPids();
    process.kill(pid, 'SIGKILL');
    await until('the API serves again', () => apiPids().length === 2);
    await until('it answers', async () => (await ask('/directory')).status === 200);
    expect(program.err()).toContain('"reason":"SIGKILL"');
  });
});

describe('commands beside a running service', () => {
  it('print a link to the console where it listens, whatever their own settings say', async () => {
    const { out } = await home.run(['console', 'login', 'ada'], { CONSOLE_PORT: '1' });
    const link = /^http\S+$/m.exec(out)?.[0] ?? '';
    expect(await (await fetch(link)).text()).toContain('This link works once.');
  });

  it('let a holder on a plan call with a key until the key is revoked', async () => {
    expect(await run('holders', 'add', 'Acme', '--plan', 'starter')).toBe('acme');
    const { key: issued, key_id } = JSON.parse(await run('keys', 'issue', 'acme', '--json'));
    await until('the key is known', async () => (await ask('/accounts/platforms', issued)).status === 200);
    await until('usage is shown', async () =>
      /requests +\d/.test(await run('usage', 'show', 'acme', '--by-endpoint')),
    );
    expect(await run('usage', 'audit')).toContain('consistent');
    await run('keys', 'revoke', key_id);
    const answer = await until('the key is refused', async () => {
      const { status, body } = await ask('/accounts/platforms', issued);
      return status === 401 && body;
    });
    expect(answer.error.code).toBe('key_revoked');
  });

  it('read and record one account', async () => {
    const [, handle = ''] = seedsOf(simulator.world, 'telegram', 2, Date.now());
    const reading = JSON.parse(await run('crawl', 'telegram', handle, '--json'));
    expect(reading).toMatchObject({ platform: 'telegram', status: 'present' });
  });

  it('read, export and fold events with one’s own handler', async () => {
    const stretch = ['--to', '12'];
    const read = (await run('events', 'read', '--json', ...stretch)).split('\n');
    expect(read.map((line) => JSON.parse(line).position)).toEqual(
      Array.from({ length: 12 }, (_, n) => String(n + 1)),
    );
    const csv = await run('events', 'export', '--format', 'csv', ...stretch);
    expect(csv.split('\n')[0]).toMatch(/^position,/);
    const handler = join(home.home, 'count.ts');
    await writeFile(handler, 'export default { initial: 0, apply: (n: number) => n + 1 };');
    expect(await run('replay', '--handler', handler, '--until', '13')).toBe('12');
  });

  it('rebuild a projection, which is served and equals the log', async () => {
    expect(await run('projections', 'rebuild', 'directory')).toMatch(/^directory is now served from /);
    await until('the new build is served', async () => (await ask('/directory')).status === 200);
    expect(await run('projections', 'verify', 'holders')).toMatch(/^holders matches the event log/);
  });

  it('pause, show, probe and resume an engine', async () => {
    expect(await run('engines', 'pause', 'youtube', '--reason', 'its turn is over')).toContain('is paused.');
    expect(await run('engines', 'pause', 'youtube', '--reason', 'again')).toContain('is paused already.');
    const shown = async () => JSON.parse(await run('engines', 'show', 'youtube', '--json'));
    const paused = await until('it is shown', async () => {
      const engine = await shown();
      return engine.status === 'paused' && engine;
    });
    expect(paused).toMatchObject({ key: 'youtube', paused_why: 'its turn is over' });
    const probed = JSON.parse(await run('engines', 'probe', 'youtube', '--json'));
    expect(probed).toMatchObject({ platform: 'youtube', seen: expect.any(String), findings: [] });
    expect(await run('engines', 'resume', 'youtube')).toContain('is resumed.');
    expect((await run('engines', 'tune', 'youtube', '--rate', '3')).split(' ')).toContain('3');
    await until('the API shows it', async () => {
      const { body } = await ask('/engines/youtube');
      return body.data.rate_per_s === 3 && body.data.status !== 'paused';
    });
    const lines = (await run('top', '--once')).split('\n');
    expect(lines.map((line) => line.split(' ')[1])).toContain('marketplace');
    expect(await refused('engines', 'show', 'myspace')).toContain('engines list');
  });

  it('run, explain, replay and limit research, whose runs are served', async () => {
    const { run: id } = JSON.parse(await run('research', 'run', '--json'));
    expect(await run('research', 'explain', id)).toContain(`run ${id}`);
    expect(await run('research', 'replay', id)).toContain('"pool":"seed-x"');
    expect(await run('research', 'limits', '--observe-only')).toContain('observes only');
    const isServed = async () =>
      (await ask('/research/runs')).body.data?.some((each: { id: string }) => each.id === id);
    await until('the run is served', isServed);
    expect(await refused('research', 'explain', 'nope')).toContain('research runs');
  });

  it('import listings, which are served', async () => {
    const file = join(home.home, 'listings.csv');
    await writeFile(file, 'id,platform,handle,price_usd\n1,x,nasa,5\n');
    expect(await run('marketplace', 'import', file, '--source', 'market.example')).toContain('1 listing');
    const listings = await until('the listing is served', async () => {
      const { body } = await ask('/marketplace/listings');
      return body.data?.length > 0 && body.data;
    });
    expect(listings).toMatchObject([{ id: 'market.example:1', handle: 'nasa', price_usd: '5.00' }]);
  });

  it('restore a backup into an empty database', async () => {
    const folder = join(home.home, 'backup');
    expect(await run('backup', '--out', folder)).toContain('events, up to position');
    expect(await refused('restore', folder)).toContain('The target is not empty');
    const empty = await createTestDatabase(2);
    try {
      const { code, out } = await home.run(['restore', folder], { DATABASE_URL: empty.url });
      expect([code, out]).toEqual([0, expect.stringMatching(/^Restored as of /)]);
      const { rows } = await empty.db.query('select from log.events limit 1');
      expect(rows).toHaveLength(1);
    } finally {
      await empty.drop();
    }
  });

  it('refuse a mistake with exit code 2 and what to do', async () => {
    expect(await refused('keys', 'issue', 'nobody')).toMatch(/holders add/);
    expect(await refused('start', '--role', 'chef')).toMatch(/They are: api, crawl, project, relay/);
  });
});

it('a signal stops the service in order, and leaves no process behind', async () => {
  const pids = apiPids();
  expect(await program.end('SIGTERM'), program.err()).toBe(0);
  expect(program.err()).toContain('"msg":"stopped"');
  expect(pids.some(isAlive)).toBe(false);
});
