/**
 * Admission of requests: the fast path, the batches, and the three queues.
 * Decision: `docs/adr/0007-batched-admission.md`.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { numbered } from '../../kernel/postgres/statement.ts';
import { numberArray, RAW_TYPES, textArray } from '../../kernel/postgres/values.ts';
import type { Plans } from '../holders/plans.ts';
import { admitBatch, type RequestGroup } from './admit-batch.ts';
import {
  type AdmissionRequest,
  type HolderOutcome,
  isSingle,
  isSpecial,
  joinEntitlements,
  OUTCOME,
  outcomeOf,
} from './entitlements.ts';
import { type Admitted, outcomesByRequest } from './quota.ts';

const IN_WINDOW = `c.now < a.window_started_at + interval '60 seconds'`;
const IN_LIVE_WINDOW = `c.now < a.live_started_at + interval '60 seconds'`;

const leftOf = (startedAt: string): string =>
  `ceil(date_part('epoch', a.${startedAt} + interval '60 seconds' - c.now))`;

/**
 * CTEs `clock` and `plain`: the admitted holders with their state before their requests. Rows are updated by ctid: if the plan was
 * cached while the table was small, a join by key starts with all accounts.
 * @param asked SQL relation: holder, requests, reads, n.
 * @param at the parameter with the time.
 */
const admitted = (schema: string, plans: Plans, asked: string, at: string): string => `
with clock as materialized (
  select coalesce(${at}::timestamptz, clock_timestamp()) as now
), plain as (
  update metering.accounts a set
    terms_position = h.changed,
    requests = a.requests + q.requests,
    budget_units = a.budget_units + q.reads * p.catalog_weight,
    window_started_at = case when ${IN_WINDOW} then a.window_started_at else c.now end,
    window_requests = q.requests + case when ${IN_WINDOW} then a.window_requests else 0 end
  from clock c, ${asked}
  cross join lateral (select ctid from metering.accounts where holder = q.holder offset 0) r
  ${joinEntitlements(schema, plans)}
  where a.ctid = r.ctid and metering.try_lock_holder(q.holder)
    and a.terms_position <= h.changed and a.plan = p.plan and a.plan_started_at = h.plan_started_at
    and c.now >= a.period_started_at and c.now < a.period_ends_at
    and c.now >= a.window_started_at and c.now >= a.live_started_at
    and (q.reads * p.catalog_weight = 0 or a.budget_units + q.reads * p.catalog_weight <= p.units)
    and q.requests + case when ${IN_WINDOW} then a.window_requests else 0 end <= p.burst
  returning q.n, a.plan, a.period, (c.now at time zone 'UTC')::date as day,
    replace(a.period_ends_at::text, ' ', 'T') as ends_at, a.budget_units - q.reads * p.catalog_weight as budget_units,
    a.overage_units, a.live_calls, h.credit_micro_usd - a.charged_micro_usd as balance_micro_usd,
    coalesce((h.cap_micro_usd - a.overage_micro_usd)::text, '-') as cap_left_micro_usd,
    h.overage_on and p.overage_rate is not null as overage_on, a.window_requests - q.requests as window_requests,
    ${leftOf('window_started_at')} as window_left_s,
    case when ${IN_LIVE_WINDOW} then a.live_requests else 0 end as live_requests,
    case when ${IN_LIVE_WINDOW} then ${leftOf('live_started_at')} else 60 end as live_left_s,
    p.catalog_weight as weight
)`;

/** The outcomes as one text, a line per holder. A row of fifteen values would cost both sides as much as the decision itself. */
const outcomes = (durable: string): string => `
select string_agg(concat_ws(' ', ${OUTCOME}), E'\\n'),
  case when ${durable} then null else set_config('synchronous_commit', 'off', true) end
from plain`;

/**
 * Admits many holders. The batch is never joined with itself: the planner, which expects ten rows, would make that quadratic.
 * Parameters: per holder its ID, requests and reads; per line the holder's ordinal, key, operation, requests and reads; the time;
 * whether anything is charged.
 */
const manyHolders = (schema: string, plans: Plans): string => `
${admitted(schema, plans, 'unnest($1::text[], $2::bigint[], $3::bigint[]) with ordinality as q(holder, requests, reads, n)', '$9')},
journaled as (
  insert into metering.usage_batches (day, holders, admitted, periods, weights, owners, keys, operations, requests, reads)
  select (now at time zone 'UTC')::date, $1, admitted, periods, weights, $4::int[], $5::text[], $6::text[], $7::bigint[],
    $8::bigint[]
  from clock, (
    select array_agg(n) as admitted, array_agg(period) as periods, array_agg(weight) as weights from plain
  ) of_holders
  where admitted is not null
)
${outcomes('$10')}`;

