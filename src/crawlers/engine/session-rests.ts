import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { SessionRests } from '../platforms/session-rests.ts';

/** The longest rest of an operation is kept: processes note the limits of responses in any order. */
const REST = `
  insert into crawl.session_rests as r (session, operation, until) values ($1, $2, to_timestamp($3 / 1000.0))
  on conflict (session, operation) do update set until = greatest(r.until, excluded.until)`;

const UNTIL = {
  name: 'crawl session rest',
  text: `select (extract(epoch from until) * 1000)::float8 as until
         from crawl.session_rests where session = $1 and operation = $2`,
};

/** Rests of sessions, shared by all processes. */
export const createSessionRests = (db: Queryable): SessionRests => ({
  until: async (session, operation) => {
    const { rows } = await db.query<{ until: number }>({ ...UNTIL, values: [session, operation] });
    return rows[0]?.until ?? null;
  },
  rest: async (session, operation, untilMs) => {
    await db.query(REST, [session, operation, untilMs]);
  },
});
