import { randomBytes } from 'node:crypto';
import type { Db, Queryable } from '../../kernel/postgres/pool.ts';
import { inTransaction } from '../../kernel/postgres/pool.ts';

/** How long cursors of a replaced secret stay valid. */
const GRACE_HOURS = 24;

export interface StoredSecret {
  readonly id: string;
  readonly secret: Buffer;
}

const insert = (db: Queryable) =>
  db.query('insert into secrets.cursor_secrets (id, secret) values ($1, $2)', [
    randomBytes(4).toString('hex'),
    randomBytes(32),
  ]);

/** Secrets that verify cursors, newest first; the newest signs. Created if there is none. */
export const loadCursorSecrets = async (db: Db): Promise<readonly StoredSecret[]> => {
  const select = (client: Queryable) =>
    client.query<StoredSecret>(
      `select id, secret from secrets.cursor_secrets
       where replaced_at is null or replaced_at > now() - make_interval(hours => $1)
       order by replaced_at desc nulls first, created_at desc`,
      [GRACE_HOURS],
    );
  const { rows } = await select(db);
  if (rows.length > 0) return rows;
  return inTransaction(db, async (client) => {
    await client.query('lock table secrets.cursor_secrets in exclusive mode');
    if ((await select(client)).rows.length === 0) await insert(client);
    return (await select(client)).rows;
  });
};

/** Rotates the secret; cursors of the previous one stay valid for a day, older secrets are deleted. */
export const rotateCursorSecret = async (db: Db): Promise<void> =>
  inTransaction(db, async (client) => {
    await client.query('lock table secrets.cursor_secrets in exclusive mode');
    await client.query('update secrets.cursor_secrets set replaced_at = now() where replaced_at is null');
    await client.query(
      'delete from secrets.cursor_secrets where replaced_at < now() - make_interval(hours => $1)',
      [GRACE_HOURS],
    );
    await insert(client);
  });
