/**
 * Erases an account: from answers at once, from the log and every table after that. One that is suppressed is in no answer, and
 * waits: until it is to be erased, or released.
 * What is promised: `docs/privacy.md`.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { uuidV5, uuidV7 } from '../../kernel/ids.ts';
import type { Platform } from '../../kernel/platform.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { steadyMs } from '../../kernel/retry.ts';
import { listBuilds } from '../../projections/builds/builds.ts';
import { projections } from '../../projections/registry.ts';
import { accountStream } from '../../write/accounts/account.ts';
import type { Fence } from '../../write/erasure/fence.ts';
import { makeMarker, type OpenFence, previewMarker } from '../../write/erasure/open-fence.ts';
import {
  type Mark,
  maskOf,
  SUBJECTS_STREAM,
  type SubjectEvent,
  voidingTypeOf,
} from '../../write/erasure/subject.ts';
import type { Tenure } from '../../write/erasure/tenures.ts';
import { openEventLog } from '../../write/log/open-event-log.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { AccountName } from '../account-name.ts';
import type { OnProgress, OperationsContext } from '../context.ts';
import { listProcesses, type ServiceProcess, WITHOUT_KEY } from '../health/processes.ts';
import { copyProjection, dropBuild, prune, rebuildProjections } from '../projections/builds.ts';
import { waitForProjection } from '../projections/read-model.ts';
import { forgetSubjects } from './forget.ts';
import { forgetHoldings, vacuumHoldings, wordsOf } from './holdings.ts';
import { mirrorLedger } from './ledger-file.ts';
import { extendedTenures, findSubject, type Subject } from './subject.ts';

export interface ErasureContext extends OperationsContext {
  readonly fence: Fence & Pick<OpenFence, 'refresh'>;
}

/** Finds an account, and changes nothing. */
export const previewSubject = async (context: ErasureContext, account: AccountName): Promise<Subject> =>
  (await suppressedSubject(context, account)) ??
  findSubject(context, await previewMarker(context.db, context.config.ERASURE_KEY), account);

/** A suppressed account, which no read model has; null if it is not suppressed. */
const suppressedSubject = async (
  { db, fence }: ErasureContext,
  { platform, kind, name }: AccountName,
): Promise<Subject | null> => {
  const digest = fence.subjectOf(platform, kind, name);
  if (digest === null || fence.entryOf(digest)?.isErased !== false) return null;
  const { rows } = await db.query<OpenRow>(sql`
    select subject, platform, native_id, handles, tenures, marks from erasure.open
    where subject = ${digest} and released_at is null`);
  const [row] = rows;
  if (row === undefined) return null;
  const { native_id: nativeId, handles, tenures, marks } = row;
  return { digest, platform, nativeId, handles, tenures, id: marks.id, marks: marks.handles };
};

interface OpenRow {
  readonly subject: string;
  readonly platform: Platform;
  readonly native_id: string | null;
  readonly handles: readonly string[];
  readonly tenures: readonly Tenure[];
  readonly marks: { readonly id: Mark | null; readonly handles: readonly Mark[] };
  readonly opened_at: string;
  /** When the log is to forget it; null if it is not. */
  readonly due_at: string | null;
  readonly isDue: boolean;
  readonly isHidden: boolean;
}

/**
 * Begins to hide an account, and says when it is to be erased. The names are written down first, so that whoever finds the entry of the ledger knows what is
 * void; a process that ends in between leaves an erasure that the next start carries out.
 * @param dueAt null for an account that is to be suppressed only. The earlier one counts of an account that is suppressed already.
 * @param handle one that it was just seen to have, which the catalog may not know.
 * @throws {OperatorError} `suppression_unsupported`; `erasure_key_missing` if this process, or one that lives, has none.
 */
