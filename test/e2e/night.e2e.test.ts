import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Client } from '../../src/kernel/postgres/client.ts';
import { serverFiles, serverUrl } from '../../src/kernel/postgres/embedded/server.ts';
import { sql } from '../../src/kernel/postgres/statement.ts';
import { childrenOf } from '../../src/kernel/processes.ts';
import { RESERVE_BYTES } from '../../src/operations/health/disk.ts';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { readinessAt } from '../support/readiness.ts';
import { until } from '../support/wait.ts';

const BASE = { PORT: '0', LOG_FORMAT: 'json', CRAWL_MODE: 'replay' };

let home: TestHome | undefined;
let database: TestDatabase | undefined;
let disk: string | undefined;
afterEach(async () => {
  await home?.remove();
  await database?.drop();
  if (disk !== undefined) {
    spawnSync('umount', ['-l', disk]);
    rmSync(disk, { recursive: true, force: true });
  }
  [home, database, disk] = [undefined, undefined, undefined];
});

const operationsOf = async (program: RunningProgram): Promise<string> =>
  (await program.says(/"metrics":"(http:\/\/127\.0\.0\.1:\d+)\/metrics"/))[1] as string;

describe('a projector that is killed', () => {
  it('is named by readiness, top, an alarm and its metric', async () => {
    database = await createTestDatabase();
    const here = await createTestHome({ ...BASE, DATABASE_URL: database.url });
    home = here;
    const projector = here.start(['start', '--role', 'project']);
    await projector.says(/"msg":"Sightline started"/);
    const api = here.start(['start', '--role', 'api']);
    const url = await operationsOf(api);
    const roleChecks = async () =>
      (await readinessAt(`${url}/readyz`)).checks.filter(({ name }: { name: string }) =>
        name.startsWith('role '),
      );
    expect(await roleChecks()).toEqual([]);

    await projector.end('SIGKILL');
    const [check] = await until('readiness names the role', async () => {
      const found = await roleChecks();
      return found.length > 0 ? found : null;
    });
    expect(check).toMatchObject({ name: 'role project', ok: false });
    expect((await here.run(['top', '--once'])).out).toContain('no process has the role project');
    await api.says(/"msg":"alarm: No process has the role project\."/, 120_000);
    expect(await (await fetch(`${url}/metrics`)).text()).toMatch(
      /sightline_role_silent_seconds\{role="project"\} [1-9]/,
    );
    const listed = await here.run(['alarms', 'list', '--json']);
    expect(JSON.parse(listed.out)).toContainEqual(
      expect.objectContaining({
        alarm: 'RoleMissing',
        subject: 'project',
        remedy: 'sightline start --role project',
      }),
    );
    expect((await here.run(['alarms', 'ack', 'RoleMissing', 'project', '--reason', 'at it'])).code).toBe(0);
    const again = await here.run(['alarms', 'ack', 'RoleMissing', 'project', '--reason', 'at it']);
    expect(again.code).toBe(2);
    expect(again.err).toContain('sightline alarms list');
    expect((await here.run(['alarms', 'list'])).out).toContain('at it');
  });
});

describe('a database that is stopped', () => {
  it('makes the process unready, and its measures unreadable', async () => {
    const here = await createTestHome(BASE);
    home = here;
    const program = here.start(['start', '--role', 'api,project']);
    const url = await operationsOf(program);
    const metrics = async () => (await fetch(`${url}/metrics`)).text();
    await until('it measures', async () => /sightline_measures_age_seconds \d/.test(await metrics()));
    expect(await metrics()).toContain('sightline_ready 1');
    const { data } = await serverFiles(here.home);
    const postmaster = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
    const servers = [postmaster, ...(await childrenOf(postmaster))];
    for (const pid of servers) process.kill(pid, 'SIGSTOP');
    try {
      await until('it is not ready', async () => (await metrics()).includes('sightline_ready 0'));
      const text = await metrics();
      expect(text).toContain('sightline_measures_readable 0');
      expect(text).not.toMatch(/sightline_projection_lag_seconds\{/);
      await program.says(/not ready: database unavailable/);
    } finally {
      for (const pid of servers) process.kill(pid, 'SIGCONT');
    }
    await until('it is ready again', async () => (await metrics()).includes('sightline_ready 1'));
  });
});

const urlOf = async (folder: string): Promise<string> => {
  const { data } = await serverFiles(folder);
  const port = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[3]);
  return serverUrl(folder, port);
};

