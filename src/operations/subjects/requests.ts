/** What people ask the operator for at `/privacy`, where they can't prove an account. */

import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { uuidV5 } from '../../kernel/ids.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { REQUESTS_STREAM } from '../../write/erasure/subject.ts';
import type { EventLog } from '../../write/log/port.ts';

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
export const dismissRequest = async (
  { db, log }: { readonly db: Queryable; readonly log: Pick<EventLog, 'append'> },
  id: string,
): Promise<void> => {
  const request = (await listRequests({ db })).find((each) => each.id === id);
  if (request === undefined) throw new OperatorError('request_unknown', 'There is no such request.');
  const nowMs = systemClock.now();
  const { act, platform } = request;
  const data = { at: isoOf(nowMs), request: id, act, platform };
  // The same event however often it is tried.
  const event = { id: uuidV5(`dismissed ${id}`), type: 'RequestDismissed', data };
  await log.append(REQUESTS_STREAM, [event], 'any');
  await db.query(sql`delete from erasure.requests where id = ${id}::uuid`);
};
