import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { admitLines, type Line, type LineOutcomes, REASONS, type Reason } from './admit-lines.ts';
import { admitPlain } from './admit-plain.ts';
import type { Plan, Plans } from './plans.ts';
import type { Ask, HolderOutcome } from './terms.ts';

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

/** Most holders of a turn, and most requests of one: who has thousands waiting must not keep the others. */
const MOST_HOLDERS = 128;
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
const tell = (
  outcome: HolderOutcome,
  lines: readonly Line[],
  outcomes: LineOutcomes | null,
  waiting: readonly Waiting[],
): void => {
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
    const granted = outcomes?.granted[i] ?? count;
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
    const over = outcomes?.over[i] ?? 0;
    const reason = REASONS[outcomes?.reason[i] ?? 0] as Reason;
    for (let left = count - granted; left > 0; left--) {
      const refused = left > over ? reason : 'burst';
      if (refused !== 'burst') burstLeft -= 1;
      waiting[at++]?.resolve({ refused, charge: null, standing: standing() });
    }
  }
};

const isOld = (waiting: readonly Waiting[]): boolean =>
  performance.now() - (waiting[0]?.sinceMs ?? 0) > MOST_STALE_MS;

/** A holder's requests of one turn. */
interface Asked {
  readonly holder: string;
  readonly waiting: readonly Waiting[];
}

/** What a turn left undecided, to be asked again. */
type Undecided = readonly { readonly asked: Asked; readonly stale: boolean }[];

interface Lane {
  /** Whether requests of a holder wait here, or are with the database. */
  holds(holder: string): boolean;
  put(holder: string, waiting: readonly Waiting[]): void;
}

/**
 * Gathers requests and has them decided, one turn at a time: what arrives while a turn is under way forms the next,
 * so that batches grow with the load.
 * @param next takes the holders that a turn left undecided; the last lane keeps them itself.
 */
const openLane = (decide: (asked: readonly Asked[]) => Promise<Undecided>, next: Lane | null): Lane => {
  const queue = new Map<string, Waiting[]>();
  let inHand: ReadonlySet<string> = new Set();
  let running = false;

  /** A turn's requests, in the order of the holders; who has waited longest goes first, and what has no room stays. */
  const take = (): Asked[] => {
    const taken: Asked[] = [];
    for (const [holder, waiting] of queue) {
      if (taken.length === MOST_HOLDERS) break;
      queue.delete(holder);
      taken.push({ holder, waiting: waiting.splice(0, MOST_OF_ONE) });
      // To the end of the queue: the others' turn comes first.
      if (waiting.length > 0) queue.set(holder, waiting);
    }
    return taken.sort((a, b) => (a.holder < b.holder ? -1 : 1));
  };

  const turn = async (): Promise<void> => {
    const asked = take();
    inHand = new Set(asked.map(({ holder }) => holder));
    try {
      const undecided = await decide(asked);
      for (const { asked: left } of undecided) {
        // What came meanwhile follows what came before.
        const later = queue.get(left.holder) ?? [];
        queue.delete(left.holder);
        (next ?? lane).put(left.holder, [...left.waiting, ...later]);
      }
      if (undecided.some(({ stale }) => stale)) await sleep(STALE_MS);
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
      await turn();
    }
    running = false;
  };

  const lane: Lane = {
    holds: (holder) => queue.has(holder) || inHand.has(holder),
    put: (holder, waiting) => {
      const before = queue.get(holder);
      if (before === undefined) queue.set(holder, [...waiting]);
      else before.push(...waiting);
      if (!running) void run();
    },
  };
  return lane;
};

/**
 * Decides requests in batches, in three lanes. The first takes reads that their holder can plainly pay for; whom it
 * leaves undecided (a limit is near, a period begins, another process has the holder in hand) goes to the second,
 * which decides everything; and whom another process has in hand even then, to the third, which waits for it. So no
 * holder ever waits for another one's.
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
      const stale = decision === 'stale';
      if (decision === 'unknown' || (stale && isOld(waiting))) {
        const why = stale ? `the terms of ${holder} stay behind` : `nothing is known of ${holder}`;
        for (const each of waiting) each.reject(new UnknownHolder(why));
      } else if (decision === 'busy' || decision === 'stale') {
        return [{ asked: { holder, waiting }, stale }];
      } else tell(decision.outcome, lines[i] ?? [], decision.lines, waiting);
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
      else tell(outcome, linesOf(waiting), null, waiting);
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