export const openErasure = async (
  context: ErasureContext,
  account: AccountName,
  dueAt: string | null = isoOf(systemClock.now()),
  handle: string | null = null,
): Promise<Subject> => {
  const { db, config } = context;
  const isSuppressed = dueAt === null || Date.parse(dueAt) > systemClock.now();
  if (isSuppressed && config.EVENT_LOG_URL !== undefined) {
    throw new OperatorError(
      'suppression_unsupported',
      'The log is in EventStoreDB, where accounts can be erased, and not suppressed.',
    );
  }
  const [without] = (await livingProcesses(db)).filter(({ erasures }) => erasures === WITHOUT_KEY);
  if (without !== undefined) {
    throw new OperatorError(
      'erasure_key_missing',
      `A process on ${without.host} (${without.roles.join(', ')}) runs without ERASURE_KEY: it could not tell which accounts are erased.`,
    );
  }
  await context.fence.refresh();
  const suppressed = await suppressedSubject(context, account);
  if (suppressed !== null) {
    // All steps again, since the ledger says when it is due.
    await db.query(sql`
      update erasure.open set due_at = least(due_at, ${dueAt}::timestamptz), hidden_at = null
      where subject = ${suppressed.digest} and released_at is null`);
    return suppressed;
  }
  const subject = await findSubject(context, await makeMarker(db, config.ERASURE_KEY), account, handle);
  const { digest, platform, nativeId, handles, tenures, id, marks } = subject;
  await db.query(sql`
    insert into erasure.open (subject, platform, native_id, handles, tenures, marks, due_at)
    values (${digest}, ${platform}, ${nativeId}, ${handles}, ${JSON.stringify(tenures)}::jsonb,
      ${JSON.stringify({ id, handles: marks })}::jsonb, ${dueAt})
    on conflict (subject) do update set handles = excluded.handles, tenures = excluded.tenures, marks = excluded.marks,
      opened_at = now(), due_at = excluded.due_at, released_at = null, events = 0, refs = 0, hidden_at = null,
      forgotten_at = null`);
  return subject;
};

/** Those that something is to be done for: that are shown, or are due. */
const openRows = async ({ db }: Pick<OperationsContext, 'db'>): Promise<readonly OpenRow[]> => {
  const { rows } = await db.query<OpenRow>(sql`
    select * from (
      select subject, platform, native_id, handles, tenures, marks, opened_at, due_at,
        coalesce(due_at <= ${isoOf(systemClock.now())}, false) as "isDue", hidden_at is not null as "isHidden"
      from erasure.open where forgotten_at is null and released_at is null
    ) o where "isDue" or not "isHidden" order by opened_at, subject`);
  return rows;
};

/** Whether an erasure is not complete, or an account not hidden. */
export const hasOpenErasures = async (context: Pick<OperationsContext, 'db'>): Promise<boolean> =>
  (await openRows(context)).length > 0;

/** How long feeds tell whom to forget. */
const ANNOUNCED_DAYS = 30;

/** Forgets the names of accounts that feeds have told for long enough: from then on only digests are left. */
export const forgetAnnounced = async ({ db }: Pick<OperationsContext, 'db'>): Promise<void> => {
  await db.query(sql`
    delete from erasure.open where forgotten_at < now() - make_interval(days => ${ANNOUNCED_DAYS})`);
};

/** Steps of an erasure, in order. After `hidden` nothing that this service answers shows the account. */
export type Step = 'processes' | 'read models' | 'hidden' | 'log' | 'read models again' | 'tables' | 'done';

export interface CarryOutOptions {
  readonly signal: AbortSignal;
  readonly onStep?: (step: Step) => void;
  readonly onProgress?: OnProgress;
}

/**
 * Carries out all open erasures. Each step can be repeated, so that a run that ended anywhere is taken up by the next one.
 * @returns how many were carried out: 0 if another process has done it meanwhile.
 */
export const carryOut = async (context: ErasureContext, options: CarryOutOptions): Promise<number> => {
  let done = 0;
  await withLease(context.url, LEASE, options.signal, async (signal) => {
    // One that nobody fences: what is to be forgotten has to be read.
    const raw = await openEventLog(context.config, { db: context.db, url: context.url }, context.logger);
    try {
      done = await work(context, raw, { ...options, signal });
    } finally {
      await raw.close();
    }
  });
  return done;
};

/** Who erases or releases has it. */
export const LEASE = { kind: ADVISORY_LOCKS.ERASURE, name: 'erasures' };

