import { randomUUID } from 'node:crypto';
import { numberArray, textArray } from '../../../kernel/postgres/array-literals.ts';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import { RAW_TYPES } from '../../../kernel/postgres/raw-types.ts';
import { numbered } from '../../../kernel/postgres/statement.ts';
import type { Plans } from '../../holders/plans.ts';
import {
  type AdmissionRequest,
  type HolderOutcome,
  isSingle,
  isSpecial,
  outcomeOf,
} from '../entitlements.ts';
import { type Admitted, outcomesByRequest } from '../quota-state.ts';
import {
  type AdmissionQueue,
  AdmissionTimeoutError,
  type HolderRequests,
  openAdmissionQueue,
  type PendingRequest,
} from './admission-queues.ts';
import { admitBatch, type RequestGroup } from './admit-batch.ts';
import { statementsOf } from './fast-path-statements.ts';

const AS_TEXT = { rowMode: 'array', types: RAW_TYPES } as const;

/**
 * Admits the simple case in one statement: catalog and free reads in a running period, of unlocked holders whose
 * quota and rate limit cover them all.
 * @param asked requests by holder, in the order of the holders.
 * @param at clock for tests; null uses the database's.
 * @returns each holder's state before its requests; null if undecided, and nothing changed.
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
    holders.push(asks[0]?.holder ?? '');
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
   * Decides and charges a request, batched with all that wait.
   * @throws {AdmissionTimeoutError} if nothing was charged.
   * @throws database errors: the charge is in doubt then, and the request must not be retried.
   */
  admit(ask: AdmissionRequest): Promise<Admitted>;
}

const isSameGroup = (a: AdmissionRequest, b: AdmissionRequest): boolean =>
  a.keyId === b.keyId &&
  a.operation === b.operation &&
  a.catalog === b.catalog &&
  a.live === b.live &&
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
 * Decides requests in batches, in three queues. The first admits reads within the quota. Requests that it leaves
 * undecided (a limit is near, a period begins, the holder is locked) go to the second, which decides all cases
 * without blocking. Requests of holders that are locked even then go to the third, which blocks on one lock at a time,
 * for a while. So only requests in the third queue can wait on another holder's lock.
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
  /** Decides all whose lock is free by now, then waits for one of the others, in turn. */
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
