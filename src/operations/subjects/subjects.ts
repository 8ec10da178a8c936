/** What became of erasures: lists, receipts, checks, and their end. */

import { OperatorError } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { resealMarker } from '../../write/erasure/open-fence.ts';
import { SUBJECTS_STREAM, type SubjectEvent } from '../../write/erasure/subject.ts';
import type { EventLog } from '../../write/log/port.ts';
import type { AccountName } from '../account-name.ts';
import type { CarryOutOptions, ErasureContext } from './erase.ts';
import { type Names, patternsOf } from './holdings.ts';
import { enterInLedger, mirrorLedger } from './ledger-file.ts';
import { releaseSubject, showReleased } from './release.ts';
import { findNames } from './subject.ts';

export const SUBJECT_STATES = ['hiding', 'suppressed', 'released', 'hidden', 'forgotten', 'lifted'] as const;

/** An erasure, or a suppression. Times are null until the step is done. */
export interface SubjectState {
  /** The digest that names it. */
  readonly subject: string;
  readonly platform: Platform;
  /**
   * `hiding`: it may still be shown; `suppressed`: no answer shows it, and the log keeps it; `released`: it may be read again, and
   * what was known of it comes back; `hidden`: no answer shows it, and it is being forgotten; `forgotten`: nothing in the log and in read models names it;
   * `lifted`: it may be read again.
   */
  readonly state: (typeof SUBJECT_STATES)[number];
  readonly suppressed_at: string | null;
  /** When a suppressed account is to be erased; null if it is not. */
  readonly due_at: string | null;
  readonly released_at: string | null;
  readonly erased_at: string | null;
  readonly hidden_at: string | null;
  readonly forgotten_at: string | null;
  readonly lifted_at: string | null;
  /** Events of its own and of others that were removed or changed, and rows by table; null until it is forgotten. */
  readonly events: number | null;
  readonly references: number | null;
  readonly rows: Readonly<Record<string, number>> | null;
}

const stateOf = ({
  forgotten_at,
  hidden_at,
  lifted_at,
  released_at,
  erased_at,
}: Omit<SubjectState, 'state'>): SubjectState['state'] => {
  if (lifted_at !== null) return 'lifted';
  if (released_at !== null) return 'released';
  if (forgotten_at !== null) return 'forgotten';
  if (hidden_at === null) return 'hiding';
  return erased_at === null ? 'suppressed' : 'hidden';
};

const isOver = (state: Omit<SubjectState, 'state'> | undefined): boolean =>
  state === undefined ||
  state.lifted_at !== null ||
  state.released_at !== null ||
  state.forgotten_at !== null;

/** What became of a subject after an event of the ledger; undefined if it is none. */
const stateAfter = (
  before: Omit<SubjectState, 'state'> | undefined,
  { type, data }: SubjectEvent,
): Omit<SubjectState, 'state'> | undefined => {
  switch (type) {
    case 'SubjectErased':
    case 'SubjectSuppressed': {
      const isErased = type === 'SubjectErased';
      const since = isErased ? null : data.at;
      return {
        subject: data.subject,
        platform: data.platform,
        suppressed_at: isOver(before) ? since : (before?.suppressed_at ?? null),
        due_at: isErased ? null : data.due,
        released_at: null,
        erased_at: isErased ? data.at : null,
        hidden_at: null,
        forgotten_at: null,
        lifted_at: null,
        events: null,
        references: null,
        rows: null,
      };
    }
    case 'SubjectLifted':
      return before && { ...before, lifted_at: data.at };
    case 'SubjectReleased':
      return before && { ...before, released_at: data.at, due_at: null };
    case 'SubjectForgotten': {
      const { at, events, references, rows } = data;
      return before && { ...before, forgotten_at: at, hidden_at: at, events, references, rows };
    }
    default:
      return before;
  }
};

