import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Manifest, SavedTable } from '../../../src/operations/backup/manifest.ts';
import { saveLines } from '../../../src/operations/backup/ndjson.ts';
import { presentTables } from '../../../src/operations/backup/renamed-tables.ts';
import { loadTable } from '../../../src/operations/backup/tables.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

/** The migration after the backup that renames the tables. */
const RENAMING = '0014_standard_names_break.sql';

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'sightline-renamed-'));
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const saved = async (table: string, rows: readonly object[]): Promise<SavedTable> => {
  const lines = async function* () {
    yield rows.map((row) => JSON.stringify(row));
  };
  const file = await saveLines(folder, `metering.${table}.ndjson.zst`, lines());
  return { schema: 'metering', table, columns: Object.keys(rows[0] ?? {}), file };
};

const restored = async (table: SavedTable): Promise<void> => {
  const manifest = { tables: [table] } as unknown as Manifest;
  for (const present of presentTables(manifest, [RENAMING])) await loadTable(database.db, folder, present);
};

it('rows of a backup from before the renames come back under the present names, value by value', async () => {
  // A stored body that looks like the old key is content, and stays.
  const body = '{"lapses_at":"2026","told_at":1,"big":12345678901234567890}';
  await restored(
    await saved('answers', [
      {
        holder: 'acme',
        key: '{"lapses_at":',
        fingerprint: '\\x00ff',
        claim: '5f1d3c0a-8a6e-4d1b-9c7e-2b4f6a8d0c13',
        lapses_at: '2026-11-20T08:00:00+00:00',
        created_at: '2026-11-20T07:00:00+00:00',
        body,
      },
    ]),
  );
  const { rows } = await database.db.query(
    `select key, body, expires_at = '2026-11-20T08:00:00Z' as expires from metering.idempotent_responses`,
  );
  expect(rows).toEqual([{ key: '{"lapses_at":', body, expires: true }]);
});

it('a period that was published before the backup is not published again', async () => {
  const at = '2026-11-01T00:00:00+00:00';
  await restored(
    await saved('periods', [
      {
        holder: 'acme',
        period: 1,
        plan: 'growth',
        started_at: at,
        ended_at: at,
        closed_at: at,
        requests: 1,
        budget_units: 1,
        overage_units: 0,
        overage_micro_usd: 0,
        live_calls: 0,
        settled_at: at,
        told_at: at,
      },
    ]),
  );
  const { rows } = await database.db.query(
    'select published_at is not null as published from metering.periods',
  );
  expect(rows).toEqual([{ published: true }]);
});
