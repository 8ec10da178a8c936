import type pg from 'pg';
import type { Platform } from '../../src/kernel/platform.ts';
import { inTransaction } from '../../src/kernel/postgres/pool.ts';
import type { AppliedEvent } from '../../src/projections/projection.ts';
import { people } from '../../src/projections/views/people/projection.ts';
import { accountStream } from '../../src/write/accounts/account.ts';
import { emptyProfile } from '../../src/write/accounts/profile.ts';
import { linkPageStream } from '../../src/write/link-pages.ts';

/** Applies events to a schema of the view of people, one transaction per batch. */
export const applyPeople = async (
  db: pg.Pool,
  schema: string,
  batches: Iterable<readonly AppliedEvent[]>,
): Promise<void> => {
  const writer = people.open(schema);
  for (const events of batches)
    await inTransaction(db, async (client) => {
      await writer.load(client, events);
      for (const event of events) writer.apply(event);
      await writer.store(client);
    });
};

/** Builds the view as a rebuild does: pages are folded into a buffer, which is written once. */
export const buildPeople = async (
  db: pg.Pool,
  schema: string,
  pages: Iterable<readonly AppliedEvent[]>,
): Promise<void> => {
  const builder = people.open(schema);
  for (const events of pages) {
    await builder.load(db, events);
    for (const event of events) builder.apply(event);
  }
  await inTransaction(db, (client) => builder.store(client));
};

export const createPeople = (db: pg.Pool, schema: string): Promise<unknown> =>
  db.query(`create schema ${schema}; ${people.tables(schema)}`);

export const batchesOf = function* <Event>(events: readonly Event[], size: () => number) {
  for (let from = 0; from < events.length; ) {
    const part = events.slice(from, from + size());
    yield part;
    from += part.length;
  }
};

export const FIRST = '2026-06-01T00:00:00.000Z';

/** Minutes after it. */
const minute = (n: number): string => new Date(Date.parse(FIRST) + n * 60_000).toISOString();

let position = 0n;

/** A reading of an account, by default a minute after the one before it. */
export const sightedAt = (platform: Platform, handle: string, profile: object, at?: number): AppliedEvent => {
  position += 1n;
  return {
    id: String(position),
    stream: accountStream(platform, handle),
    revision: 0n,
    position,
    type: 'AccountSighted',
    data: {
      observed_at: minute(at ?? Number(position)),
      source: 'crawler',
      surface: 'page',
      status: 'active',
      profile: { ...emptyProfile(handle), ...profile },
    },
    metadata: {},
  } as unknown as AppliedEvent;
};

/** A reading of a link page; without links there is none. */
export const pageRead = (page: string, links: readonly string[] | null, at?: number): AppliedEvent => {
  position += 1n;
  return {
    id: String(position),
    stream: linkPageStream(page),
    revision: 0n,
    position,
    type: 'LinkPageRead',
    data: { observed_at: minute(at ?? Number(position)), page, links },
    metadata: {},
  } as unknown as AppliedEvent;
};

/** Persons with several accounts, as the keys of these accounts. */
export const personsIn = async (db: pg.Pool, schema: string): Promise<readonly string[][]> => {
  const { rows } = await db.query<{ accounts: string[] }>(
    `select array_agg(account order by account) as accounts from ${schema}.members group by person having count(*) > 1 order by 1`,
  );
  return rows.map(({ accounts }) => accounts);
};