const work = async (context: ErasureContext, raw: EventLog, options: CarryOutOptions): Promise<number> => {
  const { db } = context;
  const rows = await openRows(context);
  if (rows.length === 0) return 0;
  const { signal, onStep = () => undefined, onProgress = () => undefined } = options;
  const shown = rows.filter(({ isHidden }) => !isHidden);
  for (const row of rows) await enterLedger(context, row);
  if (shown.length > 0) onStep('processes');
  await untilEveryProcessKnows(context, signal);
  for (const row of shown) await voidStreams(context, raw, row);
  if (shown.length > 0) onStep('read models');
  await untilForgotten(context, signal);
  for (const row of shown) {
    await forgetHoldings(db, namesOf(row));
    await db.query(sql`update erasure.open set hidden_at = now() where subject = ${row.subject}`);
  }
  if (shown.length > 0) onStep('hidden');
  const due = rows.filter(({ isDue }) => isDue);
  if (due.length === 0) return rows.length;
  const subjects = due.map(({ subject }) => subject);
  onStep('log');
  await forgetSubjects({ ...context, fence: context.fence.erased }, new Set(subjects), {
    signal,
    onProgress,
  });
  // Where streams begin now stands in the ledger: what is before that is in no build.
  await context.fence.refresh();
  onStep('read models again');
  await remakeBuilds(context, subjects, signal, onProgress);
  onStep('tables');
  for (const row of due) await close(context, row);
  await vacuumHoldings(db);
  onStep('done');
  return rows.length;
};

const namesOf = ({ platform, native_id, handles }: OpenRow) => ({ platform, nativeId: native_id, handles });

/** Enters a subject in the ledger, unless it is there as it is to be. */
const enterLedger = async (context: ErasureContext, row: OpenRow): Promise<void> => {
  const { log, fence } = context;
  const { subject, platform, marks, isDue, due_at: due } = row;
  await fence.refresh();
  const entry = fence.entryOf(subject);
  if (entry?.isErased === true || (!isDue && entry !== null && entry.due === due))
    return mirrorLedger(context);
  const nowMs = systemClock.now();
  // A handle that another account took meanwhile is not refused again.
  const { id, handles } = entry ?? marks;
  const data = { at: isoOf(nowMs), platform, subject, id, handles };
  const event = isDue
    ? { type: 'SubjectErased', data }
    : { type: 'SubjectSuppressed', data: { ...data, due } };
  await log.append(SUBJECTS_STREAM, [{ id: uuidV7(nowMs), ...event }], 'any');
  await mirrorLedger(context);
  await fence.refresh();
};

const PROCESS_MS = 30_000;
/** A process that was silent for so long can't answer: it does not reach the database. */
const SILENT_S = 10;

const livingProcesses = async (db: Queryable): Promise<readonly ServiceProcess[]> =>
  (await listProcesses(db)).filter(({ stopped, silent_s }) => !stopped && silent_s < SILENT_S);

/** @throws {OperatorError} `process_unaware` if a process that lives does not follow the ledger. */
export const untilEveryProcessKnows = async (
  { db, fence }: ErasureContext,
  signal: AbortSignal,
): Promise<void> => {
  const until = steadyMs() + PROCESS_MS;
  for (;;) {
    signal.throwIfAborted();
    const behind = (await livingProcesses(db)).filter(({ erasures }) => erasures < Number(fence.revision));
    const [first] = behind;
    if (first === undefined) return;
    if (steadyMs() > until) {
      throw new OperatorError(
        'process_unaware',
        `A process on ${first.host} (${first.roles.join(', ')}) does not know of the erasure yet: the erasure goes on once it does, or once it has ended.`,
      );
    }
    await sleep(200);
  }
};

/**
 * Tells each stream of the account that what it says is void. What a process appended before it knew of the erasure is void as well.
 */
const voidStreams = async (
  { config, db, log }: ErasureContext,
  raw: EventLog,
  row: OpenRow,
): Promise<void> => {
  const { subject, platform, opened_at: at } = row;
  const tenures = await extendedTenures(raw, namesOf(row), row.tenures);
  await db.query(
    sql`update erasure.open set tenures = ${JSON.stringify(tenures)}::jsonb where subject = ${subject}`,
  );
  const first = tenures.find(({ stream }) => stream.startsWith('account-'))?.stream;
  const all: Tenure[] = [...Map.groupBy(tenures, (tenure) => tenure.stream).values()].map((of) => ({
    ...(of.at(-1) as Tenure),
    from: of[0]?.from ?? -1,
  }));
  // Where streams are truncated and not renamed, none of the account's lasts: what feeds tell stands in one of its own.
  const lasting =
    config.EVENT_LOG_URL === undefined || first === undefined
      ? first
      : accountStream(platform, maskOf(subject));
  if (lasting !== undefined && lasting !== first)
    all.push({ stream: lasting, from: -1, through: -1, since: null });
  for (const { stream, from, through, since } of all) {
    const data = { at, subject, from, through, since, is_first: stream === lasting };
    // The same event however often it is tried.
    const id = uuidV5(`erased ${subject} in ${stream} through ${through} at ${at}`);
    await log.append(stream, [{ id, type: voidingTypeOf(stream), data }], 'any');
  }
};