/**
 * Admits requests of one holder with one key and operation, in five sixths of the time that Postgres takes otherwise. Parameters:
 * holder, requests, reads, key, operation; the time; whether anything is charged.
 */
const oneLine = (schema: string, plans: Plans): string => `
${admitted(schema, plans, '(select $1::text as holder, $2::bigint as requests, $3::bigint as reads, 1 as n) q', '$6')},
journaled as (
  insert into metering.usage_entries
  select $1, period, day, $4::text, $5::text, $2, 0, $3 * weight, 0, 0, 0 from plain
)
${outcomes('$7')}`;

interface Statements {
  readonly manyHolders: string;
  readonly oneLine: string;
}

const cached = new WeakMap<Plans, Map<string, Statements>>();

/** The statements of the fast path; their texts are built once for each schema. */
const statementsOf = (schema: string, plans: Plans): Statements => {
  let bySchema = cached.get(plans);
  if (bySchema === undefined) {
    bySchema = new Map();
    cached.set(plans, bySchema);
  }
  let statements = bySchema.get(schema);
  if (statements === undefined) {
    statements = { manyHolders: manyHolders(schema, plans), oneLine: oneLine(schema, plans) };
    bySchema.set(schema, statements);
  }
  return statements;
};

const AS_TEXT = { rowMode: 'array', types: RAW_TYPES } as const;

/**
 * Admits the simple case in one statement: catalog reads and free reads in a running period, of unlocked holders whose quota and
 * rate limit cover them all.
 * @param asked requests by holder, in the order of the holders.
 * @param at clock for tests; null uses the database's.
 * @returns each holder's state before its requests; null if the holder is undecided and nothing changed.
 */
const admitFastPath = async (
  db: Queryable,
  schema: string,
  plans: Plans,
  asked: readonly (readonly AdmissionRequest[])[],
  at: string | null,
): Promise<readonly (HolderOutcome | null)[]> => {
  const holders: string[] = [];
  const requests: number[] = [];
  const reads: number[] = [];
  const owners: number[] = [];
  const keys: string[] = [];
  const operations: string[] = [];
  const counts: number[] = [];
  const lineReads: number[] = [];
  let durable = false;
  for (const asks of asked) {
    let all = 0;
    const first = keys.length;
    const [ask] = asks;
    if (ask === undefined) throw new RangeError('a holder of the batch has no requests');
    holders.push(ask.holder);
    for (const { keyId, operation, catalog } of asks) {
      all += catalog;
      let line = first;
      while (line < keys.length && (keys[line] !== keyId || operations[line] !== operation)) line += 1;
      if (line === keys.length) {
        owners.push(holders.length);
        keys.push(keyId);
        operations.push(operation);
        counts.push(1);
        lineReads.push(catalog);
      } else {
        counts[line] = (counts[line] as number) + 1;
        lineReads[line] = (lineReads[line] as number) + catalog;
      }
    }
    requests.push(asks.length);
    reads.push(all);
    durable ||= all > 0;
  }
  const { manyHolders, oneLine } = statementsOf(schema, plans);
  const statement =
    keys.length === 1
      ? numbered(oneLine, [holders[0], requests[0], reads[0], keys[0], operations[0], at, durable], {
          name: `${schema} admit one line`,
          ...AS_TEXT,
        })
      : numbered(
          manyHolders,
          [
            textArray(holders),
            numberArray(requests),
            numberArray(reads),
            numberArray(owners),
            textArray(keys),
            textArray(operations),
            numberArray(counts),
            numberArray(lineReads),
            at,
            durable,
          ],
          { name: `${schema} admit plain`, ...AS_TEXT },
        );
  const { rows } = await db.query<unknown[]>(statement);
  const outcomes: (HolderOutcome | null)[] = holders.map(() => null);
  const decided = (rows[0] as (string | null)[] | undefined)?.[0];
  if (decided != null) {
    for (const line of decided.split('\n')) {
      const row = line.split(' ');
      outcomes[Number(row[0]) - 1] = outcomeOf(row, plans);
    }
  }
  return outcomes;
};

export interface Admission {
  /**
   * Decides and charges a request, batched with all waiting requests.
   * @throws {AdmissionTimeoutError} if nothing was charged.
   * @throws database errors, after which the charge is in doubt and the request must not be retried.
   */
  admit(ask: AdmissionRequest): Promise<Admitted>;
}

const isSameGroup = (a: AdmissionRequest, b: AdmissionRequest): boolean =>
  a.keyId === b.keyId &&
  a.operation === b.operation &&
  a.catalog === b.catalog &&
  a.live === b.live &&
  a.upstream === b.upstream &&
  !isSingle(a) &&
  !isSingle(b);

