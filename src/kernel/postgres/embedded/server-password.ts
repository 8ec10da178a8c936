import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { passwordFile } from './home.ts';
import { requireScram, SCRAM_ONLY } from './scram-only.ts';

requireScram();

const USER = 'sightline';

export const newPassword = (): string => `${SCRAM_ONLY}${randomBytes(24).toString('base64url')}`;

export const urlOf = (port: number, password: string, database: string): string =>
  `postgres://${USER}:${password}@127.0.0.1:${port}/${database}`;

/** Writes a password file atomically, readable only by its owner. */
export const storePassword = async (file: string, password: string): Promise<void> => {
  const draft = `${file}.draft`;
  await rm(draft, { force: true });
  await writeFile(draft, password, { mode: 0o600, flag: 'wx', flush: true });
  await rename(draft, file);
};

const WRONG_PASSWORD = '28P01';

/** Connects with the first accepted password. */
const connectWith = async (port: number, passwords: readonly string[]): Promise<pg.Client> => {
  let failure: unknown = new Error('the password of the embedded Postgres is missing');
  for (const password of passwords) {
    const client = new pg.Client({ connectionString: urlOf(port, password, 'postgres') });
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
 * Rotates the server's password at each start, so that a copy of the home reveals one only until then. The new
 * password is stored before the server has it: after a crash in between one of the two is right.
 */
export const changePassword = async (home: string, port: number): Promise<void> => {
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
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    // A standby has the password of its primary.
    if (rows[0]?.standby === true) return;
    const password = newPassword();
    await storePassword(next, password);
    await client.query(`alter role ${USER} password ${pg.escapeLiteral(password)}`);
    await rename(next, file);
  } finally {
    await client.end();
  }
};