/** Waits until each read model has what was appended. */
const untilForgotten = async (context: ErasureContext, signal: AbortSignal): Promise<void> => {
  const head = await context.log.head();
  for (const projection of projections) {
    signal.throwIfAborted();
    await waitForProjection(context, projection, head);
  }
};

/** Read models that have texts and links of others; the names of who is in a list stand beside it. */
const WITH_REFERENCES = ['accounts', 'posts', 'directory', 'people'];
const WITH_LISTS = ['follows'];

/** Whether events of others stand elsewhere in the log now, for the sake of an open erasure. */
const wasAppendedAgain = async ({ log, db }: ErasureContext): Promise<boolean> => {
  const ledger = (await log.readStream(SUBJECTS_STREAM)) as unknown as readonly SubjectEvent[];
  const open = new Set((await openRows({ db })).map(({ subject }) => subject));
  const since = ledger.findIndex(({ type, data }) => type === 'SubjectErased' && open.has(data.subject));
  return ledger
    .slice(since)
    .some(({ type, data }) => type === 'SubjectStreamsTruncated' && data.appended > 0);
};

/** Makes the read models anew that show what others wrote, if anything of that was changed, and copies as of a time. */
const remakeBuilds = async (
  context: ErasureContext,
  subjects: readonly string[],
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> => {
  const { rows } = await context.db.query<{ refs: string; lists: boolean }>(sql`
    select coalesce(sum(refs), 0) as refs, coalesce(bool_or(exists (
      select from jsonb_to_recordset(tenures) as t(stream text, through float8)
      where stream like 'follows-%' and through >= 0)), false) as lists
    from erasure.open where subject = any(${subjects})`);
  const { refs = '0', lists = false } = rows[0] ?? {};
  const again = (await wasAppendedAgain(context))
    ? projections.filter(({ forgets }) => forgets !== 'no accounts').map(({ name }) => name)
    : [...(refs === '0' ? [] : WITH_REFERENCES), ...(lists ? WITH_LISTS : [])];
  await rebuildProjections(context, again, { signal, onProgress });
  await remakeCopies(context, signal, onProgress);
  await prune(context);
};

/** Makes copies as of a time anew: without who is hidden now, and with who is not any more. */
export const remakeCopies = async (
  context: ErasureContext,
  signal: AbortSignal,
  onProgress: OnProgress,
): Promise<void> => {
  for (const { projection, schema, status, position } of await listBuilds(context.db)) {
    if (status !== 'copy') continue;
    await dropBuild(context, schema);
    await copyProjection(context, projection, { asOf: { position }, into: schema }, { signal, onProgress });
  }
};

/** Forgets the names, all but what feeds tell for a while. */
const close = async (context: ErasureContext, row: OpenRow): Promise<void> => {
  const { db, log } = context;
  const rows = await forgetHoldings(db, namesOf(row));
  // Until now its owner could have a copy of what was held.
  await db.query(sql`
    delete from erasure.exports where platform = ${row.platform} and name = any(${wordsOf(namesOf(row))})`);
  const { rows: counts } = await db.query<{ events: number; refs: number }>(sql`
    select events::float8, refs::float8 from erasure.open where subject = ${row.subject}`);
  const { events = 0, refs = 0 } = counts[0] ?? {};
  const at = isoOf(systemClock.now());
  const data = { at, subject: row.subject, events, references: refs, rows };
  await log.append(
    SUBJECTS_STREAM,
    [{ id: uuidV7(systemClock.now()), type: 'SubjectForgotten', data }],
    'any',
  );
  await db.query(sql`
    update erasure.open set forgotten_at = now(), tenures = '[]' where subject = ${row.subject}`);
};
