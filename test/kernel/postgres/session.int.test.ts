import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OperatorError } from '../../../src/kernel/errors.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { createPool, withSettings } from '../../../src/kernel/postgres/pool.ts';
import { requireSessions } from '../../../src/kernel/postgres/session.ts';
import { openReadPool } from '../../../src/read/read-pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { type Pooler, startPooler } from '../../support/pooler.ts';

let database: TestDatabase;
let pooler: Pooler | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  await pooler?.close();
  pooler = undefined;
});
afterAll(() => database.drop());

const NAME = 'DATABASE_URL';

describe('a database', () => {
  it('is accepted directly, and through a pooler that keeps connections for sessions', async () => {
    await expect(requireSessions(database.url, NAME)).resolves.toBeUndefined();
    pooler = await startPooler(database.url, 'session');
    await expect(requireSessions(pooler.url, NAME)).resolves.toBeUndefined();
  });

  it('is refused through a pooler that changes connections between transactions, with what to do', async () => {
    pooler = await startPooler(database.url, 'transaction');
    const refused = await requireSessions(pooler.url, NAME).catch((error: Error) => error);
    expect(refused).toBeInstanceOf(OperatorError);
    expect((refused as Error).message).toMatch(
      /^DATABASE_URL goes through a pooler that changes the connection between transactions\. .*pool_mode=session/,
    );
  });

  it('may have any time zone and date style', async () => {
    const { pathname } = new URL(database.url);
    const name = pathname.slice(1);
    await database.db.query(`alter database ${name} set timezone = 'Asia/Kathmandu'`);
    await database.db.query(`alter database ${name} set datestyle = 'German'`);
    const url = new URL(database.url);
    url.searchParams.set('options', '-c timezone=Asia/Kathmandu -c application_name=mine');
    for (const address of [database.url, url.href]) {
      await requireSessions(address, NAME);
      const pool = createPool(address, { max: 1, logger: silentLogger, name: 'test', durable: false });
      const { rows } = await pool
        .query(
          `select '2026-11-21 08:00+05:45'::timestamptz::text as at, current_setting('synchronous_commit') as commit`,
        )
        .finally(() => pool.end());
      expect(rows).toEqual([{ at: '2026-11-21 02:15:00+00', commit: 'off' }]);
      const lists = await openReadPool(address, 1);
      const { sql } = await import('slonik');
      const { z } = await import('zod');
      const schema = z.object({ at: z.string(), zone: z.string() });
      const found = await lists
        .any(
          sql.type(
            schema,
          )`select '2026-11-21 08:00+05:45'::timestamptz::text as at, current_setting('TimeZone') as zone`,
        )
        .finally(() => lists.end());
      expect(found).toEqual([{ at: '2026-11-21 02:15:00+00', zone: 'UTC' }]);
    }
    expect(new URL(withSettings(url.href)).searchParams.get('options')).toBe(
      '-c timezone=Asia/Kathmandu -c application_name=mine -c timezone=UTC -c datestyle=ISO',
    );
  });
});