const groupsOf = (waiting: readonly PendingRequest[]): RequestGroup[] => {
  const groups: { ask: AdmissionRequest; count: number; reservation: string | null }[] = [];
  for (const { ask } of waiting) {
    const last = groups.at(-1);
    if (last !== undefined && isSameGroup(last.ask, ask)) last.count += 1;
    else groups.push({ ask, count: 1, reservation: ask.reserve === true ? randomUUID() : null });
  }
  return groups;
};

const answer = (waiting: readonly PendingRequest[], outcomes: readonly Admitted[]): void => {
  for (const [i, { resolve }] of waiting.entries()) resolve(outcomes[i] as Admitted);
};

/**
 * Decides requests in batches, in three queues. The first admits reads within the quota. Requests that it leaves undecided (a limit
 * is near, a period begins, the holder is locked) go to the second queue, which decides all cases without blocking. Requests of
 * holders that are still locked go to the third queue, which blocks on one lock at a time, for a limited time. So only requests in
 * the third queue can wait for another holder's lock.
 * @param schema the active build of the holders' read model.
 * @param at clock for tests; null uses the database's.
 */
export const createAdmission = (
  db: Queryable,
  schema: () => string,
  plans: Plans,
  at: () => string | null = () => null,
): Admission => {
  const decideBatch = (blocking: boolean) => async (asked: readonly HolderRequests[]) => {
    const groups = asked.map(({ waiting }) => groupsOf(waiting));
    const decisions = await admitBatch(db, schema(), plans, groups, blocking, at());
    return asked.flatMap(({ holder, waiting }, i) => {
      const decision = decisions[i] ?? 'unknown';
      if (decision === 'unknown') {
        for (const each of waiting) each.reject(new AdmissionTimeoutError(`no entitlements of ${holder}`));
      } else if (decision === 'busy' || decision === 'stale') {
        return [{ asked: { holder, waiting }, stale: decision === 'stale' }];
      } else answer(waiting, outcomesByRequest(decision.outcome, groups[i] ?? [], decision.groups));
      return [];
    });
  };
  const decideFastPath = async (asked: readonly HolderRequests[]) => {
    const isPlain = ({ waiting }: HolderRequests) => !waiting.some(({ ask }) => isSpecial(ask));
    const reads = asked.filter(isPlain);
    const asks = reads.map(({ waiting }) => waiting.map(({ ask }) => ask));
    const outcomes = reads.length === 0 ? [] : await admitFastPath(db, schema(), plans, asks, at());
    const undecided = asked.filter((each) => !isPlain(each));
    for (const [i, { holder, waiting }] of reads.entries()) {
      const outcome = outcomes[i] ?? null;
      if (outcome === null) undecided.push({ holder, waiting });
      else answer(waiting, outcomesByRequest(outcome, groupsOf(waiting), null));
    }
    return undecided.map((each) => ({ asked: each, stale: false }));
  };
  const tried = decideBatch(false);
  let turn = 0;
  /** Decides all holders whose lock is free by now, then waits for one of the others, in turn. */
  const decideLocked = async (asked: readonly HolderRequests[]) => {
    const left =
      asked.length === 1 ? asked.map((each) => ({ asked: each, stale: false })) : await tried(asked);
    const locked = left.filter(({ stale }) => !stale);
    turn += 1;
    const awaited = locked[turn % locked.length];
    if (awaited === undefined) return left;
    return [...left.filter((each) => each !== awaited), ...(await decideBatch(true)([awaited.asked]))];
  };
  const blocking = openAdmissionQueue(decideLocked, null);
  const full = openAdmissionQueue(tried, blocking);
  const fast = openAdmissionQueue(decideFastPath, full);

  /** A holder's requests keep their order: while some wait in a later queue, new ones follow there. */
  const queueOf = (ask: AdmissionRequest): AdmissionQueue => {
    const { holder } = ask;
    if (blocking.has(holder)) return blocking;
    if (full.has(holder)) return full;
    return isSpecial(ask) && !fast.has(holder) ? full : fast;
  };
  return {
    admit: (ask) =>
      new Promise((resolve, reject) => {
        queueOf(ask).put(ask.holder, [{ ask, sinceMs: performance.now(), resolve, reject }]);
      }),
  };
};

/** A request has no decision: its holder's entitlements are unknown, or it waited too long. */
export class AdmissionTimeoutError extends Error {
  override readonly name = 'AdmissionTimeoutError';
}

/** A request that waits for its decision. */
export interface PendingRequest {
  readonly ask: AdmissionRequest;
  /** Time of enqueueing, by the process's monotonic clock. */
  readonly sinceMs: number;
  readonly resolve: (admitted: Admitted) => void;
  readonly reject: (error: unknown) => void;
}

