import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import { type ArchiveFile, archiveEvents, listArchives } from '../../write/log/archive.ts';
import { openArchiveStore } from '../../write/log/archive-store.ts';
import { positionAtTime } from '../../write/position-at-time.ts';
import { ARCHIVE_STREAM } from '../../write/upkeep.ts';
import type { OnProgress, OperationsContext } from '../context.ts';

export type { ArchiveFile } from '../../write/log/archive.ts';

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/**
 * Moves what events of the months before `until` say into archive files.
 * @param until a month, such as `2026-08`, of which nothing is moved; the running one at the latest.
 * @returns the files that were made.
 * @throws {OperatorError} `argument_invalid`; `setting_invalid` without LOG_ARCHIVE
 */
export const archiveMonths = async (
  { db, log, config }: Pick<OperationsContext, 'db' | 'log' | 'config'>,
  until: string,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: OnProgress },
): Promise<readonly ArchiveFile[]> => {
  if (config.EVENT_LOG_URL !== undefined)
    throw new OperatorError(
      'argument_invalid',
      'The event log is in EventStoreDB, whose own archiving or scavenging moves its events.',
    );
  if (config.LOG_ARCHIVE === undefined)
    throw new OperatorError(
      'setting_invalid',
      'Set LOG_ARCHIVE, for this command and for all processes, to the folder or the bucket of the archive.',
    );
  const [, year, month] = MONTH.exec(until) ?? [];
  const untilMs = Date.UTC(Number(year), Number(month) - 1);
  if (!(untilMs <= systemClock.now()))
    throw new OperatorError(
      'argument_invalid',
      `"${until}" is no month until now: write it as 2026-08, for all events before August 2026.`,
    );
  const store = await openArchiveStore(config);
  const to = await positionAtTime(log, untilMs);
  const files = await archiveEvents({ db, log, store }, { to, signal, onProgress });
  const last = files.at(-1);
  if (last === undefined) return files;
  const nowMs = systemClock.now();
  const data = {
    at: isoOf(nowMs),
    last: String(last.last),
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  await log.append(ARCHIVE_STREAM, [{ id: uuidV7(nowMs), type: 'EventsArchived', data }], 'any');
  return files;
};

/** The files of the archive, the oldest first. */
export const archiveFiles = ({ db }: Pick<OperationsContext, 'db'>): Promise<readonly ArchiveFile[]> =>
  listArchives(db);
