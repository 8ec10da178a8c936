/** Secrets: sealing, rotation, and the sealed sessions of platforms. */

import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isoOf } from '../kernel/clock.ts';
import { uuidV7 } from '../kernel/ids.ts';
import { type Platform, platformSchema } from '../kernel/platform.ts';
import { type Db, inTransaction, type Queryable } from '../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../kernel/postgres/statement.ts';
import { type EventOf, event, instant, key, text } from './log/event-definition.ts';
import type { EventLog } from './log/port.ts';

/** What operators do with secrets. The secrets themselves are in no event. */
export const secretEvents = {
  /** In `session-<id>`. */
  SessionAdded: event({ at: instant, platform: platformSchema, label: text(60), proxy: key(40).nullable() }),
  SessionRemoved: event({ at: instant }),
  /** A session that the platform had rejected is used again. */
  SessionReinstated: event({ at: instant }),
  /** It is sealed with another key, which has this digest. */
  SessionResealed: event({ at: instant, key_id: key(16) }),
  /** In `secret-<purpose>`. `ends_others`: all earlier secrets became invalid at once. */
  SecretRotated: event({ at: instant, ends_others: z.boolean() }),
  /** In `proxies-configured`: the proxies of PROXIES_FILE are others than before. */
  ProxiesConfigured: event({
    at: instant,
    proxies: z.array(z.strictObject({ name: key(40), platforms: z.array(platformSchema) })).max(1_000),
  }),
};

type SecretEvent = EventOf<typeof secretEvents>;

export const sessionStream = (id: string): string => `session-${id}`;
export const secretStream = (purpose: string): string => `secret-${purpose}`;
const PROXIES_STREAM = 'proxies-configured';

/** An event as its time and data. */
type Without<Event> = Event extends { readonly data: infer Data }
  ? Omit<Event, 'data'> & { readonly data: Omit<Data, 'at'> }
  : never;

/** Appends what an operator does, in the transaction that does it: it is done only if it is recorded. */
export const recordAct = async (
  log: EventLog,
  stream: string,
  { type, data }: Without<SecretEvent>,
  nowMs: number,
): Promise<void> => {
  await log.append(stream, [{ id: uuidV7(nowMs), type, data: { at: isoOf(nowMs), ...data } }], 'any');
};

/** Records the proxies of PROXIES_FILE, without credentials, if they are others than before. */
export const recordProxies = async (
  log: EventLog,
  proxies: readonly { readonly name: string; readonly platforms: readonly Platform[] }[],
  nowMs: number,
): Promise<void> => {
  const [last] = await log.readStream(PROXIES_STREAM, { direction: 'backwards', limit: 1 });
  const before = (last?.data as { readonly proxies: unknown } | undefined)?.proxies ?? [];
  const now = proxies.map(({ name, platforms }) => ({ name, platforms: [...platforms] }));
  if (!isDeepStrictEqual(now, before))
    await recordAct(log, PROXIES_STREAM, { type: 'ProxiesConfigured', data: { proxies: now } }, nowMs);
};

export interface Sealed {
  readonly keyId: string;
  readonly sealed: Buffer;
}

/** The first key seals; all keys open. */
export interface Keyring {
  /** @param context the owner of the secret: the secret opens for this context only. */
  seal(context: string, secret: string): Sealed;
  /** Null if no key of the ring opens it. */
  open(context: string, sealed: Sealed): string | null;
  /** Whether the ring has the key. */
  has(keyId: string): boolean;
  /** ID of the key that seals. */
  readonly keyId: string;
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A key with the digest that names it. */
const named = (text: string) => {
  const key = Buffer.from(text, 'base64');
  return {
    key,
    id: createHash('sha256').update('sightline sealing key').update(key).digest('hex').slice(0, 16),
  };
};

/**
 * AES-256-GCM, with the context as additional data.
 * @param newest the key that seals, followed by further keys that only open: base64 of 32 bytes each.
 */
export const createKeyring = ([newest, ...older]: readonly [string, ...string[]]): Keyring => {
  const first = named(newest);
  const keys = [first, ...older.map(named)];
  return {
    keyId: first.id,
    has: (id) => keys.some((key) => key.id === id),
    seal: (context, secret) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, first.key, iv).setAAD(Buffer.from(context));
      const body = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return { keyId: first.id, sealed: Buffer.concat([iv, body, cipher.getAuthTag()]) };
    },
    open: (context, { keyId, sealed }) => {
      const key = keys.find(({ id }) => id === keyId);
      if (key === undefined || sealed.length < IV_BYTES + TAG_BYTES) return null;
      const decipher = createDecipheriv(CIPHER, key.key, sealed.subarray(0, IV_BYTES))
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(-TAG_BYTES));
      try {
        return Buffer.concat([
          decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)),
          decipher.final(),
        ]).toString();
      } catch {
        return null;
      }
    },
  };
};

