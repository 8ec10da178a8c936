import { randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../infra/simulator/server.ts';
import { createTestHome, type RunningProgram, type TestHome } from '../support/cli.ts';
import { seedHome } from '../support/seeded-home.ts';
import { until } from '../support/wait.ts';

const CANARY = 'canaryofasession';

let simulator: Simulator;
let home: TestHome;
let key: string;

beforeAll(async () => {
  simulator = await startSimulator({ seed: 3, size: 60 });
  home = await createTestHome({
    PORT: '0',
    LOG_FORMAT: 'json',
    LOG_LEVEL: 'trace',
    SIMULATOR_URL: simulator.url,
    SESSIONS_KEY: randomBytes(32).toString('base64'),
  });
  key = await seedHome({ SIGHTLINE_HOME: home.home }, simulator);
});
afterAll(async () => {
  await home.remove();
  await simulator.close();
});

/** Every file below a folder, as one text. */
const textsOf = async (folder: string): Promise<string> => {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = await Promise.all(
    files.filter((file) => file.isFile()).map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
  return texts.join('\n');
};

describe('a session of X', () => {
  const said: string[] = [];
  const run = async (...args: string[]) => {
    const { code, out, err } = await home.run(args);
    said.push(out, err);
    return { code, out, err };
  };
  let program: RunningProgram | undefined;

  it('is added, tested and used by live reads, and shown nowhere', async () => {
    const file = join(home.home, 'session.txt');
    await writeFile(file, `bearer_token=${CANARY}-b\nguest_token=${CANARY}-g\n`);
    expect((await run('sessions', 'add', 'x', '--label', 'first', '--file', file)).code).toBe(0);
    await writeFile(file, '');
    expect((await run('sessions', 'test', 'first')).out).toContain('accepted');

    program = home.start(['start']);
    const [, url = '', metrics = ''] = await program.says(
      /"api":"(http:\S+?)\/v2\/".*"metrics":"(\S+?)".*"msg":"Sightline started"/,
    );
    const ask = (path: string) => fetch(`${url}/v2${path}`, { headers: { authorization: `Bearer ${key}` } });
    // Only a session proves it.
    const absent = await ask('/scrape/x/user?handle=zz_nobody_zz');
    expect(await absent.json()).toMatchObject({ data: { status: 'absent' } });

    simulator.sessions.set(`${CANARY}-g`, { state: 'locked' });
    await until('the session was rejected', async () => {
      await ask('/scrape/x/user?handle=zz_nobody_zz');
      return (await run('sessions', 'list')).out.includes('resting');
    });
    expect((await ask('/scrape/x/tweet?id=1')).status).toBe(503);
    simulator.sessions.set(`${CANARY}-g`, { state: 'ok' });
    expect((await run('sessions', 'test', 'first')).out).toContain('accepted');
    expect((await ask('/scrape/x/tweet?id=1')).status).toBe(200);

    said.push(await (await fetch(metrics)).text());
    await run('sessions', 'list', '--json');
    await run('events', 'read', '--limit', '500');
    await run('config');
    const out = join(home.home, 'saved');
    expect((await run('backup', '--out', out)).code).toBe(0);
    said.push(await textsOf(out), program.out(), program.err());
    await run('sessions', 'remove', 'first');
    expect((await ask('/scrape/x/tweet?id=1')).status).toBe(422);
    expect(await program.end('SIGTERM')).toBe(0);
    // The database's own files as well.
    said.push(await textsOf(home.home));
    expect(said.join('\n')).not.toContain(CANARY);
  });
});
