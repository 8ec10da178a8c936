import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { saveBackup } from '../../../src/operations/backup/backup.ts';
import type { Manifest } from '../../../src/operations/backup/manifest.ts';
import { loadBackup } from '../../../src/operations/backup/restore.ts';
import { auditLedger } from '../../../src/operations/usage/usage.ts';
import { createBuild } from '../../../src/projections/builds/builds.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { openWriter } from '../../../src/projections/writer.ts';
import type { Runtime } from '../../../src/runtime/open-runtime.ts';
import { NOTHING_ERASED } from '../../../src/write/erasure/fence.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { withValidation } from '../../../src/write/log/codec.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import type { TestDatabase } from '../../support/database.ts';

const never = new AbortController().signal;

/** A folder for backups, which goes with the tests. */
export const createTestFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-backup-'));
  return {
    of: (name: string) => join(folder, name),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
};

export const save = (
  db: pg.Pool,
  log: EventLog,
  out: string,
  eventLogUrl?: string,
  signal = never,
  since?: string,
): Promise<Manifest> =>
  saveBackup({ db, log, fence: NOTHING_ERASED, config: { EVENT_LOG_URL: eventLogUrl } }, out, {
    since,
    signal,
    onProgress: () => undefined,
  });

export const load = (
  { db }: TestDatabase,
  folder: string | readonly string[],
  eventLogUrl?: string,
  {
    signal = never,
    onLoaded = () => undefined,
  }: { signal?: AbortSignal; onLoaded?: (events: number) => void } = {},
): Promise<Manifest> =>
  loadBackup({ db, logger: silentLogger, config: { EVENT_LOG_URL: eventLogUrl } }, [folder].flat(), {
    signal,
    onLoaded,
    onChecked: () => undefined,
  });

/** Every row of the tables that a backup is about, as text, by table; and of the log. */
export const rowsOf = async (db: pg.Pool): Promise<Readonly<Record<string, readonly string[]>>> => {
  const { rows: tables } = await db.query<{ name: string }>(
    `select format('%s.%s', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname in ('log', 'crawl', 'secrets', 'metering') and c.relkind = 'r' order by 1`,
  );
  const found: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    const value =
      name === 'log.events'
        ? `(t.position, t.stream, t.revision, t.id, t.type, t.data, t.metadata, date_trunc('milliseconds', t.recorded_at))`
        : 't';
    const { rows } = await db.query<{ row: string }>(
      `select (${value})::text as row from ${name} t order by 1`,
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
};

/** A log of a database, behind its door. */
export const openTestDatabaseLog = ({ db, url }: TestDatabase): EventLog =>
  withValidation(createPostgresLog(db, url, silentLogger), eventTypes);

/** Builds a projection from its log, as the first start does. @returns its schema. */
export const project = async (db: pg.Pool, log: EventLog, projection: Projection): Promise<string> => {
  const { schema } = await createBuild(db, projection, 'active');
  const writer = await openWriter(db, projection, schema);
  for await (const page of log.readAll(writer.position(), { types: projection.types }))
    await writer.write(page);
  return schema;
};

/** What does not add up in a restored ledger. */
export const audit = async ({ db, url }: TestDatabase, log: EventLog) => {
  const program = { db, asyncCommitDb: db, log, url, logger: silentLogger } as Partial<Runtime> as Runtime;
  return auditLedger(program, null, () => undefined);
};
