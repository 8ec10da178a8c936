import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseConfig } from '../../src/kernel/config/parse-config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool, type Db } from '../../src/kernel/postgres/pool.ts';
import { importListings } from '../../src/operations/marketplace/import-listings.ts';
import { eventTypes } from '../../src/write/event-types.ts';
import { withValidation } from '../../src/write/log/codec/validating-log.ts';
import { createPostgresLog } from '../../src/write/log/postgres/index.ts';
import { peakMb, serve } from '../support/child.ts';

export interface Question {
  readonly url: string;
  readonly file: string;
  /** Without events: rows of the lines, updated in place. */
  readonly isPlain: boolean;
}

export interface Answer {
  readonly ms: number;
  readonly events: number;
  readonly peakMb: number;
}

/** The program under test, until the read model has all. */
const imports = async (url: string, file: string): Promise<number> => {
  const db = createPool(url, { max: 10, logger: silentLogger, name: 'bench import' });
  const asyncCommitDb = createPool(url, { max: 10, logger: silentLogger, name: 'bench', durable: false });
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const context = { config: parseConfig({}), logger: silentLogger, url, db, asyncCommitDb, log };
  const { events } = await importListings(context, file, {
    source: 'market.example',
    signal: new AbortController().signal,
  });
  await log.close();
  await Promise.all([db.end(), asyncCommitDb.end()]);
  return Object.values(events).reduce((sum, n) => sum + n, 0);
};

const UPSERT = `
  insert into plain.listings
  select platform, id, handle, title, followers, (price_usd * 1000000)::bigint, seller->>'id', seller->>'name', url,
         coalesce(status, 'open'), listed_at, now(), sold_at, (sold_price_usd * 1000000)::bigint
  from jsonb_to_recordset($1::jsonb) as line (id text, platform text, handle text, title text, followers bigint,
    price_usd numeric, seller jsonb, url text, status text, listed_at timestamptz, sold_at timestamptz,
    sold_price_usd numeric)
  on conflict (id) do update set handle = excluded.handle, title = excluded.title, followers = excluded.followers,
    price = excluded.price, seller = excluded.seller, seller_name = excluded.seller_name, url = excluded.url,
    status = excluded.status, listed_at = excluded.listed_at, observed_at = excluded.observed_at,
    sold_at = excluded.sold_at, sold_price = excluded.sold_price`;

const upserts = async (db: Db, file: string): Promise<void> => {
  let lines: string[] = [];
  const flush = async () => {
    await db.query({ name: 'upsert', text: UPSERT, values: [`[${lines.join(',')}]`] });
    lines = [];
  };
  for await (const line of createInterface({ input: createReadStream(file) })) {
    lines.push(JSON.stringify(JSON.parse(line)));
    if (lines.length === 1_000) await flush();
  }
  if (lines.length > 0) await flush();
};

serve(async ({ url, file, isPlain }: Question): Promise<Answer> => {
  const began = performance.now();
  let events = 0;
  if (isPlain) {
    const db = createPool(url, { max: 1, logger: silentLogger, name: 'bench plain' });
    await upserts(db, file);
    await db.end();
  } else events = await imports(url, file);
  return { ms: performance.now() - began, events, peakMb: peakMb() };
});
