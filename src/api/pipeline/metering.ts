import type { FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import { elapsedMs, systemClock } from '../../kernel/clock.ts';
import { ServiceError } from '../../kernel/errors.ts';
import type { Logger } from '../../kernel/logger.ts';
import { byDeadline, steadyMs } from '../../kernel/retry.ts';
import type { KnownKey } from '../../read/holders.ts';
import { type Admission, AdmissionTimeoutError } from '../../write/metering/admission.ts';
import type { Reason } from '../../write/metering/admit-batch.ts';
import { type Charges, type Settlement, WHOLE } from '../../write/metering/charges.ts';
import type { AdmissionRequest } from '../../write/metering/entitlements.ts';
import type { ReservedPart } from '../../write/metering/idempotency.ts';
import {
  type Admitted,
  afterRefund,
  type Charge,
  type QuotaState,
  quotaLater,
  type ReadQuota,
  refundedPart,
} from '../../write/metering/quota.ts';
import type { RejectionCache } from '../../write/metering/rejections.ts';
import type { Answer, Endpoint } from '../contract/endpoint.ts';
import { createLiveTurns, type LiveLane } from './live-turns.ts';

/** How an endpoint is metered. */
export interface Metered extends Pick<Endpoint, 'operation' | 'meter'> {
  /** Whether its work waits for the admission; a look-up runs beside it. */
  readonly waits: boolean;
  /** The turns that its live calls take, which are reserved until their result is known; null if none reads a platform. */
  readonly lane: LiveLane | null;
  /** Requests to platforms that each of its live calls may send. */
  readonly upstream: number;
}

/** An endpoint's work for a request. */
export interface Work {
  answer(): Promise<Answer<string>>;
  /** For live endpoints: a free answer from the catalog; null if a live read is needed. */
  fromCatalog(): Promise<Answer<string> | null>;
}

/** Stores a response and settles its reservation, if there is one. */
type Settle = (answer: Answer<string>, part: ReservedPart | null) => Promise<Settlement>;

/** Calls of one holder at once that a burst must not multiply; look-ups share their queries instead. */
const CALLS_AT_ONCE = 4;
const PATIENCE_MS = 10_000;
const MAX_WAITING = 1_000;

const crowded = (): ServiceError =>
  new ServiceError(
    'service_unavailable',
    'Your other calls take too long: send fewer at once, and large pages one by one.',
    { retryAfterS: 1 },
  );

/** Admission of requests, and settlement of their charges. */
export class Metering {
  readonly #decide: (ask: AdmissionRequest) => Promise<Admitted>;
  readonly #charges: Charges;
  readonly #refusals: RejectionCache;
  readonly #readQuota: ReadQuota;
  readonly #known = new KnownQuotas();
  readonly #turns = createLiveTurns();
  /** Calls of holders that are answered from the catalog. */
  readonly #calls = new Map<string, PQueue>();

  constructor(parts: MeteringParts) {
    const { charges, refusals, readQuota } = parts;
    this.#decide = createTimelyAdmission(parts);
    this.#charges = charges;
    this.#refusals = refusals;
    this.#readQuota = readQuota;
  }

  /**
   * Does the work of a request and charges for it. A look-up runs concurrently with its admission, unless the holder was
   * rejected recently. Lists and live reads wait for their admission. Failed requests and items without a result are
   * refunded.
   * @param settle stores the response and settles its reservation, or returns that the response is free.
   * @param items number of live calls or catalog reads, for endpoints with items.
   * @throws {ServiceError} if the request is rejected; errors of the work, after a refund.
   */
  async run(
    request: FastifyRequest,
    { operation, meter, waits, lane, upstream }: Metered,
    work: Work,
    settle: Settle,
    items?: number,
  ): Promise<Answer<string>> {
    if (lane !== null) {
      const found = await work.fromCatalog();
      const free = { operation, catalog: 0, live: 0 };
      if (found !== null) return this.#concurrently(request, free, async () => found, settle);
      const cost = { operation, catalog: 0, live: items ?? 1, upstream };
      const { holder } = request.caller as KnownKey;
      // In turn before it is charged: a call that is refused for the others has cost nothing, and no reservation waits.
      return this.#turns.run(holder, lane, () => this.#reserved(request, cost, work.answer, settle));
    }
    if (items !== undefined) {
      return this.#reserved(request, { operation, catalog: items, live: 0 }, work.answer, settle);
    }
    const cost = { operation, catalog: meter === 'catalog' ? 1 : 0, live: meter === 'live' ? 1 : 0 };
    return waits
      ? this.#admitted(request, cost, work.answer, settle)
      : this.#concurrently(request, cost, work.answer, settle);
  }

  /**
   * Does what answers a request, a few at once for each holder: a burst of one is no burst for the others.
   * @param isLarge whether it is a page that costs more than one unit: those come one by one.
   * @throws {ServiceError} `service_unavailable` if too many wait, or its turn comes after ten seconds.
   */
  async inTurn<T>(request: FastifyRequest, isLarge: boolean, work: () => Promise<T>): Promise<T> {
    const { holder } = request.caller as KnownKey;
    const name = `${isLarge ? 'pages' : 'calls'} ${holder}`;
    const calls = this.#calls.get(name) ?? new PQueue({ concurrency: isLarge ? 1 : CALLS_AT_ONCE });
    this.#calls.set(name, calls);
    if (calls.size >= MAX_WAITING) throw crowded();
    const arrivedMs = steadyMs();
    try {
      return await calls.add(() => {
        if (steadyMs() - arrivedMs < PATIENCE_MS) return work();
        throw crowded();
      });
    } finally {
      if (calls.size + calls.pending === 0) this.#calls.delete(name);
    }
  }

  /** Refuses a request whose rejection is known without a query. @throws {ServiceError} */
  rejectKnown(request: FastifyRequest, operation = NO_OPERATION): void {
    const { holder, keyId } = request.caller as KnownKey;
    const known = this.#refusals.find({ holder, keyId, operation, catalog: 0, live: 0 });
    if (known === null) return;
    request.quota = known.quota;
    if (known.refused !== null) throw refusalOf(known.refused, known.quota, 0);
  }

  /**
   * Admits a request without charging it: one that failed before its work, or is answered with a stored response. The
   * request counts for the rate limit, and its answer carries the holder's quota.
   * @returns the rejection to send instead; null if the request is admitted.
   */
  async admitUncharged(request: FastifyRequest, operation = NO_OPERATION): Promise<ServiceError | null> {
    const { refused, quota } = await this.#admit(request, { operation, catalog: 0, live: 0 });
    return refused === null ? null : refusalOf(refused, quota, 0);
  }

  /** The quota that this process last saw of a holder; null if it saw none of this plan and period. */
  lastQuota({ holder }: KnownKey, plan: string): QuotaState | null {
    return this.#known.of(holder, plan);
  }

  /** Reads the quota of a holder whose request is not counted. */
  readQuota({ holder }: KnownKey): Promise<QuotaState | null> {
    return this.#readQuota(holder);
  }

  /** Settles the charge of a response by the items that have a result. */
  async settle(part: ReservedPart | null): Promise<Settlement> {
    return part === null ? WHOLE : this.#charges.settle(part.reservation, part.used);
  }

  async #admit(request: FastifyRequest, cost: Cost): Promise<Admitted> {
    const { holder, keyId } = request.caller as KnownKey;
    const ask = { holder, keyId, ...cost };
    const admitted = this.#refusals.find(ask) ?? (await this.#decide(ask));
    request.quota = admitted.quota;
    this.#known.remember(holder, admitted.quota);
    if (admitted.charge !== null) request.cost = unitsOf(admitted.charge);
    return admitted;
  }

  /** @throws {ServiceError} if the request is rejected. */
  async #charge(request: FastifyRequest, cost: Cost): Promise<Charge> {
    const admitted = await this.#admit(request, cost);
    if (admitted.refused !== null) throw refusalOf(admitted.refused, admitted.quota, cost.live);
    return admitted.charge;
  }

  async #refund(request: FastifyRequest, charge: Charge): Promise<void> {
    await this.#charges.refund(charge);
    this.#refusals.refunded(charge);
    this.#forget(request, charge);
  }

  /** Notes that a charge was refunded, here or by the expiry of its reservation. */
  #forget(request: FastifyRequest, charge: Charge): void {
    request.quota = afterRefund(request.quota as QuotaState, charge);
    request.cost = 0;
  }

  /** Notes that a part of a charge remains. */
  #keep(request: FastifyRequest, charge: Charge, kept: Charge): void {
    const rest = refundedPart(charge, kept);
    this.#refusals.refunded(rest);
    request.quota = afterRefund(request.quota as QuotaState, rest);
    request.cost -= unitsOf(rest);
  }

  /** Does work that is charged as a reservation, and settles the items that have a result. */
  async #reserved(
    request: FastifyRequest,
    cost: Cost,
    work: Work['answer'],
    settle: Settle,
  ): Promise<Answer<string>> {
    const charge = await this.#charge(request, { ...cost, reserve: true });
    let answer: Answer<string>;
    try {
      answer = await work();
    } catch (error) {
      await this.#refund(request, charge);
      throw error;
    }
    const reservation = charge.reservation as string;
    const settled = await settle(answer, { reservation, used: answer.used ?? null });
    if (settled.is === 'expired') {
      this.#forget(request, charge);
      throw LATE;
    }
    if (settled.is === 'part') this.#keep(request, charge, settled.charge);
    if (settled.is === 'free') await this.#refund(request, charge);
    return answer;
  }

  /** Does work that is charged already, and refunds the charge if it fails. */
  async #charged(
    request: FastifyRequest,
    charge: Charge,
    work: () => Promise<Answer<string>>,
    settle: Settle,
  ): Promise<Answer<string>> {
    let answer: Answer<string>;
    let settled: Settlement;
    try {
      answer = await work();
      settled = await settle(answer, null);
      if (settled.is === 'expired') throw LATE;
    } catch (error) {
      await this.#refund(request, charge);
      throw error;
    }
    if (settled.is === 'free') await this.#refund(request, charge);
    return answer;
  }

  /** Does work after its admission. */
  async #admitted(
    request: FastifyRequest,
    cost: Cost,
    work: Work['answer'],
    settle: Settle,
  ): Promise<Answer<string>> {
    return this.#charged(request, await this.#charge(request, cost), work, settle);
  }

  /** Does a look-up concurrently with its admission. */
  async #concurrently(
    request: FastifyRequest,
    cost: Cost,
    work: Work['answer'],
    settle: Settle,
  ): Promise<Answer<string>> {
    if (this.#refusals.has((request.caller as KnownKey).holder)) {
      return this.#admitted(request, cost, work, settle);
    }
    const charging = this.#charge(request, cost);
    const working = work();
    // A rejection is sent at once; the result of the look-up is dropped.
    working.catch(() => undefined);
    return this.#charged(request, await charging, () => working, settle);
  }
}