export interface StoredSecret {
  readonly id: string;
  readonly secret: Buffer;
}

/** Secrets for one purpose. The newest signs; all that are still kept verify. */
export interface RotatingSecrets {
  /** Newest first. Created if there is none. */
  load(db: Db): Promise<readonly StoredSecret[]>;
  /**
   * Makes a new secret, in a transaction. Secrets older than the previous one are deleted once their time is over.
   * @param endsOthers deletes all other secrets, so that nothing signed with them is valid any more.
   */
  rotate(transaction: Queryable, endsOthers?: boolean): Promise<void>;
}

/** @param graceHours how long values made with a replaced secret stay valid. */
const rotatingSecrets = (table: string, graceHours: number): RotatingSecrets => {
  const select = (client: Queryable) =>
    client.query<StoredSecret>(sql`
      select id, secret from ${ident(table)}
      where replaced_at is null or replaced_at > now() - make_interval(hours => ${graceHours})
      order by replaced_at desc nulls first, created_at desc`);
  const insert = (client: Queryable) =>
    client.query(sql`
      insert into ${ident(table)} (id, secret) values (${randomBytes(4).toString('hex')}, ${randomBytes(32)})`);
  return {
    load: async (db) => {
      const { rows } = await select(db);
      if (rows.length > 0) return rows;
      return inTransaction(db, async (client) => {
        await client.query(sql`lock table ${ident(table)} in exclusive mode`);
        if ((await select(client)).rows.length === 0) await insert(client);
        return (await select(client)).rows;
      });
    },
    rotate: async (client, endsOthers = false) => {
      await client.query(sql`lock table ${ident(table)} in exclusive mode`);
      if (endsOthers) await client.query(sql`delete from ${ident(table)}`);
      await client.query(sql`update ${ident(table)} set replaced_at = now() where replaced_at is null`);
      await client.query(
        sql`delete from ${ident(table)} where replaced_at < now() - make_interval(hours => ${graceHours})`,
      );
      await insert(client);
    },
  };
};

/** Seal cursors. */
export const cursorSecrets = rotatingSecrets('secrets.cursor_secrets', 24);

/** Sign ownership codes, which are valid for seven days. */
export const verificationSecrets = rotatingSecrets('secrets.verification_secrets', 8 * 24);

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

/** Deletes a session with everything known about it, in a transaction. */
export const deleteSession = async (client: Queryable, id: string): Promise<void> => {
  await client.query(sql`delete from secrets.sessions where id = ${id}`);
  await client.query(sql`delete from crawl.session_limits where session = ${id}`);
  await client.query(sql`delete from crawl.session_states where session = ${id}`);
};

/**
 * Seals all sessions with the newest key, in a transaction.
 * @returns the IDs of the sessions that were sealed with another key, and of those that no key opens, which stay as they are.
 */
export const resealSessions = async (
  client: Queryable,
  keyring: Keyring,
): Promise<{ readonly resealed: readonly string[]; readonly unopened: readonly string[] }> => {
  await client.query(sql`lock table secrets.sessions in exclusive mode`);
  const resealed: string[] = [];
  const unopened: string[] = [];
  for (const session of await loadSessions(client, null)) {
    if (session.keyId === keyring.keyId) continue;
    const text = keyring.open(contextOf(session.id), session);
    if (text === null) {
      unopened.push(session.id);
      continue;
    }
    const { keyId, sealed } = keyring.seal(contextOf(session.id), text);
    await client.query(
      sql`update secrets.sessions set key_id = ${keyId}, sealed = ${sealed} where id = ${session.id}`,
    );
    resealed.push(session.id);
  }
  return { resealed, unopened };
};
