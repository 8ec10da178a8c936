import type { Queryable } from '../kernel/postgres/pool.ts';

export interface HolderListing {
  readonly holder: string;
  readonly name: string;
  readonly registered_at: string;
  /** Keys that are not revoked. */
  readonly keys: number;
}

export interface KeyListing {
  readonly key_id: string;
  readonly holder: string;
  readonly label: string | null;
  readonly scopes: readonly string[];
  readonly issued_at: string;
  readonly revoked_at: string | null;
}

/** All holders, by id. */
export const listHolders = async (db: Queryable, schema: string): Promise<readonly HolderListing[]> => {
  const { rows } = await db.query<Omit<HolderListing, 'registered_at'> & { registered_at: Date }>(
    `select h.holder, h.name, h.registered_at,
       (select count(*)::int from ${schema}.keys k where k.holder = h.holder and k.revoked_at is null) as keys
     from ${schema}.holders h order by h.holder`,
  );
  return rows.map((row) => ({ ...row, registered_at: row.registered_at.toISOString() }));
};

/** Keys of one holder or of all, the newest first. Never the key itself, nor its hash. */
export const listKeys = async (
  db: Queryable,
  schema: string,
  holder: string | null,
): Promise<readonly KeyListing[]> => {
  const { rows } = await db.query<
    Omit<KeyListing, 'issued_at' | 'revoked_at'> & { issued_at: Date; revoked_at: Date | null }
  >(
    `select key_id, holder, label, scopes, issued_at, revoked_at from ${schema}.keys
     where $1::text is null or holder = $1 order by issued_at desc, key_id`,
    [holder],
  );
  return rows.map((row) => ({
    ...row,
    issued_at: row.issued_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }));
};