/** Maximum wait for the admission of a request, since the database may hang. */
const DECIDE_MS = 5_000;

interface TimelyAdmissionParts {
  readonly admission: Admission;
  readonly charges: Charges;
  readonly refusals: RejectionCache;
  readonly logger: Logger;
}

/**
 * Bounds how long a request waits for its admission.
 * @returns a function that throws AdmissionTimeoutError after 5 s. A later charge is refunded.
 */
const createTimelyAdmission = ({ admission, charges, refusals, logger }: TimelyAdmissionParts) => {
  const refundLate = (charge: Charge): void => {
    charges.refund(charge).then(
      () => refusals.refunded(charge),
      (error: unknown) =>
        logger.error(
          { holder: charge.holder, err: error },
          'a charge was not refunded: the refund came too late',
        ),
    );
  };
  return (ask: AdmissionRequest): Promise<Admitted> => {
    let isLate = false;
    const deciding = refusals.learn(ask, admission.admit(ask));
    deciding.then(
      ({ charge }) => {
        if (isLate && charge !== null) refundLate(charge);
      },
      // The caller's, unless it has gone.
      () => undefined,
    );
    return byDeadline(deciding, DECIDE_MS, () => {
      isLate = true;
      return new AdmissionTimeoutError(`${ask.holder} was not decided in time`);
    });
  };
};

