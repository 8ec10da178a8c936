/** Applies what the settings `RETENTION_…` say is not kept. What each of them leaves: `docs/privacy.md`. */

import { isoOf, systemClock } from '../../kernel/clock.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import { ADVISORY_LOCKS } from '../../kernel/postgres/advisory-locks.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { projections } from '../../projections/registry.ts';
import { accounts } from '../../projections/views/accounts/projection.ts';
import { type AbsentAccount, longAbsent } from '../../read/subjects.ts';
import { accountStream } from '../../write/accounts/account.ts';
import { type Limits, removeExpired } from '../../write/erasure/retention.ts';
import type { EventDataOf } from '../../write/event-types.ts';
import { openArchiveStore } from '../../write/log/archive-store.ts';
import { openEventLog } from '../../write/log/open-event-log.ts';
import type { RecordedEvent } from '../../write/log/port.ts';
import { positionAtTime } from '../../write/position-at-time.ts';
import { RETENTION_STREAM } from '../../write/upkeep.ts';
import type { OperationsContext } from '../context.ts';
import { prune, rebuildProjections } from '../projections/builds.ts';
import { activeSchema } from '../projections/read-model.ts';
import { type CarryOutOptions, type ErasureContext, LEASE, remakeCopies } from './erase.ts';
import { findNames, tenuresOf } from './subject.ts';

type Begun = EventDataOf<'RetentionBegun'>;

const DAY_MS = 86_400_000;
/** Read models are made anew when something goes: once in so many days at most. */
const EVERY_DAYS = 30;

const append = async ({ log }: Pick<OperationsContext, 'log'>, type: string, data: unknown) => {
  await log.append(RETENTION_STREAM, [{ id: uuidV7(systemClock.now()), type, data }], 'any');
};

/** What the settings do not keep as of now. */
const limitsNow = async ({ config, log }: OperationsContext): Promise<Begun> => {
  const nowMs = systemClock.now();
  const before = async (days: number | undefined): Promise<string | null> => {
    const position = days === undefined ? 0n : await positionAtTime(log, nowMs - days * DAY_MS);
    return position === 0n ? null : String(position);
  };
  const { RETENTION_ABSENT: absent, RETENTION_POSTS, RETENTION_EDGES, RETENTION_HISTORY } = config;
  return {
    at: isoOf(nowMs),
    absent_before: absent === 0 ? null : isoOf(nowMs - absent * DAY_MS),
    posts: await before(RETENTION_POSTS),
    edges: await before(RETENTION_EDGES),
    history: await before(RETENTION_HISTORY),
  };
};

const ABSENT_PAGE = 500;

/** Accounts that the catalog says are absent for as long, and something of. */
async function* absentAccounts(
  { db }: Pick<OperationsContext, 'db'>,
  before: string,
): AsyncGenerator<AbsentAccount> {
  const schema = await activeSchema(db, accounts);
  let last: AbsentAccount | null = null;
  for (;;) {
    const page: readonly AbsentAccount[] = await longAbsent(db, schema, before, last, ABSENT_PAGE);
    yield* page;
    last = page.at(-1) ?? null;
    if (last === null) return;
  }
}

const isAbsence = ({ type, data }: RecordedEvent): boolean =>
  type === 'AccountUnavailable' && (data as { readonly status: string }).status === 'absent';

const SHOWN = new Set(['AccountSighted', 'AccountUnchanged']);

/**
 * Whether the log proves that an account was absent before a time and never shown since, and still has something of it that did
 * not expire.
 */
const isLongAbsent = (events: readonly RecordedEvent[], before: string): boolean => {
  const shown = events.findLastIndex((event) => SHOWN.has(event.type));
  const since = events.slice(shown + 1);
  const first = since.find(isAbsence);
  if (shown === -1 || first === undefined || since.some(({ type }) => type === 'AccountExpired'))
    return false;
  const last = since.findLast(({ type }) => type === 'AccountUnavailable') as RecordedEvent;
  return isAbsence(last) && (first.data as { readonly observed_at: string }).observed_at < before;
};

/** Says in the streams of an account that it expired, unless it is back. @returns whether it expired. */
const expire = async (
  context: ErasureContext,
  { platform, handle, native_id: id }: AbsentAccount,
  before: string,
): Promise<boolean> => {
  const { db, log } = context;
  const events = await log.readStream(accountStream(platform, handle));
  const head = events.at(-1)?.revision;
  if (head === undefined || !isLongAbsent(events, before)) return false;
  const named =
    id === null ? ({ kind: 'handle', name: handle } as const) : ({ kind: 'id', name: id } as const);
  const tenures = await tenuresOf(log, await findNames({ db }, { platform, ...named }), []);
  const at = isoOf(systemClock.now());
  const own = (stream: string) => stream === accountStream(platform, handle);
  const byStream = Map.groupBy(
    tenures.filter(({ from }) => from >= 0),
    ({ stream }) => stream,
  );
  // The one that decides is the first: whoever returns meanwhile is not forgotten.
  for (const [stream, of] of [...byStream].toSorted(([a], [b]) => Number(own(b)) - Number(own(a)))) {
    const expired = of.map(({ from, through }) => ({
      id: uuidV7(systemClock.now()),
      type: 'AccountExpired',
      data: { at, from, through },
    }));
    const { status } = await log.append(stream, expired, own(stream) ? head : 'any');
    if (status === 'conflict') return false;
  }
  return true;
};

