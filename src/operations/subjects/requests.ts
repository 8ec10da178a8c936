/** What people ask the operator for at `/privacy`, where they can't prove an account. */

import { OperatorError } from '../../kernel/errors.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';

export interface PrivacyRequest {
  readonly id: string;
  readonly at: string;
  readonly act: string;
  readonly platform: string;
  /** A handle, or `id:` and the native ID: nobody has proven that it is the account of whoever asks. */
  readonly account: string;
  readonly contact: string;
}

/** Requests that wait, the oldest first. */
export const listRequests = async ({
  db,
}: {
  readonly db: Queryable;
}): Promise<readonly PrivacyRequest[]> => {
  const { rows } = await db.query<PrivacyRequest>(sql`
    select id, at, act, platform, account, contact from erasure.requests order by at, id`);
  return rows;
};

/** Takes a request out of the queue. @throws {OperatorError} `request_unknown` */
export const dismissRequest = async ({ db }: { readonly db: Queryable }, id: string): Promise<void> => {
  const { rowCount } = await db.query(sql`delete from erasure.requests where id::text = ${id}`);
  if (rowCount !== 1) throw new OperatorError('request_unknown', 'There is no such request.');
};
