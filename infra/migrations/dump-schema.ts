import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { silentLogger } from '../../src/kernel/logger.ts';
import {
  type FunctionsRevision,
  hashOfFunctions,
  migrate,
  migrationSchemas,
  REVISION_FILE,
  readFunctions,
  readRevision,
  type SqlFunction,
} from '../../src/kernel/postgres/migrate.ts';
import { openDatabase } from '../../src/kernel/postgres/open-database.ts';
import { createPool } from '../../src/kernel/postgres/pool.ts';

/** Where the dump is kept; a test compares it with what the migrations make. */
export const SCHEMA_FILE = new URL('./schema.txt', import.meta.url);

/** The revision of the functions as they are now: the present one unless they have changed. */
export const revisionOf = (
  functions: readonly SqlFunction[],
  present: FunctionsRevision,
): FunctionsRevision => {
  const hash = hashOfFunctions(functions);
  return hash === present.hash ? present : { revision: present.revision + 1, hash };
};

/** The durable tables, as the catalog describes them: columns, constraints, indexes, functions. */
export const dumpSchema = async (db: pg.Pool): Promise<string> => {
  const schemas = await migrationSchemas();
  const lines: string[] = [];
  const { rows: columns } = await db.query<{ table: string; line: string }>(
    `select format('%s.%s', n.nspname, c.relname) as table,
       format('  %s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
         case when a.attnotnull then ' not null' else '' end,
         coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')) as line
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
     where c.relkind in ('r', 'p') and n.nspname = any($1) order by 1, a.attnum`,
    [schemas],
  );
  let table = '';
  for (const row of columns) {
    if (row.table !== table) lines.push(`table ${row.table}`);
    table = row.table;
    lines.push(row.line);
  }
  const { rows: constraints } = await db.query<{ line: string }>(
    `select format('constraint on %s: %s', conrelid::regclass, pg_get_constraintdef(oid)) as line
     from pg_constraint where connamespace::regnamespace::text = any($1) and contype <> 'n' order by 1`,
    [schemas],
  );
  const { rows: indexes } = await db.query<{ line: string }>(
    `select indexdef as line from pg_indexes where schemaname = any($1) order by 1`,
    [schemas],
  );
  const { rows: functions } = await db.query<{ line: string }>(
    `select pg_get_functiondef(p.oid) as line from pg_proc p where p.pronamespace::regnamespace::text = any($1)
     order by p.proname`,
    [schemas],
  );
  for (const { line } of [...constraints, ...indexes, ...functions]) lines.push(line);
  return `${lines.join('\n')}\n`;
};

if (import.meta.main) {
  // Before the migrations, which apply the functions with their revision.
  const revision = revisionOf(await readFunctions(), await readRevision());
  await writeFile(REVISION_FILE, `${JSON.stringify(revision, null, 2)}\n`);
  const home = await mkdtemp(join(tmpdir(), 'sightline-schema-'));
  await chmod(home, 0o755);
  const database = await openDatabase(
    { SIGHTLINE_HOME: home, DATABASE_URL: undefined },
    'command',
    silentLogger,
  );
  const db = createPool(database.url, { max: 1, logger: silentLogger, name: 'schema dump' });
  await migrate(db);
  await writeFile(SCHEMA_FILE, await dumpSchema(db));
  await db.end();
  await database.close();
  await rm(home, { recursive: true, force: true });
  console.log('infra/migrations/schema.txt and infra/functions/revision.json are written.');
}
