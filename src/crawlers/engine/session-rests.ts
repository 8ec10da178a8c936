import { errorMessage } from '../../kernel/errors/error-message.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { createLocalSessionRests, type SessionRests } from '../platforms/session-rests.ts';

/** The longest rest of an operation is kept: processes note the limits of responses in any order. */
const REST = `
  insert into crawl.session_rests as r (session, operation, until) values ($1, $2, to_timestamp($3 / 1000.0))
  on conflict (session, operation) do update set until = greatest(r.until, excluded.until)`;

const UNTIL = {
  name: 'crawl session rest',
  text: `select (extract(epoch from until) * 1000)::float8 as until
         from crawl.session_rests where session = $1 and operation = $2`,
};

/** Rests of sessions, shared by all processes. While the database is unavailable, those of this process count. */
export const createSessionRests = (db: Queryable, logger: Logger): SessionRests => {
  const local = createLocalSessionRests();
  const warn = (error: unknown) =>
    logger.warn(
      { err: errorMessage(error) },
      'rests of sessions are not shared: the database is unavailable',
    );
  return {
    until: async (session, operation) => {
      const own = await local.until(session, operation);
      try {
        const { rows } = await db.query<{ until: number }>({ ...UNTIL, values: [session, operation] });
        const shared = rows[0]?.until ?? null;
        return own === null ? shared : Math.max(own, shared ?? 0);
      } catch (error) {
        warn(error);
        return own;
      }
    },
    rest: async (session, operation, untilMs) => {
      await local.rest(session, operation, untilMs);
      // What the platform answered is not to be lost for it.
      await db.query(REST, [session, operation, untilMs]).catch(warn);
    },
  };
};
