import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';

/** Responses deleted in one statement. */
const MAX_EXPIRED = 500;

/** Deletes idempotent responses older than a day. @returns how many. */
export const dropExpiredResponses = async (db: Queryable): Promise<number> => {
  let dropped = 0;
  for (;;) {
    const { rowCount } = await db.query(sql`
      delete from metering.idempotent_responses where ctid = any (array(
        select ctid from metering.idempotent_responses where created_at < clock_timestamp() - interval '24 hours'
        order by created_at limit ${MAX_EXPIRED}
      )) and created_at < clock_timestamp() - interval '24 hours'`);
    dropped += rowCount ?? 0;
    if ((rowCount ?? 0) < MAX_EXPIRED) return dropped;
  }
};
