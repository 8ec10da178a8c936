import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import { from as copyFrom } from 'pg-copy-streams';
import { uuidV7 } from '../../src/kernel/ids.ts';
import type { Db } from '../../src/kernel/postgres/pool.ts';
import { accountStream } from '../../src/write/accounts/account.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import type { BenchDatabase } from '../support/database.ts';
import { accountHappenings, happenings } from './workload.ts';

const escaped = (text: string): string => text.replaceAll('\\', '\\\\');

function* lines(accounts: number): Generator<string> {
  const revisions = new Map<string, number>();
  let position = 0;
  let chunk = '';
  for (const { platform, handle, event } of happenings(accounts)) {
    const stream = accountStream(platform, handle);
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    position += 1;
    const metadata = JSON.stringify({ version: eventTypes[event.type].version });
    chunk += `${position}\t${stream}\t${revision}\t${uuidV7(Date.now())}\t${event.type}\t${escaped(JSON.stringify(event.data))}\t${metadata}\t${event.data.observed_at}\n`;
    if (chunk.length > 500_000) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk;
}

/** Writes the workload into an empty log, all at once: how it got there is not what is measured. */
export const fillLog = async (db: Db, accounts: number): Promise<number> => {
  const client = await db.connect();
  try {
    const columns = 'position, stream, revision, id, type, data, metadata, recorded_at';
    await pipeline(
      Readable.from(lines(accounts)),
      client.query(copyFrom(`copy log.events (${columns}) from stdin`)),
    );
  } finally {
    client.release();
  }
  await db.query('vacuum analyze log.events');
  const { rows } = await db.query<{ n: number }>('select count(*)::int as n from log.events');
  return rows[0]?.n ?? 0;
};

/**
 * The same into Emmett's store, an append a stream, one after the other: of events that were appended at once its
 * reader may skip some, and then the rows would not be the same.
 */
export const fillEmmett = async ({ url, db }: BenchDatabase, accounts: number): Promise<void> => {
  const store = getPostgreSQLEventStore(url, { connectionOptions: { pool: db } });
  await store.schema.migrate();
  for (let account = 0; account < accounts; account++) {
    const all = accountHappenings(account);
    const { platform, handle } = all[0] as (typeof all)[number];
    await store.appendToStream(
      accountStream(platform, handle),
      all.map(({ event }) => ({ type: event.type, data: event.data })),
    );
  }
  await store.close();
  await db.query('vacuum analyze');
};