/** A small file system; null where this user may not make one. */
const mounted = (bytes: number): string | null => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-disk-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'none', folder]);
  chmodSync(folder, 0o755);
  if (status === 0) return folder;
  rmSync(folder, { recursive: true });
  return null;
};
const trial = mounted(2 ** 20);
if (trial === null) console.warn('No file system can be mounted: a full disk is not tested.');
else {
  spawnSync('umount', [trial]);
  rmSync(trial, { recursive: true });
}

const freeOf = (folder: string): number => {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
};
/** Leaves so many bytes free. */
const fill = (folder: string, left: number): void => {
  try {
    writeFileSync(join(folder, 'ballast'), Buffer.alloc(Math.max(0, freeOf(folder) - left)));
  } catch (error) {
    // The program wrote meanwhile: the disk is as full as it was to be.
    if (left > 0 || (error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
};

describe.skipIf(trial === null)('a disk that fills', () => {
  it('ends writing first, is named, and at last refuses the start in its own words', async () => {
    const folder = mounted(RESERVE_BYTES + 400 * 2 ** 20) as string;
    disk = folder;
    const place = join(folder, 'home');
    const here = await createTestHome({ ...BASE, SIGHTLINE_HOME: place });
    home = here;
    const program = here.start(['start', '--role', 'api,project,crawl']);
    const url = await operationsOf(program);
    const diskCheck = async () =>
      (await readinessAt(`${url}/readyz`)).checks.find(({ name }: { name: string }) => name === 'disk');
    expect((await diskCheck())?.detail).toMatch(/free on the disk of SIGHTLINE_HOME$/);

    fill(folder, RESERVE_BYTES - 2 ** 22);
    await until('readiness says that nothing is written', async () =>
      (await diskCheck())?.detail.includes('nothing is written'),
    );
    const refused = await here.run(['seeds', 'add', 'bluesky', 'bsky.app']);
    expect(refused.err).toContain('no space left on the disk');
    expect((await here.run(['events', 'read', '--limit', '1', '--json'])).code).toBe(0);

    rmSync(join(folder, 'ballast'));
    await until(
      'readiness says nothing of the kind',
      async () => !(await diskCheck())?.detail.includes('nothing is written'),
    );
    expect((await here.run(['seeds', 'add', 'bluesky', 'bsky.app'])).code).toBe(0);

    fill(folder, 0);
    const client = new Client({ connectionString: await urlOf(place) });
    client.on('error', () => undefined);
    await client.connect();
    // Somebody else writes on: Postgres ends once its WAL has no space.
    const write = () => client.query(sql`select pg_logical_emit_message(true, 'x', repeat('x', 50000000))`);
    await until('Postgres has ended', () =>
      write().then(
        () => null,
        (error: unknown) => error,
      ),
    );
    await client.end().catch(() => undefined);
    expect(await program.ended).toBe(1);
    const said = program
      .err()
      .split('\n')
      .filter((line) => line.includes('No space left on device'))
      .map((line) => (JSON.parse(line) as { msg: string; postgres?: string }).msg);
    expect(said[0]).toBe('Postgres reports a fault');
    expect(said).toContainEqual(expect.stringMatching(/^the embedded Postgres ended unexpectedly/));

    const full = await here.run(['start', '--role', 'api,project']);
    expect(full.code).toBe(2);
    expect(full.err).toMatch(/no space left/i);
    expect(full.err).toContain('Make space on the disk');
    expect(full.err).not.toContain('corrupt');
  });
});
