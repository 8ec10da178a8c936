import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashKey } from '../../src/write/holders/api-key.ts';
import { createTestHome, isAlive, type RunningProgram, type TestHome } from '../support/cli.ts';
import { until } from '../support/wait.ts';

let home: TestHome;

beforeAll(async () => {
  // Nothing is recorded, so nothing is read: these tests are about the program and not about crawling.
  home = await createTestHome({ PORT: '0', CRAWL_MODE: 'replay', LOG_FORMAT: 'json' });
});

afterAll(() => home.remove());

const up = async (program: RunningProgram): Promise<string> =>
  (await program.says(/"api":"(http:\/\/127\.0\.0\.1:\d+)\/v2\/"/))[1] as string;

const postgresPid = async (): Promise<number> =>
  Number((await readFile(join(home.home, 'postgres/data/postmaster.pid'), 'utf8')).split('\n')[0]);

describe('the service', () => {
  it('stops in order on SIGINT and SIGTERM, and leaves no process behind', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const program = home.start(['start']);
      const url = await up(program);
      expect((await fetch(`${url}/livez`)).status).toBe(200);
      await until('it is ready', async () => (await fetch(`${url}/readyz`)).status === 200);
      const postgres = await postgresPid();
      expect(await program.end(signal), signal).toBe(0);
      expect(program.err()).toContain('"msg":"stopped"');
      expect(isAlive(postgres)).toBe(false);
    }
  });

  it('recovers from a kill -9 and everything that it leaves behind', async () => {
    const killed = home.start(['start']);
    await up(killed);
    await killed.end('SIGKILL');
    const again = home.start(['start']);
    await up(again);
    await again.end('SIGTERM');
    // The pid of a process that is none of ours: it must live on, and its file must not stop the start.
    await writeFile(join(home.home, 'postgres/data/postmaster.pid'), `${process.pid}\n/elsewhere\n0\n`);
    const third = home.start(['start']);
    await up(third);
    expect(await third.end('SIGTERM')).toBe(0);
  });

  it('runs once in a home', async () => {
    const first = home.start(['start']);
    await up(first);
    const second = await home.run(['start']);
    expect(second.code).toBe(2);
    expect(second.err).toMatch(/already runs in .* \(process \d+\)/);
    expect(await first.end('SIGTERM')).toBe(0);
  });

  it('says so and stops if its port is taken', async () => {
    const first = home.start(['start']);
    const url = await up(first);
    const other = await createTestHome({ PORT: new URL(url).port, CRAWL_MODE: 'replay' });
    const second = await other.run(['start']);
    expect([second.code, second.err]).toEqual([2, expect.stringContaining(`Port ${new URL(url).port}`)]);
    await other.remove();
    await first.end('SIGTERM');
  });

  it('refuses to start with a bad setting, naming it, its value and what is allowed', async () => {
    for (const [key, value, allowed] of [
      ['PORT', 'abc', 'whole number from 0 to 65535'],
      ['LOG_LEVEL', 'loud', 'trace | debug'],
      ['CRAWL_RATE_PER_S', '-1', 'number from 0.01 to 10000'],
      ['DATABASE_URL', 'mysql://x', 'postgres://'],
    ] as const) {
      const { code, err } = await home.run(['start'], { [key]: value });
      expect(code, key).toBe(2);
      expect(err).toContain(key);
      expect(err).toContain(allowed);
      if (key !== 'DATABASE_URL') expect(err).toContain(`"${value}"`);
    }
  });
});