/** Maximum holders of a batch, and requests per holder, so that one with thousands can't delay the others. */
const MAX_HOLDERS = 128;
const MAX_OF_ONE = 250;
/** Maximum wait of a request in the queue. */
const MAX_WAIT_MS = 5_000;
/** A batch that takes longer stops blocking the next ones: its connection may hang. */
const LATE_MS = 1_000;
/** Maximum number of late batches. Each has a connection. */
const MAX_LATE = 2;
/** Pause before entitlements are read again after they turned out to be stale. */
const STALE_MS = 20;

/** A holder's requests in one batch. */
export interface HolderRequests {
  readonly holder: string;
  readonly waiting: readonly PendingRequest[];
}

/** What a batch left undecided. */
type LeftOver = readonly { readonly asked: HolderRequests; readonly stale: boolean }[];

export interface AdmissionQueue {
  /** Whether requests of a holder are queued or being decided here. */
  has(holder: string): boolean;
  put(holder: string, waiting: readonly PendingRequest[]): void;
}

/**
 * Batches requests, one batch at a time. Requests that arrive meanwhile form the next batch, so that batches grow with the load. A
 * late batch blocks only its own requests: the next batch takes another connection.
 * @param next the queue for holders that a batch left undecided. The last queue retries them itself.
 */
export const openAdmissionQueue = (
  decide: (asked: readonly HolderRequests[]) => Promise<LeftOver>,
  next: AdmissionQueue | null,
): AdmissionQueue => {
  const pending = new Map<string, PendingRequest[]>();
  /** Batches being decided, with their holders. */
  const deciding = new Set<ReadonlySet<string>>();
  let running = false;

  /** The next batch, ordered by holder; the longest-waiting holders first, up to the maximum. */
  const take = (): HolderRequests[] => {
    const taken: HolderRequests[] = [];
    // A copy: holders that are requeued must not be visited again.
    for (const [holder, waiting] of [...pending]) {
      if (taken.length === MAX_HOLDERS) break;
      pending.delete(holder);
      taken.push({ holder, waiting: waiting.splice(0, MAX_OF_ONE) });
      // Requeue last, for fairness between holders.
      if (waiting.length > 0) pending.set(holder, waiting);
    }
    return taken.sort((a, b) => (a.holder < b.holder ? -1 : 1));
  };

  /**
   * Rejects requests that waited too long: the caller has given up. They were never sent to the database, so no charge is in doubt.
   */
  const refuseOverdue = (): void => {
    const since = performance.now() - MAX_WAIT_MS;
    for (const [holder, waiting] of pending) {
      if ((waiting[0]?.sinceMs ?? since) >= since) continue;
      const inTime = waiting.filter((each) => each.sinceMs >= since);
      for (const each of waiting) {
        if (each.sinceMs < since) each.reject(new AdmissionTimeoutError(`${holder} was not decided in time`));
      }
      if (inTime.length === 0) pending.delete(holder);
      else pending.set(holder, inTime);
    }
  };

  const decideBatch = async (): Promise<void> => {
    refuseOverdue();
    const asked = take();
    if (asked.length === 0) return;
    const holders = new Set(asked.map(({ holder }) => holder));
    deciding.add(holders);
    try {
      const open = await decide(asked);
      for (const { asked: left } of open) {
        // Requests that arrived meanwhile come after those that waited.
        const later = pending.get(left.holder) ?? [];
        pending.delete(left.holder);
        (next ?? queue).put(left.holder, [...left.waiting, ...later]);
      }
      // The next queue waits for them.
      if (next === null && open.some(({ stale }) => stale)) await sleep(STALE_MS);
    } catch (error) {
      for (const { waiting } of asked) for (const each of waiting) each.reject(error);
    } finally {
      deciding.delete(holders);
    }
  };

  const late = new Set<Promise<void>>();

  /**
   * Decides the next batch.
   * @returns once the batch is decided or late, and few enough batches are late.
   */
  const decideNext = async (): Promise<void> => {
    const batch = decideBatch();
    let timer: NodeJS.Timeout | undefined;
    const isLate = await Promise.race([
      batch.then(() => false),
      new Promise<boolean>((resolve) => {
        timer = setTimeout(resolve, LATE_MS, true);
      }),
    ]);
    clearTimeout(timer);
    if (!isLate) return;
    const ended = batch.finally(() => late.delete(ended));
    late.add(ended);
    if (late.size > MAX_LATE) await Promise.race(late);
  };

  const run = async (): Promise<void> => {
    running = true;
    // Collects all requests of this event-loop tick.
    await null;
    while (pending.size > 0) await decideNext();
    running = false;
  };

  const queue: AdmissionQueue = {
    has: (holder) => pending.has(holder) || deciding.values().some((holders) => holders.has(holder)),
    put: (holder, waiting) => {
      const before = pending.get(holder);
      if (before === undefined) pending.set(holder, [...waiting]);
      else before.push(...waiting);
      if (!running) void run();
    },
  };
  return queue;
};
