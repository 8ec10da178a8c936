import { chmod, chown, copyFile, cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { dataFolder, serverUser } from '../../src/kernel/postgres/embedded/binaries.ts';
import { passwordFile, prepareHome } from '../../src/kernel/postgres/embedded/home.ts';
import { type Cluster, serverUrl, startEmbeddedServer } from '../../src/kernel/postgres/embedded/server.ts';
import { until } from './wait.ts';

/** A Postgres and a replica that streams from it. */
export interface Replicated {
  readonly url: string;
  readonly replicaUrl: string;
  /** Keeps the replica receiving changes without showing them. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

const once = async (url: string, ...statements: string[]): Promise<pg.QueryResult[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const results: pg.QueryResult[] = [];
    for (const statement of statements) results.push(await client.query(statement));
    return results;
  } finally {
    await client.end();
  }
};

const emptyHome = async (): Promise<string> => {
  const home = await mkdtemp(join(tmpdir(), 'sightline-replica-'));
  // The user that Postgres runs as when root starts it needs access.
  await chmod(home, 0o755);
  return home;
};

/** Gives everything in a folder to the user that the server runs as. */
const give = async (folder: string): Promise<void> => {
  const user = serverUser();
  if (user === null) return;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chown(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
  await chown(folder, user.uid, user.gid);
};

/** Copies a running server's files as a backup does, and starts the copy as its standby. */
const startStandby = async (from: string, primary: Cluster): Promise<{ home: string; cluster: Cluster }> => {
  const url = await serverUrl(from, primary.port, 'postgres');
  const home = await emptyHome();
  const [source, target] = [await dataFolder(from, serverUser()), await dataFolder(home, serverUser())];
  await mkdir(target, { recursive: true });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("select pg_backup_start('standby', true)");
  await cp(source, target, { recursive: true, filter: (path) => !path.endsWith('postmaster.pid') });
  const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
  await client.end();
  const data = join(target, 'data');
  await writeFile(join(data, 'backup_label'), rows[0]?.labelfile ?? '');
  await writeFile(join(data, 'standby.signal'), '');
  const { password, username } = new URL(url);
  const conninfo = `host=127.0.0.1 port=${primary.port} user=${username} password=${decodeURIComponent(password)}`;
  await writeFile(join(data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
  await give(target);
  await prepareHome(home, serverUser() !== null);
  await copyFile(passwordFile(from), passwordFile(home));
  return { home, cluster: await startEmbeddedServer(home) };
};

/** @param prepare prepares the database before it is copied. */
export const startReplicated = async (prepare: (url: string) => Promise<void>): Promise<Replicated> => {
  const home = await emptyHome();
  const primary = await startEmbeddedServer(home);
  await once(await serverUrl(home, primary.port, 'postgres'), 'create database sightline');
  const url = await serverUrl(home, primary.port);
  await prepare(url);
  const standby = await startStandby(home, primary);
  const replicaUrl = await serverUrl(standby.home, standby.cluster.port);
  return {
    url,
    replicaUrl,
    pause: async () => void (await once(replicaUrl, 'select pg_wal_replay_pause()')),
    resume: () =>
      until('the replica goes on', async () => {
        // Replaying the backlog may cancel the statement that resumed the replay.
        await once(replicaUrl, 'select pg_wal_replay_resume()').catch(() => undefined);
        const [asked] = await once(replicaUrl, 'select pg_is_wal_replay_paused() as paused').catch(() => []);
        return asked?.rows[0].paused === false;
      }).then(() => undefined),
    close: async () => {
      await standby.cluster.stop();
      await primary.stop();
      await Promise.all([home, standby.home].map((folder) => rm(folder, { recursive: true, force: true })));
    },
  };
};
