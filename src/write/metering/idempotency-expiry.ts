import type { Queryable } from '../../kernel/postgres/pool.ts';

/** Responses deleted in one statement. */
const MAX_EXPIRED = 500;

/** Deletes idempotent responses older than a day. @returns how many. */
export const dropExpiredResponses = async (db: Queryable): Promise<number> => {
  let dropped = 0;
  for (;;) {
    const { rowCount } = await db.query(
      `delete from metering.idempotent_responses where ctid = any (array(
         select ctid from metering.idempotent_responses where created_at < clock_timestamp() - interval '24 hours'
         order by created_at limit $1
       )) and created_at < clock_timestamp() - interval '24 hours'`,
      [MAX_EXPIRED],
    );
    dropped += rowCount ?? 0;
    if ((rowCount ?? 0) < MAX_EXPIRED) return dropped;
  }
};
