import { sql } from '../../kernel/postgres/statement.ts';
import type { Refused } from '../../write/erasure/fence.ts';
import { forgetInLog } from '../../write/erasure/forget-log.ts';
import { makeMarker } from '../../write/erasure/open-fence.ts';
import { truncateInLog } from '../../write/erasure/truncate-log.ts';
import { eventTypes } from '../../write/event-types.ts';
import { openArchiveStore } from '../../write/log/archive-store.ts';
import { createDecoder } from '../../write/log/codec.ts';
import { openEventLog, openEventStoreLog } from '../../write/log/open-event-log.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { OnProgress, OperationsContext } from '../context.ts';

type Context = Pick<OperationsContext, 'config' | 'db' | 'url' | 'logger'> & {
  readonly log: Pick<EventLog, 'append'>;
  /** Those that are to be forgotten, and those that were. */
  readonly fence: Refused;
};

/**
 * Removes from the log what it says of subjects, and counts it for those that are open.
 * The log in Postgres is written anew where it stands; streams of EventStoreDB begin later.
 */
export const forgetSubjects = async (
  { config, db, url, logger, log, fence }: Context,
  subjects: ReadonlySet<string>,
  options: { readonly signal: AbortSignal; readonly onProgress: OnProgress },
): Promise<void> => {
  // One that lets everything pass: what is to be forgotten has to be read.
  const decoder = createDecoder(eventTypes);
  if (config.EVENT_LOG_URL === undefined) {
    const raw = await openEventLog(config, { db, url }, logger);
    try {
      const store = config.LOG_ARCHIVE === undefined ? null : await openArchiveStore(config);
      await forgetInLog({ db, log: raw, decoder, fence, subjects: [...subjects], store }, options);
    } finally {
      await raw.close();
    }
    return;
  }
  const marker = await makeMarker(db, config.ERASURE_KEY);
  const raw = await openEventStoreLog(config.EVENT_LOG_URL, logger);
  try {
    const { events, references } = await truncateInLog(
      { log: raw, ledger: log, decoder, fence, marker },
      subjects,
      options,
    );
    // A run that goes on counts again, unless a scavenge removed what there was.
    await db.query(sql`
      update erasure.open set events = greatest(events, ${events}), refs = greatest(refs, ${references})
      where subject = any(${[...subjects]})`);
  } finally {
    await raw.close();
  }
};
