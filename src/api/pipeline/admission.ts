import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { KnownKey } from '../../read/holders/keys.ts';
import type { Admission } from '../../write/metering/admission/admission.ts';
import type { Reason } from '../../write/metering/admission/admit-batch.ts';
import type { RejectionCache } from '../../write/metering/admission/rejection-cache.ts';
import type { Charges } from '../../write/metering/charges.ts';
import type { AdmissionRequest } from '../../write/metering/entitlements.ts';
import {
  type Admitted,
  afterRefund,
  type Charge,
  type QuotaState,
  refundedPart,
} from '../../write/metering/quota-state.ts';
import type { Answer, Endpoint } from '../contract/endpoint.ts';

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
      return new ServiceError(
        'live_rate_limited',
        live > plan.live_per_minute
          ? `The call makes ${live} live calls, and the plan ${plan.name} allows ${plan.live_per_minute} a minute: ask for fewer at once.`
          : `The plan ${plan.name} allows ${plan.live_per_minute} live calls a minute.`,
        {
          retryAfterS: quota.liveResetS,
          ...(live > plan.live_per_minute
            ? { details: [{ path: 'body', message: `at most ${plan.live_per_minute} items on this plan` }] }
            : {}),
        },
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

/**
 * An endpoint's work for a request. `admitted` resolves on admission and rejects otherwise: anything costlier than
 * a look-up waits for it.
 */
export interface Work {
  answer(admitted: Promise<unknown>): Promise<Answer<string>>;
  /** For live endpoints: a free answer of the directory, if it suffices. */
  fromCatalog(admitted: Promise<unknown>): Promise<Answer<string> | null>;
}

/**
 * Stores the response and settles its reservation, if there is one: the items that were used stay charged.
 * @returns false if the response must not be sent any more; what remains charged of a part.
 */
type Settled = (answer: Answer<string>, part: Part | null) => Promise<boolean | Charge | null>;

/** A reservation, and how many of its items have a result; null for all. */
interface Part {
  readonly reservation: string;
  readonly used: number | null;
}

/** Catalog reads that are charged before they are sent, as a chunk of a stream. */
export interface ReservedUnits {
  readonly units: number;
  /**
   * The first units were sent; the others are refunded. @returns what remains charged, in units of the quota; null if
   * the reservation had expired, and all of it was refunded.
   */
  settle(used: number): Promise<number | null>;
}

/** Admission of requests, and settlement of their charges. */
export interface Metering {
  /**
   * Runs an endpoint's work and charges for it. Look-ups in the directory run concurrently with the admission;
   * costlier work, and all work of recently rejected holders, starts after it. Failed requests are refunded, and so
   * are items without a result.
   * @param items live calls or catalog reads of the request, if it asks for items.
   * @throws {ServiceError} if the request is rejected; errors of the work, after a refund.
   */
  run(
    request: FastifyRequest,
    endpoint: Pick<Endpoint, 'operation' | 'meter'>,
    work: Work,
    settled?: Settled,
    items?: number,
  ): Promise<Answer<string>>;
  /**
   * Reserves catalog reads of a streamed response.
   * @param isFirst whether the request itself is counted with them.
   * @throws {ServiceError} if they are rejected.
   */
  reserve(
    request: FastifyRequest,
    operation: string,
    units: number,
    isFirst: boolean,
  ): Promise<ReservedUnits>;
  /** @throws {ServiceError} if the rejection is known without a query. */
  rejectKnown(request: FastifyRequest, operation?: string): void;
  /**
   * Admits a request that fails before its work, so that the error can carry the holder's quota.
   * @returns the rejection to send instead, if any.
   */
  count(request: FastifyRequest, operation?: string): Promise<ServiceError | null>;
}

const LATE = new ServiceError('service_unavailable', 'The request took too long to be charged. Try again.', {
  retryAfterS: 1,
});

const unitsOf = ({ budgetUnits, overageUnits }: Charge): number => budgetUnits + overageUnits;

const NOTHING = { budgetUnits: 0, overageUnits: 0, overageMicroUsd: 0, liveCalls: 0 };

/** Live calls read the directory by look-up only. */
const NOT_ADMITTED = Promise.reject(new Error('a live call reads no list of the catalog'));
NOT_ADMITTED.catch(() => undefined);

export const createMetering = (
  admission: Admission,
  charges: Charges,
  refusals: RejectionCache,
): Metering => {
  const admit = async (
    request: FastifyRequest,
    operation: string,
    catalog: number,
    live: number,
    reserved: Pick<AdmissionRequest, 'reserve' | 'continuation'> = {},
  ): Promise<Admitted> => {
    const { holder, keyId } = request.caller as KnownKey;
    const ask = { holder, keyId, operation, catalog, live, ...reserved };
    const admitted = refusals.find(ask) ?? (await refusals.learn(ask, admission.admit(ask)));
    request.quota = admitted.quota;
    if (admitted.charge !== null) request.cost = unitsOf(admitted.charge);
    return admitted;
  };

  const takeBack = async (request: FastifyRequest, charge: Charge): Promise<void> => {
    await charges.refund(charge);
    refusals.refunded(charge);
    request.quota = afterRefund(request.quota as QuotaState, charge);
    request.cost = 0;
  };

  /** Notes what remains of a charge. */
  const keepPart = (request: FastifyRequest, charge: Charge, kept: Charge): void => {
    const rest = refundedPart(charge, kept);
    refusals.refunded(rest);
    request.quota = afterRefund(request.quota as QuotaState, rest);
    request.cost -= unitsOf(rest);
  };

  /** Runs work that is charged as a reservation, and settles the items that have a result. */
  const reserved = async (
    request: FastifyRequest,
    operation: string,
    [catalog, live]: readonly [number, number],
    work: () => Promise<Answer<string>>,
    settled: Settled = defaultSettled,
  ): Promise<Answer<string>> => {
    const charge = chargeOf(await admit(request, operation, catalog, live, { reserve: true }), live);
    let answer: Answer<string>;
    try {
      answer = await work();
    } catch (error) {
      await takeBack(request, charge);
      throw error;
    }
    const reservation = charge.reservation as string;
    const { used = null } = answer;
    const kept = await settled(answer, { reservation, used });
    if (kept === false || kept === null) {
      // The reservation expired, or is about to, and is refunded.
      request.quota = afterRefund(request.quota as QuotaState, charge);
      request.cost = 0;
      throw LATE;
    }
    if (kept !== true) keepPart(request, charge, kept);
    return answer;
  };

  const defaultSettled: Settled = async (_, part) => {
    if (part === null) return true;
    const { reservation, used } = part;
    return used === null ? charges.settle(reservation) : charges.settlePart(reservation, used);
  };

  const chargeOf = (admitted: Admitted, live: number): Charge => {
    if (admitted.refused !== null) throw refusalOf(admitted.refused, admitted.quota, live);
    return admitted.charge;
  };

  const rejectKnown = (request: FastifyRequest, operation = NO_OPERATION): void => {
    const { holder, keyId } = request.caller as KnownKey;
    const known = refusals.find({ holder, keyId, operation, catalog: 0, live: 0 });
    if (known === null) return;
    request.quota = known.quota;
    chargeOf(known, 0);
  };

  /** Runs a look-up concurrently with its admission, and refunds the charge if it fails. */
  const beside = async (
    request: FastifyRequest,
    operation: string,
    reads: number,
    work: (admitted: Promise<unknown>) => Promise<Answer<string>>,
    settled?: Settled,
  ): Promise<Answer<string>> => {
    const isSuspect = refusals.has((request.caller as KnownKey).holder);
    const charged = admit(request, operation, reads, 0).then((admitted) => chargeOf(admitted, 0));
    if (isSuspect) await charged;
    const working = work(charged);
    // A rejection is sent at once; the result of the look-up is dropped.
    working.catch(() => undefined);
    const charge = await charged;
    try {
      const answer = await working;
      if (settled !== undefined && (await settled(answer, null)) !== true) throw LATE;
      return answer;
    } catch (error) {
      await takeBack(request, charge);
      throw error;
    }
  };

  return {
    run: async (request, { operation, meter }, work, settled, items) => {
      const answer = () => work.answer(Promise.resolve());
      if (meter === 'live') {
        const found = await work.fromCatalog(NOT_ADMITTED);
        if (found !== null) return beside(request, operation, 0, async () => found, settled);
        return reserved(request, operation, [0, items ?? 1], answer, settled);
      }
      if (items !== undefined) return reserved(request, operation, [items, 0], answer, settled);
      return beside(request, operation, meter === 'catalog' ? 1 : 0, work.answer, settled);
    },
    reserve: async (request, operation, units, isFirst) => {
      const before = request.cost;
      const admitted = await admit(request, operation, units, 0, { reserve: true, continuation: !isFirst });
      const charge = chargeOf(admitted, 0);
      request.cost = before + unitsOf(charge);
      return {
        units,
        settle: async (used) => {
          const kept = await charges.settlePart(charge.reservation as string, used);
          keepPart(request, charge, kept ?? { ...charge, ...NOTHING });
          return kept === null ? null : unitsOf(kept);
        },
      };
    },
    rejectKnown,
    count: async (request, operation = NO_OPERATION) => {
      const admitted = await admit(request, operation, 0, 0);
      return admitted.refused === null ? null : refusalOf(admitted.refused, admitted.quota, 0);
    },
  };
};
