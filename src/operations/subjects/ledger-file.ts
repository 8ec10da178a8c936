/** The ledger of erasures as a file: for a restore, and as a mirror that is kept apart from the database. */

import { readFile, rename, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { errorMessage, OperatorError } from '../../kernel/errors.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { storedKey } from '../../write/erasure/open-fence.ts';
import { SUBJECTS_STREAM, subjectEvents } from '../../write/erasure/subject.ts';
import { lineOf } from '../../write/log/archive.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { eventOf, type Lines } from '../backup/log-file.ts';
import type { OperationsContext } from '../context.ts';

/** Entries that say whom the log refuses. What was done about it is of each database. */
const ENTRIES = [
  'SubjectErased',
  'SubjectSuppressed',
  'SubjectHandleLifted',
  'SubjectLifted',
  'SubjectReleased',
  'SubjectShown',
] as const;

const entrySchema = z.object({
  id: z.uuid(),
  type: z.enum(ENTRIES),
  data: z.unknown(),
  recorded_at: z.iso.datetime(),
});

const fileSchema = z.object({
  /** The key of the digests, sealed with ERASURE_KEY. */
  key: z.object({ keyId: z.string(), sealed: z.base64() }),
  entries: z.array(entrySchema),
});

export type LedgerFile = z.infer<typeof fileSchema>;
type Entry = z.infer<typeof entrySchema>;

const isEntry = ({ type }: Pick<RecordedEvent, 'type'>): boolean =>
  (ENTRIES as readonly string[]).includes(type);

/** The ledger of this installation; null if nothing was ever erased. */
export const ledgerOf = async ({
  db,
  log,
}: {
  readonly db: Queryable;
  readonly log: Pick<EventLog, 'readStream'>;
}): Promise<LedgerFile | null> => {
  const key = await storedKey(db);
  if (key === null) return null;
  const events = (await log.readStream(SUBJECTS_STREAM)).filter(isEntry);
  return {
    key: { keyId: key.keyId, sealed: key.sealed.toString('base64') },
    entries: events.map(({ id, type, data, recorded_at }) => ({
      id,
      type: type as Entry['type'],
      data,
      recorded_at,
    })),
  };
};

/** @throws {OperatorError} `erasures_unreadable` */
export const readLedgerFile = async (path: string): Promise<LedgerFile> => {
  try {
    return fileSchema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new OperatorError(
      'erasures_unreadable',
      `The ledger of erasures in ${path} can't be read: ${error instanceof z.ZodError ? z.prettifyError(error) : errorMessage(error)}`,
      { cause: error },
    );
  }
};

/** Enters what becomes of a subject. A second entry says nothing new. */
export const enterInLedger = async (
  log: Pick<EventLog, 'append'>,
  type: 'SubjectReleased' | 'SubjectShown' | 'SubjectLifted',
  subject: string,
): Promise<void> => {
  const nowMs = systemClock.now();
  const data = { at: isoOf(nowMs), subject };
  await log.append(SUBJECTS_STREAM, [{ id: uuidV7(nowMs), type, data }], 'any');
};

/** Writes the ledger to ERASURE_MIRROR, if that is set: whole, or not at all. */
export const mirrorLedger = async ({
  config,
  db,
  log,
}: Pick<OperationsContext, 'config' | 'db' | 'log'>): Promise<void> => {
  const { ERASURE_MIRROR: path } = config;
  if (path === undefined) return;
  const ledger = await ledgerOf({ db, log });
  await writeFile(`${path}.draft`, JSON.stringify(ledger), { mode: 0o600, flush: true });
  await rename(`${path}.draft`, path);
};

/**
 * Refuses a database that lacks erasures which the mirror has: it was set back to an earlier state.
 * @throws {OperatorError} `erasures_behind`
 */
export const checkMirror = async ({
  config,
  db,
  log,
}: Pick<OperationsContext, 'config' | 'db' | 'log'>): Promise<void> => {
  const { ERASURE_MIRROR: path } = config;
  if (path === undefined) return;
  const mirror = await readLedgerFile(path).catch((error: unknown) => {
    // Before the first erasure there is none.
    if (((error as Error).cause as { code?: string } | undefined)?.code === 'ENOENT') return null;
    throw error;
  });
  if (mirror === null) return;
  const known = new Set((await ledgerOf({ db, log }))?.entries.map(({ id }) => id));
  const missing = mirror.entries.filter(({ id }) => !known.has(id)).length;
  if (missing === 0) return;
  throw new OperatorError(
    'erasures_behind',
    `The database lacks ${missing} erasures that ERASURE_MIRROR has: it is older than they are.`,
    { params: { path } },
  );
};

/**
 * The events of a backup, and behind them what a ledger has and the backup lacks: a log that has older events has the erasures of its
 * mirror too.
 */
export async function* withEntries(
  lines: Lines,
  { entries }: LedgerFile,
): AsyncGenerator<readonly string[], void, undefined> {
  const known = new Set<string>();
  let revision = -1n;
  let last: Pick<RecordedEvent, 'position' | 'recorded_at'> | null = null;
  for await (const batch of lines) {
    for (const line of batch) {
      // Few lines are of the ledger, and parsing one costs more than looking for its name.
      if (!line.includes(SUBJECTS_STREAM)) continue;
      const event = eventOf(line);
      if (event.stream !== SUBJECTS_STREAM) continue;
      known.add(event.id);
      revision = event.revision;
    }
    const end = batch.at(-1);
    if (end !== undefined) last = eventOf(end);
    yield batch;
  }
  let { position, recorded_at } = last ?? { position: 0n, recorded_at: isoOf(0) };
  for (const { id, type, data, recorded_at: at } of entries.filter((entry) => !known.has(entry.id))) {
    position += 1n;
    revision += 1n;
    recorded_at = Date.parse(at) > Date.parse(recorded_at) ? at : recorded_at;
    const event = { id, stream: SUBJECTS_STREAM, revision, position, type, metadata: {}, recorded_at };
    yield [lineOf({ ...event, data: subjectEvents[type].schema.parse(data) })];
  }
}
