import { randomBytes } from 'node:crypto';
import type { Db, Queryable } from '../../kernel/postgres/pool.ts';
import { inTransaction } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';

export interface StoredSecret {
  readonly id: string;
  readonly secret: Buffer;
}

/** Secrets of one purpose: the newest makes, all that are left verify. */
export interface RotatingSecrets {
  /** Newest first. Created if there is none. */
  load(db: Db): Promise<readonly StoredSecret[]>;
  /**
   * Makes a new secret; older ones than the one before are deleted if their time is over.
   * @param endsOthers all others are deleted, so that nothing that they made is valid any more.
   */
  rotate(db: Db, endsOthers?: boolean): Promise<void>;
}

/** @param graceHours how long what a replaced secret made stays valid. */
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
    rotate: (db, endsOthers = false) =>
      inTransaction(db, async (client) => {
        await client.query(sql`lock table ${ident(table)} in exclusive mode`);
        if (endsOthers) await client.query(sql`delete from ${ident(table)}`);
        await client.query(sql`update ${ident(table)} set replaced_at = now() where replaced_at is null`);
        await client.query(
          sql`delete from ${ident(table)} where replaced_at < now() - make_interval(hours => ${graceHours})`,
        );
        await insert(client);
      }),
  };
};

/** Seal cursors. */
export const cursorSecrets = rotatingSecrets('secrets.cursor_secrets', 24);

/** Make ownership codes, which are valid for seven days. */
export const verificationSecrets = rotatingSecrets('secrets.verification_secrets', 8 * 24);
