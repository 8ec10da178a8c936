import { silentLogger } from '../../src/kernel/logger.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec.ts';
import { createPostgresLog } from '../../src/write/log/postgres.ts';
import type { BenchDatabase } from '../support/database.ts';

const PAGE = 1_000;

/** Events a second out of the log, parsed by its door as every reader gets them. */
export const readOurs = async ({ db, url }: BenchDatabase): Promise<number> => {
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const began = performance.now();
  let events = 0;
  for await (const page of log.readAll(0n, { pageSize: PAGE })) events += page.events.length;
  const perSecond = events / ((performance.now() - began) / 1_000);
  await log.close();
  return perSecond;
};

/** The same columns by keyset, as the driver hands them out. */
export const readPlain = async (db: Db): Promise<number> => {
  const began = performance.now();
  let events = 0;
  for (let position = '0'; ; ) {
    const { rows } = await db.query<{ position: string }>({
      name: 'plain_keyset',
      text: `select id, stream, revision, position, type, data, metadata, recorded_at from log.events
             where position > $1 order by position limit ${PAGE}`,
      values: [position],
    });
    const last = rows.at(-1);
    if (last === undefined) break;
    events += rows.length;
    position = last.position;
  }
  return events / ((performance.now() - began) / 1_000);
};
