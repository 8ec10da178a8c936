import { randomUUID } from 'node:crypto';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import {
  type Ask,
  admitMany,
  type HolderOutcome,
  type Line,
  REASONS,
  type Reason,
} from './admit-statement.ts';
import type { Plan, Plans } from './plans.ts';

export type { Ask, Reason } from './admit-statement.ts';

/** What a request was charged, and where that stands in the record: what it takes to give it back. */
export interface Charge {
  readonly holder: string;
  readonly period: number;
  readonly day: string;
  readonly keyId: string;
  readonly operation: string;
  readonly budgetUnits: number;
  readonly overageUnits: number;
  readonly overageMicroUsd: number;
  readonly liveCalls: number;
  /** Of a live call: to be settled or released; null where the charge is final. */
  readonly reservation: string | null;
}

/** How a holder stands right after one of its requests was decided. */
export interface Standing {
  readonly plan: Plan;
  /** Units of the budget that are used. */
  readonly budgetUnits: number;
  readonly overageUnits: number;
  readonly liveCalls: number;
  readonly overage: 'off' | 'on' | 'capped';
  /** Micro-dollars. */
  readonly balanceMicroUsd: number;
  /** When the period ends, ISO 8601 UTC. */
  readonly endsAt: string;
  /** Requests that the running minute leaves, and seconds until the next. */
  readonly burstLeft: number;
  readonly burstResetS: number;
  readonly liveLeft: number;
  readonly liveResetS: number;
}

export type Admitted =
  | { readonly charge: Charge; readonly refused: null; readonly standing: Standing }
  | { readonly charge: null; readonly refused: Reason; readonly standing: Standing };

/** The holder's terms can't be had: it is not in the read model, or on a plan that is not in force. */
export class UnknownHolder extends Error {
  override readonly name = 'UnknownHolder';
}

export interface Admission {
  /**
   * Decides a request and charges it, together with all others that wait.
   * @throws {UnknownHolder}
   * @throws whatever the database did: the charge is in doubt then and must not be asked for again.
   */
  admit(ask: Ask): Promise<Admitted>;
}

interface Waiting {
  readonly ask: Ask;
  /** By the process's steady clock. */
  readonly sinceMs: number;
  readonly resolve: (admitted: Admitted) => void;
  readonly reject: (error: unknown) => void;
}

type Queue = Map<string, Waiting[]>;

/** Most requests of a turn, in all and of one holder: a holder with thousands waiting must not keep the others. */
const MOST = 2_000;
const MOST_OF_ONE = 250;
/** How long terms that others have outrun are left alone before they are read again, and when that is given up. */
const STALE_MS = 20;
const MOST_STALE_MS = 5_000;

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

/** Tells each request of a holder what it came to, in their order, with the standing that each left behind. */
const settle = (outcome: HolderOutcome, lines: readonly Line[], waiting: readonly Waiting[]): void => {
  const { plan } = outcome;
  const rate = plan.overage_micro_usd ?? 0;
  let { budgetUnits, overageUnits, liveCalls, balanceMicroUsd, capLeftMicroUsd } = outcome;
  let burstLeft = plan.burst_per_minute - outcome.windowRequests;
  let liveLeft = plan.live_per_minute - outcome.liveRequests;
  const standing = (): Standing => ({
    plan,
    budgetUnits,
    overageUnits,
    liveCalls,
    overage: !outcome.overageOn
      ? 'off'
      : capLeftMicroUsd !== null && capLeftMicroUsd < rate
        ? 'capped'
        : 'on',
    balanceMicroUsd,
    endsAt: outcome.endsAt,
    burstLeft: Math.max(0, burstLeft),
    burstResetS: outcome.windowLeftS,
    liveLeft: Math.max(0, liveLeft),
    liveResetS: outcome.liveLeftS,
  });
  let at = 0;
  for (const [i, { ask, count, reservation }] of lines.entries()) {
    const granted = outcome.lines?.granted[i] ?? count;
    const cost = ask.catalog * plan.weights.catalog + ask.live * plan.weights.live;
    for (let k = 0; k < granted; k++) {
      const fromBudget = Math.min(cost, Math.max(0, plan.units - budgetUnits));
      const past = cost - fromBudget;
      budgetUnits += fromBudget;
      overageUnits += past;
      balanceMicroUsd -= past * rate;
      if (capLeftMicroUsd !== null) capLeftMicroUsd -= past * rate;
      liveCalls += ask.live;
      burstLeft -= 1;
      liveLeft -= ask.live;
      waiting[at++]?.resolve({
        refused: null,
        standing: standing(),
        charge: {
          holder: ask.holder,
          period: outcome.period,
          day: outcome.day,
          keyId: ask.keyId,
          operation: ask.operation,
          budgetUnits: fromBudget,
          overageUnits: past,
          overageMicroUsd: past * rate,
          liveCalls: ask.live,
          reservation,
        },
      });
    }
    const over = outcome.lines?.over[i] ?? 0;
    const reason = REASONS[outcome.lines?.reason[i] ?? 0] as Reason;
    for (let left = count - granted; left > 0; left--) {
      const refused = left > over ? reason : 'burst';
      if (refused !== 'burst') burstLeft -= 1;
      waiting[at++]?.resolve({ refused, charge: null, standing: standing() });
    }
  }
};

