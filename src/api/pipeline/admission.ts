import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { KnownKey } from '../../read/holders/keys.ts';
import type { Admission } from '../../write/metering/admission/admission.ts';
import type { Reason } from '../../write/metering/admission/admit-batch.ts';
import type { RejectionCache } from '../../write/metering/admission/rejection-cache.ts';
import type { Charges } from '../../write/metering/charges.ts';
import {
  type Admitted,
  afterRefund,
  type Charge,
  type QuotaState,
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

/**
 * An endpoint's work for a request. `admitted` resolves on admission and rejects otherwise: anything costlier than
 * a look-up waits for it.
 */
export interface Work {
  answer(admitted: Promise<unknown>): Promise<Answer<string>>;
  /** For live endpoints: a free answer of the directory, if it suffices. */
  fromCatalog(admitted: Promise<unknown>): Promise<Answer<string> | null>;
}

/** Stores the response and settles its live call; false if the response must not be sent any more. */
type Settled = (answer: Answer<string>, reservation: string | null) => Promise<boolean>;

/** Admission of requests, and settlement of their charges. */
export interface Metering {
  /**
   * Runs an endpoint's work and charges for it. Look-ups in the directory run concurrently with the admission;
   * costlier work, and all work of recently rejected holders, starts after it. Failed requests are refunded.
   * @throws {ServiceError} if the request is rejected; errors of the work, after a refund.
   */
  run(
    request: FastifyRequest,
    endpoint: Pick<Endpoint, 'operation' | 'meter'>,
    work: Work,
    settled?: Settled,
  ): Promise<Answer<string>>;
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
  ): Promise<Admitted> => {
    const { holder, keyId } = request.caller as KnownKey;
    const ask = { holder, keyId, operation, catalog, live };
    const admitted = refusals.find(ask) ?? (await refusals.learn(ask, admission.admit(ask)));
    request.quota = admitted.quota;
    if (admitted.charge !== null) request.cost = admitted.charge.budgetUnits + admitted.charge.overageUnits;
    return admitted;
  };

  const takeBack = async (request: FastifyRequest, charge: Charge): Promise<void> => {
    await charges.refund(charge);
    refusals.refunded(charge);
    request.quota = afterRefund(request.quota as QuotaState, charge);
    request.cost = 0;
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
      if (settled !== undefined && !(await settled(answer, null))) throw LATE;
      return answer;
    } catch (error) {
      await takeBack(request, charge);
      throw error;
    }
  };

  return {
    run: async (request, { operation, meter }, work, settled) => {
      if (meter === 'live') {
        const found = await work.fromCatalog(NOT_ADMITTED);
        if (found !== null) return beside(request, operation, 0, async () => found, settled);
        const charge = chargeOf(await admit(request, operation, 0, 1), 1);
        let answer: Answer<string>;
        try {
          answer = await work.answer(Promise.resolve());
        } catch (error) {
          await takeBack(request, charge);
          throw error;
        }
        const reservation = charge.reservation as string;
        const kept = await (settled === undefined
          ? charges.settle(reservation)
          : settled(answer, reservation));
        if (!kept) {
          // The reservation expired, or is about to, and is refunded.
          request.quota = afterRefund(request.quota as QuotaState, charge);
          request.cost = 0;
          throw LATE;
        }
        return answer;
      }
      return beside(request, operation, meter === 'catalog' ? 1 : 0, work.answer, settled);
    },
    rejectKnown,
    count: async (request, operation = NO_OPERATION) => {
      const admitted = await admit(request, operation, 0, 0);
      return admitted.refused === null ? null : refusalOf(admitted.refused, admitted.quota, 0);
    },
  };
};