/** All erasures and suppressions, the newest first. */
export const listSubjects = async ({
  db,
  log,
}: {
  readonly db: Queryable;
  readonly log: EventLog;
}): Promise<readonly SubjectState[]> => {
  const found = new Map<string, Omit<SubjectState, 'state'>>();
  for (const event of (await log.readStream(SUBJECTS_STREAM)) as unknown as readonly SubjectEvent[]) {
    if (event.type === 'SubjectStreamsTruncated') continue;
    const { subject } = event.data;
    const before = found.get(subject);
    const after = stateAfter(before, event);
    if (after === undefined) continue;
    // Whoever is refused again is the newest.
    if (isOver(before)) found.delete(subject);
    found.set(subject, after);
  }
  const { rows } = await db.query<{ subject: string; hidden_at: string | null }>(
    sql`select subject, hidden_at from erasure.open where hidden_at is not null`,
  );
  for (const { subject, hidden_at } of rows) {
    const known = found.get(subject);
    if (known !== undefined) found.set(subject, { ...known, hidden_at });
  }
  return [...found.values()].map((each) => ({ ...each, state: stateOf(each) })).toReversed();
};

/** The erasure of an account, or the one that a digest or its beginning names. @throws {OperatorError} `subject_unknown` */
export const subjectNamed = async (
  context: ErasureContext,
  account: AccountName | string,
): Promise<SubjectState> => {
  const all = await listSubjects(context);
  const digest =
    typeof account === 'string'
      ? account
      : context.fence.subjectOf(account.platform, account.kind, account.name);
  const found = digest === null ? [] : all.filter(({ subject }) => subject.startsWith(digest));
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  throw new OperatorError(
    'subject_unknown',
    found.length > 1
      ? `${found.length} erasures begin so: give more of the digest.`
      : 'There is no such erasure.',
  );
};

/**
 * Lets an account be read again. What was erased stays erased; what was suppressed is shown again.
 * @throws {OperatorError} `erasure_open` while it is being forgotten.
 */
export const liftSubject = async (
  context: ErasureContext,
  { subject, state, erased_at }: SubjectState,
  options: CarryOutOptions,
): Promise<void> => {
  if (state === 'lifted') return;
  if (erased_at === null) {
    await releaseSubject(context, subject, options.signal);
    await showReleased(context, Number.POSITIVE_INFINITY, options);
    return;
  }
  if (state !== 'forgotten') {
    throw new OperatorError('erasure_open', 'The erasure is not complete yet: it can be lifted once it is.');
  }
  await enterInLedger(context.log, 'SubjectLifted', subject);
  await mirrorLedger(context);
};

/** Seals the key of erasures with the first key of ERASURE_KEY. */
export const rekeyErasures = ({ db, config }: Pick<ErasureContext, 'db' | 'config'>): Promise<void> =>
  resealMarker(db, config.ERASURE_KEY);

/** Rows of a table that hold a name of an account. */
export interface Found {
  readonly table: string;
  readonly rows: number;
}

/** Tables that may name an account that is not forgotten yet. */
const NAMING = new Set(['erasure.open']);

/**
 * Searches every table of every schema for the names of an account, in any letters, as text. A name that is a common word finds more
 * than the account.
 */
export const searchTables = async (db: Queryable, names: Names): Promise<readonly Found[]> => {
  const patterns = patternsOf(names);
  const { rows: tables } = await db.query<{ name: string }>(sql`
    select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_%'
    order by name`);
  const found: Found[] = [];
  for (const { name } of tables) {
    if (NAMING.has(name)) continue;
    const { rows } = await db.query<{ n: number }>(sql`
      select count(*)::float8 as n from ${ident(name)} t where lower(t::text) like any(${patterns}::text[])`);
    const n = rows[0]?.n ?? 0;
    if (n > 0) found.push({ table: name, rows: n });
  }
  return found;
};

/** Searches for an account again. @param account as it was called; its names are those that are still known, if any. */
export const verifySubject = async (
  context: ErasureContext,
  account: AccountName,
): Promise<readonly Found[]> => searchTables(context.db, await findNames(context, account));
