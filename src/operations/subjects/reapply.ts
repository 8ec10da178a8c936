/** Erasures whose names this database never had, or has no more: those of a restored backup. They are found by their digests. */

import { isoOf, systemClock } from '../../kernel/clock.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import type { Profile } from '../../write/accounts/profile.ts';
import { isErasedName } from '../../write/erasure/cleanse.ts';
import type { Fence, Refused } from '../../write/erasure/fence.ts';
import type { ForgetOptions } from '../../write/erasure/forget-log.ts';
import { openFence, storedKey } from '../../write/erasure/open-fence.ts';
import { SUBJECTS_STREAM, type SubjectEvent } from '../../write/erasure/subject.ts';
import { eventTypes } from '../../write/event-types.ts';
import { createDecoder } from '../../write/log/codec.ts';
import { openEventLog } from '../../write/log/open-event-log.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { marketIdOf } from '../../write/marketplace/listing.ts';
import { platformOf } from '../../write/stream-platform.ts';
import type { OnProgress, OperationsContext } from '../context.ts';
import { forgetSubjects } from './forget.ts';
import { enterInLedger } from './ledger-file.ts';
import { tenuresOf } from './subject.ts';

/** Tables of a backup that name accounts by platform and handle, which no digest of a text would find. */
const OF_ACCOUNTS = [
  'crawl.demand',
  'crawl.candidates',
  'crawl.namings',
  'crawl.leases',
  'crawl.follow_sweeps',
  'metering.accesses',
];

/** What the ledger wants of a subject, and this database has not done. */
interface Pending {
  readonly subject: string;
  readonly platform: Platform;
  readonly is: 'erased' | 'suppressed' | 'released';
  readonly due: string | null;
}

/** Subjects that were erased, suppressed or released, and are not forgotten, hidden or shown here. */
const pendingIn = async (
  log: Pick<EventLog, 'readStream'>,
  db: OperationsContext['db'],
): Promise<readonly Pending[]> => {
  const pending = new Map<string, Pending>();
  for (const { type, data } of (await log.readStream(
    SUBJECTS_STREAM,
  )) as unknown as readonly SubjectEvent[]) {
    if (type === 'SubjectStreamsTruncated') continue;
    const { subject } = data;
    if (type === 'SubjectErased' || type === 'SubjectSuppressed') {
      const { platform } = data;
      const due = type === 'SubjectErased' ? null : data.due;
      pending.set(subject, {
        subject,
        platform,
        is: type === 'SubjectErased' ? 'erased' : 'suppressed',
        due,
      });
    } else if (type === 'SubjectReleased') {
      const before = pending.get(subject);
      if (before !== undefined) pending.set(subject, { ...before, is: 'released' });
    } else if (type === 'SubjectForgotten' || type === 'SubjectLifted' || type === 'SubjectShown')
      pending.delete(subject);
  }
  if (pending.size === 0) return [];
  const { rows } = await db.query<{ subject: string }>(sql`select subject from erasure.open`);
  for (const { subject } of rows) pending.delete(subject);
  return [...pending.values()];
};

/** What an event says of the names of an account, and of what offers it. */
const namedBy = ({ stream, type, data }: Pick<RecordedEvent, 'stream' | 'type' | 'data'>) => {
  const platform = platformOf(stream) ?? null;
  const of = data as Readonly<Record<string, string | null>> & { readonly profile?: Profile };
  const name = stream.slice(stream.indexOf(':') + 1);
  switch (type) {
    case 'AccountSighted':
      return { platform, id: of.profile?.id ?? null, handle: name, offer: null };
    case 'FollowsSighted':
      return { platform, id: of.owner ?? null, handle: name, offer: null };
    case 'CompanySighted':
      return { platform, id: null, handle: `company:${of.slug}`, offer: null };
    case 'DecisionMakerSighted':
      return { platform, id: null, handle: of.slug ?? null, offer: null };
    case 'ListingPublished':
    case 'PlacementListed':
      return {
        platform: of.platform as Platform,
        id: null,
        handle: of.handle ?? null,
        offer: marketIdOf(stream),
      };
    default:
      return null;
  }
};

