import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { CHILD_ENVIRONMENT, childrenOf, commandOf } from '../../processes.ts';
import { Client, SCRAM_ONLY } from '../client.ts';
import { raw, sql } from '../statement.ts';
import {
  type Binaries,
  dataFolder,
  findBinaries,
  INITIALISED,
  ownFolder,
  type ServerUser,
  serverUser,
} from './binaries.ts';
import { passwordFile, prepareHome } from './home.ts';

const USER = 'sightline';

const newPassword = (): string => `${SCRAM_ONLY}${randomBytes(24).toString('base64url')}`;

const urlOf = (port: number, password: string, database: string): string =>
  `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;

/** Writes a password file atomically, readable only by its owner. */
const storePassword = async (file: string, password: string): Promise<void> => {
  const draft = `${file}.draft`;
  await rm(draft, { force: true });
  await writeFile(draft, password, { mode: 0o600, flag: 'wx', flush: true });
  await rename(draft, file);
};

const WRONG_PASSWORD = '28P01';

/** Connects with the first accepted password. */
const connectWith = async (port: number, passwords: readonly string[]): Promise<Client> => {
  let failure: unknown = new Error('the password of the embedded Postgres is missing');
  for (const password of passwords) {
    const client = new Client({ connectionString: urlOf(port, password, 'postgres') });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      failure = error;
      await client.end().catch(() => undefined);
      if ((error as { code?: string }).code !== WRONG_PASSWORD) throw error;
    }
  }
  throw failure;
};

/**
 * Rotates the server's password at each start, so that a copy of the home reveals a password only until the next start. The new
 * password is stored before the server has it: after a crash in between, one of the two is right.
 */
const changePassword = async (home: string, port: number): Promise<void> => {
  const file = passwordFile(home);
  const next = `${file}.next`;
  const kept = await Promise.all(
    [file, next].map((one) =>
      readFile(one, 'utf8').then(
        (text) => text.trim(),
        () => null,
      ),
    ),
  );
  const client = await connectWith(
    port,
    kept.filter((password) => password !== null),
  );
  try {
    const { rows } = await client.query<{ standby: boolean }>(sql`select pg_is_in_recovery() as standby`);
    // A standby has the password of its primary.
    if (rows[0]?.standby === true) return;
    const password = newPassword();
    await storePassword(next, password);
    await client.query(sql`alter role ${raw(USER)} password ${raw(pg.escapeLiteral(password))}`);
    await rename(next, file);
  } finally {
    await client.end();
  }
};

const send = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // The process has ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

/**
 * Cleans up after a killed owner: ends an orphaned server of this data folder, or removes a stale pid file. It touches only a
 * Postgres process of this folder, and the children of that process.
 */
const clearLeftovers = async (data: string): Promise<void> => {
  const pidFile = join(data, 'postmaster.pid');
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const text = await readFile(pidFile, 'utf8').catch(() => null);
    if (text === null) return;
    const pid = Number(text.split('\n')[0]);
    const isOurs = async () => {
      const command = await commandOf(pid);
      return command?.includes('postgres') === true && command.includes(data);
    };
    if (!(await isOurs())) {
      await rm(pidFile, { force: true });
      return;
    }
    const children = await childrenOf(pid);
    send(pid, signal);
    // Backends of a killed server would keep its shared memory, and no other server could start.
    if (signal === 'SIGKILL') for (const child of children) send(child, signal);
    // A stopped process receives no other signal.
    for (const stopped of [pid, ...children]) send(stopped, 'SIGCONT');
    for (let i = 0; i < 100 && (await isOurs()); i++) await sleep(100);
  }
};

const run = promisify(execFile);

/** A Postgres server run by this process. */
export interface Cluster {
  readonly port: number;
  /** Resolves when the server has ended, for whatever reason, with what it said last. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

const SETTINGS: Readonly<Record<string, string>> = {
  // No Unix socket: its lock file would outlive a killed server and block the next one.
  unix_socket_directories: '',
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  shared_buffers: '256MB',
  // The event log itself is on the same disk: the WAL takes at most 512 MB more. Postgres aims at this size and exceeds it while a
  // checkpoint is late; 128 MB remain for that.
  max_wal_size: '384MB',
  min_wal_size: '128MB',
  checkpoint_timeout: '15min',
  // All statements are short, so JIT compilation costs more than it saves.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

const folders = async (home: string, user: ServerUser | null) => {
  const folder = await dataFolder(home, user);
  return { folder, data: join(folder, 'data') };
};

/** Data folder and password file of a home's Postgres. */
export const serverFiles = async (
  home: string,
): Promise<{ readonly data: string; readonly password: string }> => {
  const { data } = await folders(home, serverUser());
  return { data, password: passwordFile(home) };
};

/** Connection string of a home's Postgres, with the password from its file. */
export const serverUrl = async (home: string, port: number, database = 'sightline'): Promise<string> =>
  urlOf(port, (await readFile(passwordFile(home), 'utf8')).trim(), database);

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

/** Makes a new file durable: its content and its name. */
const storeMarker = async (folder: string, name: string): Promise<void> => {
  await writeFile(join(folder, name), '', { flush: true });
  const parent = await open(folder);
  await parent.sync().finally(() => parent.close());
};

/**
 * Creates the data folder. It is not durable yet: `persist` must be called before the database is used.
 * @returns persist flushes the folder, which may happen while its server starts, and marks it as complete.
 */
const initialise = async (
  home: string,
  user: ServerUser | null,
  { initdb, env }: Binaries,
): Promise<{ persist(): Promise<void> }> => {
  const { folder, data } = await folders(home, user);
  await ownFolder(folder, user);
  // A crash during the first start leaves an incomplete data folder. It holds no data, but a server may be running in it.
  await clearLeftovers(data);
  await rm(data, { recursive: true, force: true });
  await ownFolder(data, user);
  const first = newPassword();
  await storePassword(passwordFile(home), first);
  // Readable by the server's user, which can't read the home's own password file. It is deleted after initdb.
  const password = join(folder, 'password');
  await rm(password, { force: true });
  await writeFile(password, first, { mode: 0o600, flag: 'wx' });
  if (user !== null) await chown(password, user.uid, user.gid);
  const as = { ...(user ?? {}), cwd: '/', env };
  const create = (ctype: string) =>
    run(
      initdb,
      [
        ['--pgdata', data],
        ['--username', 'sightline'],
        ['--pwfile', password],
        ['--auth', 'scram-sha-256'],
        ['--encoding', 'UTF8'],
        // This locale sorts by code point on every machine, and knows letters beyond ASCII.
        ['--locale-provider', 'builtin'],
        ['--builtin-locale', 'C.UTF-8'],
        ['--locale', 'C'],
        ['--lc-ctype', ctype],
        ['--no-sync'],
      ].flat(),
      as,
    );
  // Trigrams need the system's character classes. On the few systems without this locale, only ASCII letters are known.
  await create('C.UTF-8').catch(() => create('C'));
  await rm(password);
  return {
    persist: async () => {
      await run(initdb, ['--sync-only', '--pgdata', data], as);
      await storeMarker(folder, INITIALISED);
    },
  };
};

/**
 * Starts the Postgres of a home. It initialises the data folder if necessary, and recovers it after a crash.
 * @param prepare called with the port once Postgres accepts connections, while a new data folder is still being flushed.
 * @param onFault called with what Postgres says of faults of its own, such as a full disk.
 */
export const startEmbeddedServer = async (
  home: string,
  prepare: (port: number) => Promise<void> = async () => undefined,
  onFault: (line: string) => void = () => undefined,
): Promise<Cluster> => {
  const user = serverUser();
  await prepareHome(home, user !== null);
  const { folder, data } = await folders(home, user);
  const binaries = await findBinaries(user, join(folder, 'lib'));
  const created = existsSync(join(folder, INITIALISED)) ? null : await initialise(home, user, binaries);
  await clearLeftovers(data);
  const port = await freePort();
  const args = [
    '-D',
    data,
    '-p',
    String(port),
    ...Object.entries(SETTINGS).flatMap(([k, v]) => ['-c', `${k}=${v}`]),
  ];
  // With setpriv, the server shuts down when this process dies, even by SIGKILL.
  const tied =
    process.platform === 'linux' &&
    spawnSync('setpriv', ['--version'], { stdio: 'ignore', env: CHILD_ENVIRONMENT }).status === 0;
  const server = spawn(
    tied ? 'setpriv' : binaries.postgres,
    tied ? ['--pdeathsig', 'INT', binaries.postgres, ...args] : args,
    // The server has its own process group: Ctrl-C on the terminal reaches Sightline, which stops its server last.
    {
      ...(user ?? {}),
      cwd: '/',
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: binaries.env,
    },
  );
  const words = listen(server, onFault);
  const ended = new Promise<string>((resolve) => server.once('exit', () => resolve(faultIn(words()))));
  const stop = async () => {
    if (server.exitCode === null && server.signalCode === null) server.kill('SIGINT');
    await ended;
  };
  // A failure of the flush is reported below. If the server does not start, that error counts.
  const persisted = created?.persist() ?? Promise.resolve();
  persisted.catch(() => undefined);
  await ready(server, words);
  try {
    await changePassword(home, port);
    await prepare(port);
    await persisted;
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, ended, stop };
};

const NO_SPACE = /No space left on device/i;
/** What Postgres says of itself, and not of a statement that was refused. */
const FAULT =
  /PANIC: |(?:FATAL|ERROR|LOG): {2}could not (?:extend|write|fsync|read|rename|resize|create file|open file)|No space left|corrupt|invalid page/;

/** The line that tells why, out of the last ones; the last one if none does. */
const faultIn = (words: string): string => {
  const lines = words.trim().split('\n');
  return (
    lines.find((line) => NO_SPACE.test(line)) ??
    lines.findLast((line) => FAULT.test(line)) ??
    lines.at(-1) ??
    ''
  );
};

/** Hears what the server says. @returns its last words. */
const listen = (server: ChildProcess, onFault: (line: string) => void): (() => string) => {
  let tail = '';
  let rest = '';
  server.stderr?.setEncoding('utf8');
  server.stderr?.on('data', (chunk: string) => {
    tail = (tail + chunk).slice(-4_000);
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (FAULT.test(line) && !line.includes('HINT: ')) onFault(line);
  });
  return () => tail;
};

const ready = (server: ChildProcess, words: () => string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => {
      const said = NO_SPACE.test(words()) ? faultIn(words()) : `exit code ${code}:\n${words()}`;
      reject(new Error(`Postgres did not start: ${said}`));
    });
    server.stderr?.on('data', () => {
      if (/ready to accept (read-only )?connections/.test(words())) resolve();
    });
  });
