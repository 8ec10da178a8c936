/** Erasures whose names this database never had, or has no more: those of a restored backup. They are found by their digests. */

import { isoOf, systemClock } from '../../kernel/clock.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import { PLATFORMS } from '../../kernel/platform.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { isErasedName } from '../../write/erasure/cleanse.ts';
import { openFence, storedKey } from '../../write/erasure/open-fence.ts';
import { SUBJECTS_STREAM, type SubjectEvent } from '../../write/erasure/subject.ts';
import { openEventLog } from '../../write/log/open-event-log.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { OnProgress, OperationsContext } from '../context.ts';
import { forgetSubjects } from './forget.ts';

/** Tables of a backup that name accounts by platform and handle, which no digest of a text would find. */
const OF_ACCOUNTS = [
  'crawl.demand',
  'crawl.candidates',
  'crawl.namings',
  'crawl.leases',
  'crawl.follow_sweeps',
];

/** Subjects that were erased, and are not forgotten here. */
const pendingIn = async (
  log: Pick<EventLog, 'readStream'>,
  db: OperationsContext['db'],
): Promise<readonly string[]> => {
  const pending = new Set<string>();
  for (const { type, data } of (await log.readStream(
    SUBJECTS_STREAM,
  )) as unknown as readonly SubjectEvent[]) {
    if (type === 'SubjectErased') pending.add(data.subject);
    else if (type === 'SubjectForgotten' || type === 'SubjectLifted') pending.delete(data.subject);
  }
  if (pending.size === 0) return [];
  const { rows } = await db.query<{ subject: string }>(sql`select subject from erasure.open`);
  for (const { subject } of rows) pending.delete(subject);
  return [...pending];
};

/**
 * Carries out the erasures that the ledger has and this database does not. Nothing may be served before.
 * @returns how many there were.
 */
export const reapplyErasures = async (
  { config, db, url, logger }: Pick<OperationsContext, 'config' | 'db' | 'url' | 'logger'>,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: OnProgress },
): Promise<number> => {
  // Before the first erasure nothing has to be asked of a log that may be unavailable.
  if ((await storedKey(db)) === null) return 0;
  const log = await openEventLog(config, { db, url }, logger);
  try {
    const pending = await pendingIn(log, db);
    if (pending.length === 0) return 0;
    const fence = await openFence({ db, log, keys: config.ERASURE_KEY, logger }, false);
    await forgetSubjects({ config, db, url, logger, log, fence }, new Set(pending), { signal, onProgress });
    const rows: Record<string, number> = {};
    for (const table of OF_ACCOUNTS) {
      for (const platform of PLATFORMS) {
        const { rows: names } = await db.query<{ handle: string }>(sql`
          select distinct handle from ${ident(table)} where platform = ${platform}`);
        const erased = names
          .map(({ handle }) => handle)
          .filter((handle) => isErasedName(fence, platform, handle.replace(/^id:/, '')));
        if (erased.length === 0) continue;
        const { rowCount } = await db.query(sql`
          delete from ${ident(table)} where platform = ${platform} and handle = any(${erased})`);
        rows[table] = (rows[table] ?? 0) + (rowCount ?? 0);
      }
    }
    // Which of them names an erased account, no digest tells: their requests are carried out anew.
    await db.query(sql`delete from metering.idempotent_responses`);
    const nowMs = systemClock.now();
    for (const subject of pending) {
      const data = { at: isoOf(nowMs), subject, events: 0, references: 0, rows };
      await log.append(SUBJECTS_STREAM, [{ id: uuidV7(nowMs), type: 'SubjectForgotten', data }], 'any');
    }
    return pending.length;
  } finally {
    await log.close();
  }
};