/** What the log still has of a suppressed account. */
interface Kept extends Pending {
  nativeId: string | null;
  readonly handles: Set<string>;
  readonly offers: Set<string>;
}

/** Notes the names that an event has of a suppressed account. */
const note = (found: ReadonlyMap<string, Kept>, fence: Fence, event: RecordedEvent): void => {
  const named = namedBy(event);
  if (named === null || named.platform === null) return;
  const { platform, id, handle, offer } = named;
  // An ID decides: another account may have had the handle before.
  const subject =
    id === null
      ? handle !== null && fence.subjectOf(platform, 'handle', handle)
      : fence.subjectOf(platform, 'id', id);
  const kept = found.get(subject || '');
  if (kept === undefined) return;
  kept.nativeId ??= id;
  if (handle !== null && handle !== id) kept.handles.add(handle);
  if (offer !== null) kept.offers.add(offer);
};

/**
 * Opens suppressions anew, of which a restored database has the log and the ledger, but not the names: the log still has them. Their
 * steps are carried out by the service, which shows nothing of them until then either.
 */
const reopenSuppressed = async (
  { db, log, fence }: { readonly db: Db; readonly log: EventLog; readonly fence: Fence },
  pending: readonly Pending[],
  signal: AbortSignal,
): Promise<void> => {
  const found = new Map<string, Kept>(
    pending.map((each) => [each.subject, { ...each, nativeId: null, handles: new Set(), offers: new Set() }]),
  );
  const decoder = createDecoder(eventTypes);
  for await (const page of log.readAll(0n)) {
    signal.throwIfAborted();
    for (const event of page.events) {
      const known = decoder.decode(event);
      if (known !== null) note(found, fence, known);
    }
  }
  for (const { subject, platform, due, nativeId, handles, offers } of found.values()) {
    const names = { platform, nativeId, handles: [...handles].toReversed() };
    const tenures = await tenuresOf(log, names, [...offers]);
    // The ledger has its marks.
    const marks = { id: null, handles: [] };
    await db.query(sql`
      insert into erasure.open (subject, platform, native_id, handles, tenures, marks, due_at)
      values (${subject}, ${platform}, ${nativeId}, ${names.handles}, ${JSON.stringify(tenures)}::jsonb,
        ${JSON.stringify(marks)}::jsonb, ${due})`);
  }
};

/** Forgets in a restored log and in restored tables whom the fence has. */
const forgetRestored = async (
  context: Pick<OperationsContext, 'config' | 'db' | 'url' | 'logger' | 'log'> & { readonly fence: Refused },
  subjects: readonly string[],
  options: ForgetOptions,
): Promise<void> => {
  const { db, log, fence } = context;
  await forgetSubjects(context, new Set(subjects), options);
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
  for (const subject of subjects) {
    const data = { at: isoOf(nowMs), subject, events: 0, references: 0, rows };
    await log.append(SUBJECTS_STREAM, [{ id: uuidV7(nowMs), type: 'SubjectForgotten', data }], 'any');
  }
};

/**
 * Carries out the erasures that the ledger has and this database does not, and opens such suppressions. Nothing may be served before.
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
    const subjectsThat = (is: Pending['is']) => pending.filter((each) => each.is === is);
    const erased = subjectsThat('erased').map(({ subject }) => subject);
    if (erased.length > 0)
      await forgetRestored({ config, db, url, logger, log, fence: fence.erased }, erased, {
        signal,
        onProgress,
      });
    const suppressed = subjectsThat('suppressed');
    if (suppressed.length > 0) await reopenSuppressed({ db, log, fence }, suppressed, signal);
    // No read model is made yet that would lack them.
    for (const { subject } of subjectsThat('released')) await enterInLedger(log, 'SubjectShown', subject);
    return pending.length;
  } finally {
    await log.close();
  }
};