/** The error of a request that was not admitted. @param live live calls that it makes. */
const refusalOf = (reason: Reason, quota: QuotaState, live: number): ServiceError => {
  const { plan } = quota;
  switch (reason) {
    case 'burst':
      return new ServiceError(
        'rate_limited',
        `The plan ${plan.name} allows ${plan.requests_per_minute} requests a minute.`,
        { retryAfterS: quota.burstResetS },
      );
    case 'live_burst':
      // Waiting helps only a request that fits into a minute.
      if (live > plan.live_per_minute) {
        return new ServiceError(
          'live_rate_limited',
          `The call makes ${live} live calls, and the plan ${plan.name} allows ${plan.live_per_minute} a minute: ask for fewer at once.`,
          { details: [{ path: 'body', message: `at most ${plan.live_per_minute} items on this plan` }] },
        );
      }
      return new ServiceError(
        'live_rate_limited',
        `The plan ${plan.name} allows ${plan.live_per_minute} live calls a minute.`,
        { retryAfterS: quota.liveResetS },
      );
    case 'budget':
      return new ServiceError(
        'budget_exhausted',
        `Of ${plan.units} units of the plan ${plan.name}, ${quota.budgetUnits} are used, and overage is ${plan.overage_micro_usd === null ? 'not on the plan' : 'off'}.`,
      );
    case 'cap':
      return new ServiceError(
        'overage_cap_reached',
        'The quota is exhausted, and the overage cap is reached.',
      );
    case 'wallet':
      return new ServiceError(
        'wallet_empty',
        'The quota is exhausted, and the wallet balance does not cover the call.',
      );
  }
};

