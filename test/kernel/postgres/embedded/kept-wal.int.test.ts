import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, it } from 'vitest';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { openDatabase } from '../../../../src/kernel/postgres/open-database.ts';
import { until } from '../../../support/wait.ts';

const MB = 1_048_576;

it('an embedded Postgres that wrote 700 MB of WAL keeps at most 512 MB of it', { tags: 'long' }, async () => {
  const home = await mkdtemp(join(tmpdir(), 'sightline-home-'));
  await chmod(home, 0o755);
  const database = await openDatabase(
    { SIGHTLINE_HOME: home, DATABASE_URL: undefined },
    'command',
    silentLogger,
  );
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const number = async (statement: string) =>
    Number((await client.query<{ n: string }>(statement)).rows[0]?.n);
  const position = "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as n";
  try {
    const before = await number(position);
    await client.query(
      "select count(pg_logical_emit_message(false, 'fill', repeat('x', 1000000))) from generate_series(1, 800)",
    );
    expect((await number(position)) - before).toBeGreaterThan(700 * MB);
    const kept = () => number('select sum(size) as n from pg_ls_waldir()');
    await until('the WAL has at most 512 MB', async () => (await kept()) <= 512 * MB);
  } finally {
    await client.end();
    await database.close();
    await rm(home, { recursive: true, force: true });
  }
});
