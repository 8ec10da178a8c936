import { randomBytes } from 'node:crypto';
import type { Platform } from '../../kernel/platform.ts';
import { type Db, inTransaction, type Queryable } from '../../kernel/postgres/pool.ts';
import { raw, sql } from '../../kernel/postgres/statement.ts';
import type { Keyring, Sealed } from './sealing.ts';

/** A session without its credentials. */
export interface SessionRow {
  readonly id: string;
  readonly platform: Platform;
  readonly label: string;
  readonly proxy: string | null;
  readonly createdAt: string;
}

export interface StoredSession extends SessionRow, Sealed {}

/** Credentials by the names that the platform's adapter gives them. */
export type Credentials = Readonly<Record<string, string | undefined>>;

/** What sealed credentials are bound to. */
const contextOf = (id: string): string => `session ${id}`;

const COLUMNS = 'id, platform, label, proxy, key_id as "keyId", sealed, created_at as "createdAt"';

/** Sessions of a platform, or of all, oldest first. */
export const loadSessions = async (
  db: Queryable,
  platform: Platform | null,
): Promise<readonly StoredSession[]> =>
  (
    await db.query<StoredSession>(sql.named('secret_sessions')`
      select ${raw(COLUMNS)} from secrets.sessions where ${platform}::text is null or platform = ${platform}
        order by created_at, id`)
  ).rows;

/** @returns the ID; null if the platform has a session with that label. */
export const insertSession = async (
  db: Queryable,
  keyring: Keyring,
  session: Pick<SessionRow, 'platform' | 'label' | 'proxy'>,
  credentials: Credentials,
): Promise<string | null> => {
  const id = `ses_${randomBytes(8).toString('hex')}`;
  const { keyId, sealed } = keyring.seal(contextOf(id), JSON.stringify(credentials));
  const { rowCount } = await db.query(sql`
    insert into secrets.sessions (id, platform, label, proxy, key_id, sealed) values (${id}, ${session.platform},
      ${session.label}, ${session.proxy}, ${keyId}, ${sealed})
    on conflict (platform, label) do nothing`);
  return rowCount === 1 ? id : null;
};

/** The credentials of a session; null if no key opens them. */
export const openCredentials = (keyring: Keyring, session: StoredSession): Credentials | null => {
  const text = keyring.open(contextOf(session.id), session);
  return text === null ? null : (JSON.parse(text) as Credentials);
};

/** Deletes a session with all that is known of it. @returns whether there was one. */
export const deleteSession = (db: Db, id: string): Promise<boolean> =>
  inTransaction(db, async (client) => {
    const { rowCount } = await client.query(sql`delete from secrets.sessions where id = ${id}`);
    await client.query(sql`delete from crawl.session_limits where session = ${id}`);
    await client.query(sql`delete from crawl.session_states where session = ${id}`);
    return rowCount === 1;
  });

/**
 * Seals all sessions with the newest key.
 * @returns how many were sealed with another one, and the IDs of those that no key opens, which stay as they are.
 */
export const resealSessions = (
  db: Db,
  keyring: Keyring,
): Promise<{ readonly resealed: number; readonly unopened: readonly string[] }> =>
  inTransaction(db, async (client) => {
    await client.query(sql`lock table secrets.sessions in exclusive mode`);
    const others = (await loadSessions(client, null)).filter(({ keyId }) => keyId !== keyring.keyId);
    const unopened: string[] = [];
    for (const session of others) {
      const text = keyring.open(contextOf(session.id), session);
      if (text === null) {
        unopened.push(session.id);
        continue;
      }
      const { keyId, sealed } = keyring.seal(contextOf(session.id), text);
      await client.query(
        sql`update secrets.sessions set key_id = ${keyId}, sealed = ${sealed} where id = ${session.id}`,
      );
    }
    return { resealed: others.length - unopened.length, unopened };
  });
