import { OperatorError } from '../../kernel/errors.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { readMigrations } from '../../kernel/postgres/migrate.ts';
import { inTransaction, type Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { binaryTextArray } from '../../kernel/postgres/values.ts';
import { storeKey } from '../../write/erasure/open-fence.ts';
import { openEventStoreLog } from '../../write/log/open-event-log.ts';
import type { OperationsContext } from '../context.ts';
import { type LedgerFile, withEntries } from '../subjects/ledger-file.ts';
import type { Step } from './age.ts';
import { eventOf, type Lines, linesUpTo } from './log-file.ts';
import { digest, type Manifest, readManifest } from './manifest.ts';
import { loadInOrder } from './restore-in-order.ts';
import { checkFile, claimTables, loadLines, loadTable, tablesToSave } from './tables.ts';

/**
 * Restores a backup into an empty database and log. All checksums are verified first.
 * @param folders a full backup, and the incremental ones that continue it, in order.
 * @throws {OperatorError} if the backup is damaged or from an incompatible version, or the target is not empty. Nothing is
 * changed then.
 */
export const loadBackup = async (
  context: Source,
  folders: readonly string[],
  options: LoadOptions,
): Promise<Manifest> => {
  const chain = await readChain(folders);
  const { folder, manifest } = chain.at(-1) as Link;
  await checkVersions(context.db, manifest);
  for (const [i, link] of chain.entries()) {
    const tables = i === chain.length - 1 ? link.manifest.tables : [];
    for (const file of [link.manifest.log.file, ...tables.map((table) => table.file)]) {
      options.signal.throwIfAborted();
      await checkFile(link.folder, file);
      options.onChecked(file.name);
    }
  }
  const { erasures } = options;
  const saved = linesOf(chain, options.open ?? null);
  const lines = erasures === undefined ? saved : withEntries(saved, erasures);
  const backup = { lines, total: eventsOf(chain), folder, manifest };
  const { EVENT_LOG_URL: url } = context.config;
  if (url === undefined) await loadPostgres(context, backup, options);
  else await loadIntoEventStore(context, url, backup, options);
  return manifest;
};

/** A backup of a chain: a full one, and incremental ones that continue it. */
interface Link {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** What is restored: all events of the chain, and the tables of its last backup. */
interface Whole extends Link {
  readonly lines: Lines;
  readonly total: number;
}

/** @throws {OperatorError} `backup_invalid`, also if a backup does not continue the one before it. */
const readChain = async (folders: readonly string[]): Promise<readonly Link[]> => {
  const chain: Link[] = [];
  for (const folder of folders) {
    const manifest = await readManifest(folder);
    const before = chain.at(-1);
    const wanted = before === undefined ? null : digest(before.manifest);
    const { since } = manifest.log;
    if ((since?.backup ?? null) !== wanted)
      throw new OperatorError(
        'backup_invalid',
        since === null
          ? `${folder} is a full backup: name it first, or alone.`
          : `${folder} continues another backup${before === undefined ? '' : ` than ${before.folder}`}: name the full backup and each one that continues it, in order.`,
      );
    chain.push({ folder, manifest });
  }
  return chain;
};

/** Each backup's events until the next one begins. */
async function* linesOf(
  chain: readonly Link[],
  open: Step | null,
): AsyncGenerator<readonly string[], void, undefined> {
  for (const [i, { folder, manifest }] of chain.entries()) {
    const next = chain[i + 1]?.manifest.log.since;
    const lines = loadLines(folder, manifest.log.file, open);
    yield* next == null ? lines : linesUpTo(lines, BigInt(next.position));
  }
}

const eventsOf = (chain: readonly Link[]): number =>
  chain.reduce((sum, { manifest }) => sum + manifest.log.file.lines, 0);

/**
 * Inserts events into the log in Postgres as they were, `recorded_at` to the millisecond.
 * @param keepPositions false for events of a log whose positions have gaps, which this log can't have.
 */
export const loadIntoPostgres = async (
  db: Queryable,
  lines: Lines,
  keepPositions: boolean,
  onLoaded: (events: number) => void,
): Promise<void> => {
  let loaded = 0n;
  for await (const batch of lines) {
    const events = batch.map(eventOf);
    const positions = events.map(({ position }, i) => (keepPositions ? position : loaded + BigInt(i) + 1n));
    await db.query(sql.named('restore_events')`
      insert into log.events (position, stream, revision, id, type, data, metadata, recorded_at)
      select position, stream, revision, id, type, data::json, metadata::json, recorded_at
      from unnest(${positions.map(String)}::bigint[], ${events.map(({ stream }) => stream)}::text[],
        ${events.map(({ revision }) => String(revision))}::bigint[], ${events.map(({ id }) => id)}::uuid[],
        ${events.map(({ type }) => type)}::text[],
        ${binaryTextArray(events.map(({ data }) => JSON.stringify(data)))}::text[],
        ${binaryTextArray(events.map(({ metadata }) => JSON.stringify(metadata)))}::text[],
        ${events.map(({ recorded_at }) => recorded_at)}::timestamptz[]) as e(position, stream, revision, id, type,
          data, metadata, recorded_at)`);
    loaded += BigInt(events.length);
    onLoaded(Number(loaded));
  }
  await db.query(sql`notify sightline_log`);
};

interface LoadOptions {
  readonly signal: AbortSignal;
  /** Erasures that the backup may be older than. */
  readonly erasures?: LedgerFile | undefined;
  /** Decrypts the files of an encrypted backup. */
  readonly open?: Step | undefined;
  readonly onChecked: (file: string) => void;
  readonly onLoaded: (events: number, total: number) => void;
}

type Source = Pick<OperationsContext, 'db' | 'logger'> & {
  readonly config: Pick<OperationsContext['config'], 'EVENT_LOG_URL' | 'ERASURE_KEY'>;
};

/**
 * Accepts backups of this version and of older ones. Columns added by later migrations get their defaults, as in an
 * upgrade.
 */
const checkVersions = async (db: Queryable, { migrations, tables }: Manifest): Promise<void> => {
  const known = (await readMigrations()).map(({ name }) => name);
  const [own, saved] = [known.at(-1), migrations.at(-1)];
  if (migrations.some((name, i) => name !== known[i])) {
    throw new OperatorError(
      'backup_incompatible',
      `The backup was made with tables as of ${saved}, and this version of Sightline has them as of ${own}. ` +
        'Restore it with the version that made it, and upgrade then.',
    );
  }
  const isWhole = migrations.length === known.length;
  const here = new Map((await tablesToSave(db)).map((one) => [`${one.schema}.${one.table}`, one.columns]));
  const fits = tables.every(({ schema, table, columns }) => {
    const own = here.get(`${schema}.${table}`);
    return (
      own !== undefined &&
      columns.every((name) => own.includes(name)) &&
      (!isWhole || own.length === columns.length)
    );
  });
  if (!fits || (isWhole && here.size !== tables.length)) {
    throw new OperatorError(
      'backup_incompatible',
      'The backup does not hold just the tables that are here: it was made by another program.',
    );
  }
};

const refuseFilled = (filled: readonly string[]): void => {
  if (filled.length === 0) return;
  throw new OperatorError(
    'target_not_empty',
    `The target is not empty (${filled.join(', ')}), and a restore replaces nothing: ` +
      'name another SIGHTLINE_HOME or another database, which no Sightline has run on yet.',
  );
};

const hasFoldedBuilds = async (db: Queryable): Promise<boolean> => {
  const { rowCount } = await db.query(sql`select from projections.checkpoints where position > 0 limit 1`);
  return rowCount !== 0;
};

/** Locks the target, and names what it holds already. */
const claimAll = async (db: Queryable): Promise<readonly string[]> => {
  const head = await claimLog(db);
  return [
    ...(head > 0n ? [`the event log, up to position ${head}`] : []),
    ...((await hasFoldedBuilds(db)) ? ['read models'] : []),
    ...(await claimTables(db)),
  ];
};

/** Loads the tables, and the key of erasures that the backup may be older than. */
const loadTables = async (
  db: Queryable,
  { config }: Pick<Source, 'config'>,
  { folder, manifest }: Link,
  { erasures, open }: LoadOptions,
): Promise<void> => {
  for (const table of manifest.tables) await loadTable(db, folder, table, open ?? null);
  if (erasures === undefined) return;
  const { keyId, sealed } = erasures.key;
  await storeKey(db, { keyId, sealed: Buffer.from(sealed, 'base64') }, config.ERASURE_KEY);
};

/** Terms are compared by log position. Where positions have changed, the next request takes any terms as newer. */
const forgetPositions = (db: Queryable) => db.query(sql`update metering.accounts set terms_position = 0`);

/** Restores in one transaction: everything or nothing. */
const loadPostgres = async (source: Source, backup: Whole, options: LoadOptions): Promise<void> => {
  const { db } = source;
  const { lines, total, manifest } = backup;
  await inTransaction(db, async (client) => {
    refuseFilled(await claimAll(client));
    const keep = manifest.log.kind === 'postgres';
    await loadIntoPostgres(client, lines, keep, (events) => {
      options.signal.throwIfAborted();
      options.onLoaded(events, total);
    });
    await loadTables(client, source, backup, options);
    if (!keep) await forgetPositions(client);
    options.signal.throwIfAborted();
  });
  // Postgres knows nothing of tables that were filled at once, and would plan badly until it looks by itself.
  await db.query(sql`vacuum (analyze)`);
};

/** Restores the log first, which the same command can resume; then all tables in one transaction. */
const loadIntoEventStore = async (
  source: Source,
  eventLogUrl: string,
  backup: Whole,
  options: LoadOptions,
): Promise<void> => {
  const { db, logger } = source;
  const { lines, total, manifest } = backup;
  await inTransaction(db, async (client) => refuseFilled(await claimAll(client)));
  const log = await openEventStoreLog(eventLogUrl, logger);
  try {
    await loadInOrder(log, lines, {
      signal: options.signal,
      // Only the log in Postgres keeps what is left of erased events.
      mayHaveGaps: manifest.log.kind === 'eventstoredb',
      onLoaded: (events) => options.onLoaded(events, total),
    });
  } finally {
    await log.close();
  }
  await inTransaction(db, async (client) => {
    refuseFilled(await claimAll(client));
    await loadTables(client, source, backup, options);
    await forgetPositions(client);
  });
  await db.query(sql`vacuum (analyze)`);
};

/** Blocks appends for the transaction. @returns the log's last position; 0 if it is empty. */
const claimLog = async (db: Queryable): Promise<bigint> => {
  await db.query(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.APPEND})`);
  const { rows } = await db.query<{ head: string }>(
    sql`select coalesce(max(position), 0)::text as head from log.events`,
  );
  return BigInt(rows[0]?.head ?? 0);
};
