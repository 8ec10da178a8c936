import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { admitLines, type Line } from './admit-lines.ts';
import { admitPlain } from './admit-plain.ts';
import { type Asked, type Lane, openLane, Undecided, type Waiting } from './lanes.ts';
import type { Plans } from './plans.ts';
import { type Admitted, outcomesOf } from './standing.ts';
import type { Ask } from './terms.ts';

export interface Admission {
  /**
   * Decides a request and charges it, together with all others that wait.
   * @throws {Undecided} where nothing is charged, nor can be.
   * @throws whatever the database did: the charge is in doubt then and must not be asked for again.
   */
  admit(ask: Ask): Promise<Admitted>;
}

const sameLine = (a: Ask, b: Ask): boolean =>
  a.keyId === b.keyId &&
  a.operation === b.operation &&
  a.catalog === b.catalog &&
  a.live === 0 &&
  b.live === 0;

const linesOf = (waiting: readonly Waiting[]): Line[] => {
  const lines: { ask: Ask; count: number; reservation: string | null }[] = [];
  for (const { ask } of waiting) {
    const last = lines.at(-1);
    if (last !== undefined && sameLine(last.ask, ask)) last.count += 1;
    else lines.push({ ask, count: 1, reservation: ask.live > 0 ? randomUUID() : null });
  }
  return lines;
};

const answer = (waiting: readonly Waiting[], outcomes: readonly Admitted[]): void => {
  for (const [i, { resolve }] of waiting.entries()) resolve(outcomes[i] as Admitted);
};

/**
 * Decides requests in batches, in three lanes. The first takes reads that their holder can plainly pay for; whom it
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
  const decideLines = (patient: boolean) => async (asked: readonly Asked[]) => {
    const lines = asked.map(({ waiting }) => linesOf(waiting));
    const decisions = await admitLines(db, schema(), plans, lines, patient, at());
    return asked.flatMap(({ holder, waiting }, i) => {
      const decision = decisions[i] ?? 'unknown';
      if (decision === 'unknown') {
        for (const each of waiting) each.reject(new Undecided(`nothing is known of ${holder}`));
      } else if (decision === 'busy' || decision === 'stale') {
        return [{ asked: { holder, waiting }, stale: decision === 'stale' }];
      } else answer(waiting, outcomesOf(decision.outcome, lines[i] ?? [], decision.lines));
      return [];
    });
  };
  const decidePlain = async (asked: readonly Asked[]) => {
    const isPlain = ({ waiting }: Asked) => waiting.every(({ ask }) => ask.live === 0);
    const reads = asked.filter(isPlain);
    const asks = reads.map(({ waiting }) => waiting.map(({ ask }) => ask));
    const outcomes = reads.length === 0 ? [] : await admitPlain(db, schema(), plans, asks, at());
    const undecided = asked.filter((each) => !isPlain(each));
    for (const [i, { holder, waiting }] of reads.entries()) {
      const outcome = outcomes[i] ?? null;
      if (outcome === null) undecided.push({ holder, waiting });
      else answer(waiting, outcomesOf(outcome, linesOf(waiting), null));
    }
    return undecided.map((each) => ({ asked: each, stale: false }));
  };
  const patient = openLane(decideLines(true), null);
  const careful = openLane(decideLines(false), patient);
  const plain = openLane(decidePlain, careful);

  /** Requests of a holder keep their order: while some wait in a later lane, the others follow there. */
  const laneOf = ({ holder, live }: Ask): Lane => {
    if (patient.holds(holder)) return patient;
    if (careful.holds(holder)) return careful;
    return live > 0 && !plain.holds(holder) ? careful : plain;
  };
  return {
    admit: (ask) =>
      new Promise((resolve, reject) => {
        laneOf(ask).put(ask.holder, [{ ask, sinceMs: performance.now(), resolve, reject }]);
      }),
  };
};
