import { type Db, inTransaction, type Queryable } from './pool.ts';
import { sql } from './statement.ts';

/** Runs reads in one snapshot, taken at the first of them. */
export const withReadSnapshot = <T>(db: Db, work: (client: Queryable) => Promise<T>): Promise<T> =>
  inTransaction(db, async (client) => {
    await client.query(sql`set transaction isolation level repeatable read, read only`);
    return work(client);
  });
