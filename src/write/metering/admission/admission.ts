import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../../kernel/postgres/pool.ts';
import type { Plans } from '../../holders/plans.ts';
import type { AdmissionRequest } from '../entitlements.ts';
import { type Admitted, outcomesByRequest } from '../quota-state.ts';
import {
  type AdmissionQueue,
  AdmissionTimeoutError,
  type HolderRequests,
  openAdmissionQueue,
  type PendingRequest,
} from './admission-queues.ts';
import { admitBatch, type RequestGroup } from './admit-batch.ts';
import { admitFastPath } from './admit-fast-path.ts';

export interface Admission {
  /**
   * Decides a request and charges it, together with all others that wait.
   * @throws {AdmissionTimeoutError} where nothing is charged, nor can be.
   * @throws whatever the database did: the charge is in doubt then and must not be asked for again.
   */
  admit(ask: AdmissionRequest): Promise<Admitted>;
}

const isSameGroup = (a: AdmissionRequest, b: AdmissionRequest): boolean =>
  a.keyId === b.keyId &&
  a.operation === b.operation &&
  a.catalog === b.catalog &&
  a.live === 0 &&
  b.live === 0;

const groupsOf = (waiting: readonly PendingRequest[]): RequestGroup[] => {
  const groups: { ask: AdmissionRequest; count: number; reservation: string | null }[] = [];
  for (const { ask } of waiting) {
    const last = groups.at(-1);
    if (last !== undefined && isSameGroup(last.ask, ask)) last.count += 1;
    else groups.push({ ask, count: 1, reservation: ask.live > 0 ? randomUUID() : null });
  }
  return groups;
};

const answer = (waiting: readonly PendingRequest[], outcomes: readonly Admitted[]): void => {
  for (const [i, { resolve }] of waiting.entries()) resolve(outcomes[i] as Admitted);
};

/**
 * Decides requests in batches, in three queues. The first takes reads that their holder can plainly pay for; whom it
 * leaves undecided (a limit is near, a period begins, another process has the holder in hand) goes to the second,
 * which decides everything; and whom another process has in hand even then, to the third, which waits for it. So
 * nobody waits for another one's holder but those who are waited for themselves.
 * @param schema names the active build of the holders' read model.
 * @param at the time, for tests; the database's own where it gives null.
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
        for (const each of waiting) each.reject(new AdmissionTimeoutError(`nothing is known of ${holder}`));
      } else if (decision === 'busy' || decision === 'stale') {
        return [{ asked: { holder, waiting }, stale: decision === 'stale' }];
      } else answer(waiting, outcomesByRequest(decision.outcome, groups[i] ?? [], decision.groups));
      return [];
    });
  };
  const decideFastPath = async (asked: readonly HolderRequests[]) => {
    const isPlain = ({ waiting }: HolderRequests) => waiting.every(({ ask }) => ask.live === 0);
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
  const blocking = openAdmissionQueue(decideBatch(true), null);
  const full = openAdmissionQueue(decideBatch(false), blocking);
  const fast = openAdmissionQueue(decideFastPath, full);

  /** Requests of a holder keep their order: while some wait in a later queue, the others follow there. */
  const queueOf = ({ holder, live }: AdmissionRequest): AdmissionQueue => {
    if (blocking.holds(holder)) return blocking;
    if (full.holds(holder)) return full;
    return live > 0 && !fast.holds(holder) ? full : fast;
  };
  return {
    admit: (ask) =>
      new Promise((resolve, reject) => {
        queueOf(ask).put(ask.holder, [{ ask, sinceMs: performance.now(), resolve, reject }]);
      }),
  };
};
