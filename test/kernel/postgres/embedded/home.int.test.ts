import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { sql } from 'slonik';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../../../../src/kernel/errors.ts';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { Client } from '../../../../src/kernel/postgres/client.ts';
import { serverUser } from '../../../../src/kernel/postgres/embedded/binaries.ts';
import { askOwner, passwordFile, takeHome } from '../../../../src/kernel/postgres/embedded/home.ts';
import { serverFiles } from '../../../../src/kernel/postgres/embedded/server.ts';
import { openDatabase } from '../../../../src/kernel/postgres/open-database.ts';
import { createPool } from '../../../../src/kernel/postgres/pool.ts';
import { openReadPool } from '../../../../src/read/read-pool.ts';

const run = promisify(execFile);
const STRANGER = 65_534;

/** Why nobody else can be tried here; null where somebody can. */
const lacks =
  process.getuid?.() !== 0
    ? 'the tests do not run as root'
    : spawnSync('setpriv', ['--version']).status === 0
      ? spawnSync('setpriv', [`--reuid=${STRANGER}`, '--clear-groups', process.execPath, '--version'])
          .status === 0
        ? null
        : 'another user can not run this Node'
      : 'there is no setpriv';
if (lacks !== null) console.log(`skipped, as ${lacks}: homes that another user tries to read, or has`);

/** Runs a program as a user who has nothing to do with the home. */
const asStranger = (...command: string[]) =>
  run('setpriv', [`--reuid=${STRANGER}`, `--regid=${STRANGER}`, '--clear-groups', ...command]);

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sightline-home-'));
  await chmod(home, 0o755);
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

const open = () => openDatabase({ SIGHTLINE_HOME: home, DATABASE_URL: undefined }, 'command', silentLogger);
const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

describe('a home', () => {
  it('hides its lock, its secrets and its data from other users', { tags: 'long' }, async () => {
    const database = await open();
    const isRoot = serverUser() !== null;
    expect(await modeOf(home)).toBe(isRoot ? '711' : '700');
    expect(await modeOf(join(home, 'private'))).toBe('700');
    for (const name of await readdir(join(home, 'private'))) {
      expect(await modeOf(join(home, 'private', name)), name).toMatch(/^6[04][04]$/);
    }
    expect(await modeOf(passwordFile(home))).toBe('600');
    expect(await modeOf(join(home, 'postgres'))).toBe('700');
    await database.close();
  });

  it('has a new password at each start, and the old ones stop working', {
    tags: 'long',
  }, async () => {
    const first = await open();
    const before = new URL(first.url).password;
    await first.close();
    const second = await open();
    expect(new URL(second.url).password).not.toBe(before);
    const old = new URL(second.url);
    old.password = before;
    const client = new pg.Client({ connectionString: old.href });
    await expect(client.connect()).rejects.toMatchObject({ code: '28P01' });
    await second.close();
  });

  it.each(['the server has not', 'the server has'])(
    'starts after a crash that left a new password known to %s',
    { tags: 'long' },
    async (which) => {
      await (await open()).close();
      const file = passwordFile(home);
      if (which === 'the server has') {
        await rename(file, `${file}.next`);
        await writeFile(file, 'scram-only.wrong', { mode: 0o600 });
      } else {
        await writeFile(`${file}.next`, 'scram-only.wrong', { mode: 0o600 });
      }
      const again = await open();
      const client = new pg.Client({ connectionString: again.url });
      await client.connect();
      expect((await client.query('select 1 as n')).rows).toEqual([{ n: 1 }]);
      await client.end();
      await again.close();
    },
  );

  it('belongs to one process at a time, and is free again however that ends', { tags: 'long' }, async () => {
    await (await open()).close();
    const lock = await takeHome(home, 'command');
    expect(await takeHome(home, 'command')).toBeNull();
    await lock?.release();
    const again = await takeHome(home, 'service');
    expect(again).not.toBeNull();
    await again?.release();
  });

  it('is free for everybody who looks, while others look too and a killed owner’s record remains', {
    tags: 'long',
  }, async () => {
    await (await open()).close();
    await writeFile(join(home, 'private/owner.json'), JSON.stringify({ pid: 1, role: 'service', port: 1 }));
    const looking = new Worker(
      `const { DatabaseSync } = require('node:sqlite');
       const { workerData, parentPort } = require('node:worker_threads');
       const lock = new DatabaseSync(workerData);
       lock.exec('begin; select 1 from sqlite_schema');
       parentPort.once('message', () => lock.close());
       parentPort.postMessage('looks');`,
      { eval: true, workerData: join(home, 'private/lock') },
    );
    await once(looking, 'message');
    try {
      expect(await askOwner(home, () => true, 1_000)).toBeNull();
      expect(await takeHome(home, 'service')).toBeNull();
      const opening = open();
      await sleep(200);
      looking.postMessage('leave');
      await (await opening).close();
    } finally {
      await looking.terminate();
    }
  });
});