const lastOf = async ({ log }: Pick<OperationsContext, 'log'>): Promise<RecordedEvent | null> => {
  const [last] = await log.readStream(RETENTION_STREAM, { direction: 'backwards', limit: 1 });
  return last ?? null;
};

/** Whether anything may have to go as of a time. */
const isAnyDue = async (context: OperationsContext, limits: Begun): Promise<boolean> => {
  if (limits.posts !== null || limits.edges !== null || limits.history !== null) return true;
  if (limits.absent_before === null) return false;
  for await (const _ of absentAccounts(context, limits.absent_before)) return true;
  return false;
};

const limitsOf = ({ position, data }: RecordedEvent): Limits => {
  const { posts, edges, history } = data as Begun;
  const through = (text: string | null) => BigInt(text ?? 0);
  return {
    expiredAfter: position,
    posts: through(posts),
    edges: through(edges),
    history: through(history),
  };
};

/** What a run that ended may have removed. */
const typesOf = ({ absent_before, posts, edges, history }: Begun): readonly string[] => [
  ...(absent_before === null && history === null ? [] : ['AccountSighted', 'AccountUnchanged']),
  ...(absent_before === null && posts === null ? [] : ['PostsSighted']),
  ...(absent_before === null && edges === null ? [] : ['FollowsSighted']),
  ...(absent_before === null ? [] : ['CompanySighted', 'DecisionMakerSighted']),
];

/** The run that has to be gone on with, or begins; null if nothing has to go. */
const runOf = async (
  context: OperationsContext,
): Promise<{ readonly begun: RecordedEvent; readonly isNew: boolean } | null> => {
  const last = await lastOf(context);
  if (last?.type === 'RetentionBegun') return { begun: last, isNew: false };
  if (last !== null && systemClock.now() - Date.parse(last.recorded_at) < EVERY_DAYS * DAY_MS) return null;
  const limits = await limitsNow(context);
  if (!(await isAnyDue(context, limits))) return null;
  await append(context, 'RetentionBegun', limits);
  return { begun: (await lastOf(context)) as RecordedEvent, isNew: true };
};

/**
 * Removes what is not kept: from the log and its archive, then from read models and copies, which are made anew. A run that ended
 * anywhere is taken up by the next one.
 * @returns how many events went; null if nothing had to.
 */
export const applyRetention = async (
  context: ErasureContext,
  { signal, onProgress = () => undefined }: CarryOutOptions,
): Promise<number | null> => {
  if (context.config.EVENT_LOG_URL !== undefined) return null;
  let removed: number | null = null;
  const lease = { kind: ADVISORY_LOCKS.ERASURE, name: 'retention' };
  await withLease(context.url, lease, signal, async (held) => {
    removed = await run(context, { signal: held, onProgress });
  });
  return removed;
};

const run = async (
  context: ErasureContext,
  options: Required<Pick<CarryOutOptions, 'signal' | 'onProgress'>>,
): Promise<number | null> => {
  const { config, db, url, logger } = context;
  const { signal, onProgress } = options;
  const found = await runOf(context);
  if (found === null) return null;
  const { begun, isNew } = found;
  const limits = begun.data as Begun;
  let expired = 0;
  if (limits.absent_before !== null)
    for await (const account of absentAccounts(context, limits.absent_before)) {
      signal.throwIfAborted();
      if (await expire(context, account, limits.absent_before)) expired += 1;
    }
  const raw = await openEventLog(config, { db, url }, logger);
  try {
    const store = config.LOG_ARCHIVE === undefined ? null : await openArchiveStore(config);
    const counts = await removeExpired(
      {
        db,
        log: raw,
        store,
        // An erasure waits for one step at most.
        exclusively: (step) => withLease(url, LEASE, signal, step),
      },
      limitsOf(begun),
      { signal, onProgress },
    );
    const types = new Set([...counts.keys(), ...(isNew ? [] : typesOf(limits))]);
    const again = projections
      .filter(({ forgets, types: of }) => forgets !== 'no accounts' && of.some((type) => types.has(type)))
      .map(({ name }) => name);
    await rebuildProjections(context, again, options);
    if (types.size > 0) {
      await remakeCopies(context, signal, onProgress);
      await prune(context);
      await db.query(sql`vacuum log.events`);
    }
    const events = [...counts.values()].reduce((sum, n) => sum + n, 0);
    await append(context, 'RetentionApplied', { at: isoOf(systemClock.now()), accounts: expired, events });
    return events;
  } finally {
    await raw.close();
  }
};
