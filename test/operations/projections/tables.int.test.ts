import { afterAll, beforeAll, expect, it } from 'vitest';
import { ident, sql } from '../../../src/kernel/postgres/statement.ts';
import { projectionTables } from '../../../src/operations/projections/tables.ts';
import { projections } from '../../../src/projections/registry.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase(2, 'built');
});
afterAll(() => database.drop());

it('tables of every read model are listed with the columns that SQL finds there, and no partition', async () => {
  const columns = await projectionTables(database);
  expect(new Set(columns.map(({ projection }) => projection))).toEqual(
    new Set(projections.map(({ name }) => name)),
  );
  const tables = Map.groupBy(columns, ({ schema, table }) => `${schema} ${table}`);
  for (const own of tables.values()) {
    const [{ schema, table } = { schema: '', table: '' }] = own;
    const { fields } = await database.db.query(sql`select * from ${ident(schema)}.${ident(table)} limit 0`);
    expect(own.map(({ column }) => column)).toEqual(fields.map(({ name }) => name));
  }
  const made = await database.db.query<{ name: string }>(
    `select table_schema || ' ' || table_name as name from information_schema.tables t
     where table_schema = any($1) and not exists (
       select from pg_inherits where inhrelid = format('%I.%I', table_schema, table_name)::regclass)`,
    [[...new Set(columns.map(({ schema }) => schema))]],
  );
  expect(new Set(tables.keys())).toEqual(new Set(made.rows.map(({ name }) => name)));
  expect(columns.filter(({ table }) => table === 'due').slice(0, 3)).toMatchObject([
    { projection: 'frontier', column: 'platform', type: 'text', nullable: false, key: true },
    { column: 'handle', key: true },
    { column: 'pool', nullable: false, key: false },
  ]);
  expect(columns.find(({ table, column }) => table === 'due' && column === 'observed_at')).toMatchObject({
    type: 'timestamp with time zone',
    nullable: true,
  });
});

it('tables of some read models are listed alone, and an unknown one is refused', async () => {
  const columns = await projectionTables(database, ['leads', 'holders']);
  expect(new Set(columns.map(({ projection }) => projection))).toEqual(new Set(['leads', 'holders']));
  await expect(projectionTables(database, ['nope'])).rejects.toMatchObject({ code: 'projection_unknown' });
});