describe.skipIf(lacks !== null)('a home that another user can reach', () => {
  it('reveals nothing to that user', { tags: 'long' }, async () => {
    const database = await open();
    for (const path of ['private', 'private/password', 'private/lock', 'postgres', 'postgres/data']) {
      await expect(asStranger('cat', join(home, path)), path).rejects.toThrow(/Permission denied/);
    }
    await expect(asStranger('ls', home)).rejects.toThrow(/Permission denied/);
    await database.close();
  });

  it('is refused if it belongs to that user', async () => {
    await chown(home, STRANGER, STRANGER);
    const refused = open();
    await expect(refused).rejects.toBeInstanceOf(OperatorError);
    await expect(refused).rejects.toThrow(/SIGHTLINE_HOME .* belongs to another user \(uid 65534\)/);
    // Nothing was put into it.
    expect(await readdir(home)).toEqual([]);
  });

  it('gives the server’s user none of the settings', { tags: 'long' }, async () => {
    process.env.SESSIONS_KEY = 'not for the database';
    try {
      const database = await open();
      const { data } = await serverFiles(home);
      const pid = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0];
      const environment = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').filter(Boolean);
      expect(environment.map((each) => each.split('=')[0]).toSorted()).toEqual(
        expect.not.arrayContaining(['SESSIONS_KEY', 'HOME', 'USER']),
      );
      expect(environment.join()).not.toContain('not for the database');
      await database.close();
    } finally {
      delete process.env.SESSIONS_KEY;
    }
  });

  it('is refused if its private part belongs to that user', async () => {
    await mkdir(join(home, 'private'));
    await chown(join(home, 'private'), STRANGER, STRANGER);
    await expect(open()).rejects.toThrow(/belongs to another user/);
  });

  it('is not recreated elsewhere when the server’s user can no longer enter it', {
    tags: 'long',
  }, async () => {
    const outer = await mkdtemp(join(tmpdir(), 'sightline-outer-'));
    const inner = join(outer, 'home');
    await chmod(outer, 0o755);
    const config = { SIGHTLINE_HOME: inner, DATABASE_URL: undefined };
    await (await openDatabase(config, 'command', silentLogger)).close();
    await chmod(inner, 0o700);
    // Its own mode it mends by itself.
    await (await openDatabase(config, 'command', silentLogger)).close();
    await chmod(outer, 0o700);
    await expect(openDatabase(config, 'command', silentLogger)).rejects.toThrow(/chmod o\+x/);
    await chmod(outer, 0o755);
    await (await openDatabase(config, 'command', silentLogger)).close();
    await rm(outer, { recursive: true, force: true });
  });

  it('keeps a database that was created elsewhere, even if it could be inside by now', {
    tags: 'long',
  }, async () => {
    const outer = await mkdtemp(join(tmpdir(), 'sightline-outer-'));
    const inner = join(outer, 'home');
    const config = { SIGHTLINE_HOME: inner, DATABASE_URL: undefined };
    await (await openDatabase(config, 'command', silentLogger)).close();
    const { data } = await serverFiles(inner);
    expect(data.startsWith(outer)).toBe(false);
    await chmod(outer, 0o755);
    expect((await serverFiles(inner)).data).toBe(data);
    await rm(join(data, '..'), { recursive: true, force: true });
    await rm(outer, { recursive: true, force: true });
  });
});

describe('a server that is not the home’s', () => {
  let server: Server;
  let received: Buffer[];
  const url = (password = 'scram-only.secret') => {
    const { port } = server.address() as { port: number };
    return `postgres://sightline:${password}@127.0.0.1:${port}/sightline`;
  };
  const message = (type: string, body: Buffer): Buffer => {
    const head = Buffer.alloc(5);
    head.write(type);
    head.writeInt32BE(body.length + 4, 1);
    return Buffer.concat([head, body]);
  };
  const int = (n: number) => {
    const buffer = Buffer.alloc(4);
    buffer.writeInt32BE(n);
    return buffer;
  };
  const READY = message('Z', Buffer.from('I'));

  const listen = async (answer: Buffer) => {
    received = [];
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk: Buffer) => received.push(chunk));
      socket.once('data', () => socket.write(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  };
  afterEach(() => server.close());

  it.each([
    ['a password in the clear', message('R', int(3))],
    ['an MD5 of it', message('R', Buffer.concat([int(5), Buffer.from('salt')]))],
    ['nothing', Buffer.concat([message('R', int(0)), READY])],
    [
      'a proof, and gives none itself',
      Buffer.concat([
        message('R', Buffer.concat([int(10), Buffer.from('SCRAM-SHA-256\0\0')])),
        message('R', int(0)),
        READY,
      ]),
    ],
  ])('gets neither the password nor anything else when it asks for %s', async (_, answer) => {
    await listen(answer);
    const client = new Client({ connectionString: url() });
    client.on('error', () => undefined);
    await expect(client.connect()).rejects.toThrow(/did not prove its identity/);
    const pool = createPool(url(), { max: 1, logger: silentLogger, name: 'test' });
    await expect(pool.query('select 1')).rejects.toThrow();
    await pool.end();
    const listed = async () => {
      const lists = await openReadPool(url(), 1);
      await lists.any(sql.unsafe`select 1`).finally(() => lists.end());
    };
    await expect(listed()).rejects.toThrow();
    const all = Buffer.concat(received).toString('latin1');
    expect(all).not.toContain('scram-only.secret');
    expect(all).not.toContain('select 1');
  });
});