const MAX_HOLDERS = 10_000;

interface Known {
  readonly quota: QuotaState;
  readonly atMs: number;
}

/** The last quota of each holder that this process has seen, for answers when the metering is unavailable. */
class KnownQuotas {
  readonly #known = new Map<string, Known>();

  remember(holder: string, quota: QuotaState): void {
    if (this.#known.size >= MAX_HOLDERS && !this.#known.has(holder)) {
      this.#known.delete(this.#known.keys().next().value as string);
    }
    this.#known.set(holder, { quota, atMs: elapsedMs() });
  }

  /** @returns null if none is known, or it is of another plan or a past period. */
  of(holder: string, plan: string): QuotaState | null {
    const known = this.#known.get(holder);
    if (known === undefined || known.quota.plan.name !== plan) return null;
    if (Date.parse(known.quota.endsAt) <= systemClock.now()) return null;
    return quotaLater(known.quota, (elapsedMs() - known.atMs) / 1_000);
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The holder's quota; null until the request was decided. */
    quota: QuotaState | null;
    /** Units charged so far. */
    cost: number;
  }
}

/** Operation name in usage records for requests without an endpoint. */
const NO_OPERATION = 'none';

const LATE = new ServiceError('service_unavailable', 'The request took too long to be charged. Try again.', {
  retryAfterS: 1,
});

const unitsOf = ({ budgetUnits, overageUnits }: Charge): number => budgetUnits + overageUnits;

/** The calls that a request is charged for. */
type Cost = Omit<AdmissionRequest, 'holder' | 'keyId'>;

interface MeteringParts extends TimelyAdmissionParts {
  readonly readQuota: ReadQuota;
}