describe('commands', () => {
  const all: string[] = [];
  const run = async (...args: string[]) => {
    const finished = await home.run(args);
    all.push(finished.out, finished.err);
    return finished;
  };

  it('add a holder while no service runs', async () => {
    expect((await run('holders', 'add', 'Acme Research')).out.trim()).toBe('acme-research');
  });

  describe('beside a running service', () => {
    let program: RunningProgram;
    let url: string;
    let key: string;
    const keys = async () => JSON.parse((await run('keys', 'list', '--json')).out);
    const call = (path: string) => fetch(`${url}/v2${path}`, { headers: { authorization: `Bearer ${key}` } });

    beforeAll(async () => {
      program = home.start(['start'], { LOG_LEVEL: 'trace' });
      url = await up(program);
    });

    it('issue a key that the service accepts, and list it', async () => {
      const issued = await home.run(['keys', 'issue', 'acme-research', '--label', 'test']);
      all.push(issued.err);
      key = issued.out.trim();
      expect((await call('/accounts/platforms')).status).toBe(200);
      expect(await keys()).toMatchObject([{ holder: 'acme-research', label: 'test', revoked_at: null }]);
    });

    it('recruit seeds once', async () => {
      expect((await run('seeds', 'add', 'x', '@NASA', 'esa')).out).toContain('2 of 2');
      expect((await run('seeds', 'add', 'x', 'nasa')).out).toContain('0 of 1');
      const recruited = JSON.parse((await run('events', 'read', '--json', '--stream', 'members-x:')).out);
      expect(recruited).toMatchObject({
        stream: 'members-x:seed-x',
        data: { members: [{ handle: 'nasa' }, { handle: 'esa' }] },
      });
    });

    it('read and follow events, without hashes of keys', async () => {
      const tail = await run('events', 'tail', '--from', '1', '--limit', '3');
      expect(tail.out.trim().split('\n')).toHaveLength(3);
      expect((await run('events', 'read', '--type', 'KeyIssued')).out).toContain('[redacted]');
      await run('events', 'read', '--json');
    });

    it('list every read model, and rebuild one that is served meanwhile', async () => {
      const builds = JSON.parse((await run('projections', 'list', '--json')).out);
      expect(builds.map((b: { projection: string }) => b.projection)).toEqual([
        'accounts',
        'directory',
        'engines',
        'follows',
        'frontier',
        'handles',
        'holders',
        'ladders',
        'leads',
        'listings',
        'people',
        'pool_stats',
        'pools',
        'posts',
        'research',
      ]);
      expect((await run('projections', 'rebuild', 'directory')).out).toContain(
        'directory is now served from directory_v',
      );
      expect((await call('/directory')).status).toBe(200);
    });

    it('rotate secrets, and show the settings', async () => {
      expect((await run('secrets', 'rotate')).code).toBe(0);
      const config = JSON.parse((await run('config', '--json')).out);
      expect(config.find((row: { key: string }) => row.key === 'PORT')).toMatchObject({
        now: '0',
        fallback: '8080',
      });
    });

    it('revoke a key once, which the service then refuses', async () => {
      const [{ key_id }] = await keys();
      expect((await run('keys', 'revoke', key_id)).out).toContain('is revoked');
      expect((await run('keys', 'revoke', key_id)).out).toContain('was revoked already');
      const refused = await until('the key is refused', async () => {
        const response = await call('/accounts/platforms');
        return response.status === 401 && ((await response.json()) as { error: { code: string } });
      });
      expect(refused.error.code).toBe('key_revoked');
    });

    it('show a key and its hash nowhere but where it is issued', async () => {
      expect(await program.end('SIGTERM')).toBe(0);
      const everything = [...all, program.out(), program.err()].join('\n');
      expect(everything).not.toContain(key);
      expect(everything).not.toContain(hashKey(key));
    });
  });

  it('refuse what they do not understand with exit code 2, and say what to do', async () => {
    for (const [args, words] of [
      [['nonsense'], /unknown command/],
      [['start', '--fast'], /unknown option/],
      [['events', 'read', '--type', 'Nothing'], /The event types are: /],
      [['events', 'read', '--since', 'yesterday'], /15m/],
      [['projections', 'rebuild', 'nothing'], /The projections are: accounts, directory/],
      [['keys', 'issue', 'nobody'], /holders add/],
      [['keys', 'issue', 'acme-research', '--scopes', 'all'], /The scopes are/],
      [['keys', 'revoke', 'key_0'], /keys list/],
      [['seeds', 'add', 'myspace', 'tom'], /The platforms are/],
      [['crawl', 'x', 'not a handle'], /no handle of X/],
    ] as const) {
      const { code, err } = await home.run(args);
      expect([code, err], args.join(' ')).toEqual([2, expect.stringMatching(words)]);
    }
  });

  it('explain themselves, with examples', async () => {
    for (const command of [
      '',
      'demo',
      'start',
      'crawl',
      'seeds',
      'platforms',
      'events',
      'projections',
      'holders',
      'keys',
      'config',
    ]) {
      const { code, out } = await home.run([...(command === '' ? [] : [command]), '--help']);
      expect(code, command).toBe(0);
      expect(out, command).toMatch(/sightline|PORT=/);
    }
  });

  it('print what a crawl saw, and exit with 1 if it saw nothing', async () => {
    const { code, out, err } = await home.run(['crawl', 'bluesky', 'bsky.app', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({
      platform: 'bluesky',
      handle: 'bsky.app',
      status: 'unknown',
      events: 0,
    });
    expect(err).toContain('is not recorded');
  });
});
