import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { dumpSchema, SCHEMA_FILE } from '../../../infra/migrations/dump.ts';
import { migrate } from '../../../src/kernel/postgres/migrate.ts';
import { createTestDatabase } from '../../support/database.ts';

describe('the migrations', () => {
  it('make the schema that is kept in schema.txt (npm run schema:dump)', async () => {
    const database = await createTestDatabase();
    expect(await dumpSchema(database.db)).toBe(await readFile(SCHEMA_FILE, 'utf8'));
    await database.drop();
  });

  it('are applied once, however many processes start at once', async () => {
    const database = await createTestDatabase();
    await database.db.query(
      'drop schema log, projections, crawl, secrets, metering cascade; drop table public.sightline_migrations',
    );
    const applied = await Promise.all(Array.from({ length: 6 }, () => migrate(database.db)));
    expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
    expect(await dumpSchema(database.db)).toBe(await readFile(SCHEMA_FILE, 'utf8'));
    await database.drop();
  });
});
