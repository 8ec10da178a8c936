import { rmSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import { readMigrations } from '../../kernel/postgres/migrate.ts';
import { withReadSnapshot } from '../../kernel/postgres/pool.ts';
import type { Fence } from '../../write/erasure/fence.ts';
import { SUBJECTS_STREAM } from '../../write/erasure/subject.ts';
import type { EventLog } from '../../write/log/port.ts';
import { BACKUPS_STREAM, RETENTION_STREAM } from '../../write/upkeep.ts';
import type { OperationsContext } from '../context.ts';
import type { Step } from './age.ts';
import { logLines, settledSince } from './log-file.ts';
import { digest, type Manifest, readManifest, writeManifest } from './manifest.ts';
import { checkFile, saveLines, saveTables } from './tables.ts';

/**
 * Saves the log and all durable tables into a folder, which gets its name only when it is complete. Sightline may run
 * meanwhile.
 * @throws {OperatorError} `folder_unusable` if the folder exists and is not empty, or can't be created.
 */
export const saveBackup = async (context: Source, out: string, options: SaveOptions): Promise<Manifest> => {
  const folder = resolve(out);
  await checkTarget(folder);
  const partial = `${folder}.${process.pid}.partial`;
  await mkdir(partial, { mode: 0o700 }).catch((error: Error) => {
    throw new OperatorError('folder_unusable', `${out} can't be made: ${error.message}`, { cause: error });
  });
  const removeAtExit = () => rmSync(partial, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  try {
    const manifest = await fill(context, partial, options);
    await sync(partial);
    // Only what can be read back is a backup.
    const files = [manifest.log, ...manifest.tables].map(({ file }) => file);
    for (const file of files) await checkFile(partial, file);
    // Replaces an empty folder of that name.
    await rmdir(folder).catch(() => undefined);
    await rename(partial, folder);
    await sync(dirname(folder));
    return manifest;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  } finally {
    process.off('exit', removeAtExit);
  }
};

/** Notes in the log that there is a backup whose files were read back. Its age is counted from then on. */
export const recordBackup = async ({ log }: Pick<Source, 'log'>, manifest: Manifest): Promise<void> => {
  const files = [manifest.log, ...manifest.tables].map(({ file }) => file);
  const data = {
    made_at: manifest.made_at,
    head: manifest.log.head,
    events: manifest.log.file.lines,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  await log.append(BACKUPS_STREAM, [{ id: uuidV7(systemClock.now()), type: 'BackupVerified', data }], 'any');
};

interface SaveOptions {
  /** The folder of a backup that this one continues: it has the events since then. */
  readonly since?: string | undefined;
  /** Encrypts its files; they are not by default. */
  readonly seal?: Step | undefined;
  readonly signal: AbortSignal;
  /** Called with the log position that was reached, and the last one. */
  readonly onProgress: (done: bigint, total: bigint) => void;
}

type Source = Pick<OperationsContext, 'db' | 'log'> & {
  readonly fence: Pick<Fence, 'erased'>;
  readonly config: Pick<OperationsContext['config'], 'EVENT_LOG_URL'>;
};

/** @throws {OperatorError} `folder_unusable` if the folder is not empty. */
const checkTarget = async (folder: string): Promise<void> => {
  const found = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new OperatorError('folder_unusable', `${folder} can't be written to: it is no folder.`, {
      cause: error,
    });
  });
  if (found.length > 0)
    throw new OperatorError(
      'folder_unusable',
      `${folder} is not empty: name a folder that is not there yet.`,
    );
};

const sync = async (folder: string): Promise<void> => {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
};

/** Where an incremental backup begins: after the tip of the one that it continues. */
interface Start {
  readonly tip: Tip;
  readonly since: Manifest['log']['since'];
}
type Tip = Manifest['log']['tip'];

/**
 * @param folder the backup to continue; null for a full one.
 * @throws {OperatorError} `backup_invalid`; `backup_incompatible` if it is of another log, or an account was forgotten since
 */
const startOf = async (
  { log }: Pick<Source, 'log'>,
  kind: Manifest['log']['kind'],
  folder: string | null,
): Promise<Start> => {
  if (folder === null) return { tip: null, since: null };
  const base = await readManifest(folder);
  const { tip } = base.log;
  const since = { position: tip?.position ?? '0', backup: digest(base) };
  const isHere = base.log.kind === kind && (tip === null || (await hasEvent(log, tip)));
  if (!isHere)
    throw new OperatorError(
      'backup_incompatible',
      `${folder} is a backup of another event log: make a full one, without --since.`,
    );
  // The base has what was forgotten since, and what continues it says that nothing is left to forget.
  if (await hasForgotten(log, BigInt(since.position)))
    throw new OperatorError(
      'backup_incompatible',
      `${folder} is older than an erasure that is complete, or than what retention removed: make a full one, without --since, and delete the old one.`,
    );
  return { tip, since };
};

/** What says that something is gone from the log. */
const GONE = [
  [SUBJECTS_STREAM, 'SubjectForgotten'],
  [RETENTION_STREAM, 'RetentionApplied'],
] as const;

const hasForgotten = async (log: EventLog, since: bigint): Promise<boolean> => {
  for (const [stream, gone] of GONE)
    if ((await log.readStream(stream)).some(({ type, position }) => type === gone && position > since))
      return true;
  return false;
};

const hasEvent = async (log: EventLog, { position, id }: NonNullable<Tip>): Promise<boolean> => {
  const at = BigInt(position);
  for await (const { events } of log.readAll(at - 1n, { to: at, raw: true }))
    if (events.some((event) => event.id === id)) return true;
  return false;
};

const fill = async (context: Source, folder: string, options: SaveOptions): Promise<Manifest> => {
  const { db, log, config } = context;
  const kind = config.EVENT_LOG_URL === undefined ? 'postgres' : 'eventstoredb';
  const start = await startOf(context, kind, options.since ?? null);
  const seal = options.seal ?? null;
  const made_at = isoOf(systemClock.now());
  const before = await log.head();
  // The tables come first: the saved log may then be ahead of them, as it always may, but never behind.
  const { tables, head, excludeIds, firstExcluded } = await withReadSnapshot(db, async (snapshot) => {
    const tables = await saveTables(snapshot, folder, seal);
    const head = await log.head();
    return { tables, head, ...(await settledSince(snapshot, log, before, head)) };
  });
  let { tip } = start;
  const range = { after: BigInt(start.since?.position ?? 0), to: head, excludeIds };
  const lines = logLines(context, range, options.signal, ({ events, endPosition }) => {
    const last = events.findLast(({ position }) => firstExcluded === null || position < firstExcluded);
    if (last !== undefined) tip = { position: String(last.position), id: last.id };
    options.onProgress(endPosition, head);
  });
  const file = await saveLines(folder, 'log.ndjson.zst', lines, seal);
  options.signal.throwIfAborted();
  const manifest = {
    made_at,
    migrations: (await readMigrations()).map(({ name }) => name),
    log: { file, kind, head: String(head), tip, since: start.since } as const,
    tables: [...tables],
  };
  await writeManifest(folder, manifest);
  return { format: 1, ...manifest };
};