const isOld = (waiting: readonly Waiting[]): boolean =>
  performance.now() - (waiting[0]?.sinceMs ?? 0) > MOST_STALE_MS;

/**
 * Gathers the requests that wait and decides them in one statement, one at a time: what arrives while it is under way
 * forms the next, so that batches grow with the load. A holder that another process has in hand goes to a second lane,
 * which waits for it; the first never does.
 * @param schema names the active build of the holders' read model.
 * @param at the time, for tests; the database's own where it gives null.
 */
export const createAdmission = (
  db: Queryable,
  schema: () => string,
  plans: Plans,
  at: () => string | null = () => null,
): Admission => {
  const openLane = (patient: boolean) => {
    const queue: Queue = new Map();
    /** Holders whose requests are with the database just now. */
    let inHand: ReadonlySet<string> = new Set();
    let running = false;
    let pause: Promise<void> | null = null;

    /** A turn's requests, the longest waiting holders first; what does not fit stays. */
    const take = (): Map<string, Waiting[]> => {
      const taken: Queue = new Map();
      let room = MOST;
      for (const [holder, waiting] of queue) {
        if (room === 0) break;
        const fits = Math.min(waiting.length, MOST_OF_ONE, room);
        room -= fits;
        queue.delete(holder);
        if (fits === waiting.length) taken.set(holder, waiting);
        else {
          taken.set(holder, waiting.slice(0, fits));
          // To the end of the queue: the others' turn comes first.
          queue.set(holder, waiting.slice(fits));
        }
      }
      return taken;
    };

    const turn = async (): Promise<void> => {
      const taken = take();
      inHand = new Set(taken.keys());
      const asked = [...taken].map(([holder, waiting]) => ({ holder, waiting, lines: linesOf(waiting) }));
      try {
        const answers = await admitMany(db, schema(), plans, asked, patient, at());
        for (const [i, { holder, waiting, lines }] of asked.entries()) {
          const answer = answers[i] ?? 'unknown';
          if (answer === 'unknown') {
            for (const each of waiting) each.reject(new UnknownHolder(`nothing is known of ${holder}`));
          } else if (answer === 'stale' && isOld(waiting)) {
            for (const each of waiting) each.reject(new UnknownHolder(`the terms of ${holder} stay behind`));
          } else if (answer === 'busy' || answer === 'stale') {
            // What came meanwhile follows what came before.
            const later = queue.get(holder) ?? [];
            queue.delete(holder);
            patientLane.put(holder, [...waiting, ...later]);
            if (answer === 'stale') patientLane.rest();
          } else settle(answer, lines, waiting);
        }
      } catch (error) {
        for (const { waiting } of asked) for (const each of waiting) each.reject(error);
      }
      inHand = new Set();
    };

    const run = async (): Promise<void> => {
      running = true;
      // All that the present turn of the event loop brings goes together.
      await null;
      while (queue.size > 0) {
        if (pause !== null) await pause;
        pause = null;
        await turn();
      }
      running = false;
    };

    return {
      holds: (holder: string): boolean => queue.has(holder) || inHand.has(holder),
      put: (holder: string, waiting: Waiting[]): void => {
        const before = queue.get(holder);
        if (before === undefined) queue.set(holder, waiting);
        else before.push(...waiting);
        if (!running) void run();
      },
      rest: (): void => {
        pause = new Promise((resolve) => {
          setTimeout(resolve, STALE_MS);
        });
      },
    };
  };

  const patientLane = openLane(true);
  const lane = openLane(false);
  return {
    admit: (ask) =>
      new Promise((resolve, reject) => {
        // Requests of a holder keep their order: while some wait in the second lane, the others follow there.
        const to = patientLane.holds(ask.holder) ? patientLane : lane;
        to.put(ask.holder, [{ ask, sinceMs: performance.now(), resolve, reject }]);
      }),
  };
};
