import type { FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/errors.ts';
import type { KnownKey } from '../../read/keys.ts';
import type { Admission } from '../../write/metering/admission.ts';
import type { Reason } from '../../write/metering/admit-lines.ts';
import type { Charges } from '../../write/metering/charges.ts';
import type { Admitted, Charge, Standing } from '../../write/metering/standing.ts';
import type { Answer, Endpoint } from '../endpoint.ts';
import { afterRefund } from './standing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** How the caller's holder stands; null until the request was decided. */
    standing: Standing | null;
    /** Units that the request is charged, as far as it is decided. */
    cost: number;
  }
}

/** An operation's name in the record of usage, of what is no endpoint. */
const NO_OPERATION = 'none';

const refusalOf = (reason: Reason, standing: Standing, live: number): Failure => {
  const { plan } = standing;
  switch (reason) {
    case 'burst':
      return new Failure(
        'rate_limited',
        `The plan ${plan.name} allows ${plan.burst_per_minute} requests a minute.`,
        { retryAfterS: standing.burstResetS },
      );
    case 'live_burst':
      return new Failure(
        'live_rate_limited',
        live > plan.live_per_minute
          ? `The call makes ${live} live calls, and the plan ${plan.name} allows ${plan.live_per_minute} a minute: ask for fewer at once.`
          : `The plan ${plan.name} allows ${plan.live_per_minute} live calls a minute.`,
        { retryAfterS: standing.liveResetS },
      );
    case 'budget':
      return new Failure(
        'budget_exhausted',
        `Of ${plan.units} units of the plan ${plan.name}, ${standing.budgetUnits} are used, and overage is ${plan.overage_micro_usd === null ? 'not on the plan' : 'off'}.`,
      );
    case 'cap':
      return new Failure('overage_cap_reached', 'The budget is spent, and the cap on overage is reached.');
    case 'wallet':
      return new Failure('wallet_empty', 'The budget is spent, and the wallet does not cover the call.');
  }
};

/** What stands between a caller and an endpoint's work: whether it may have it, and what becomes of its charge. */
export interface Metering {
  /**
   * Does an endpoint's work and charges for it. What is read of the catalog is read while the charge is decided; what
   * costs more is decided before it begins. An answer that is none costs nothing.
   * @param settled keeps a live call's answer for good, with its charge; false where it must not be given any more.
   * @throws {Failure} where the request is turned away; whatever the work throws, after its charge was taken back.
   */
  run<Data>(
    request: FastifyRequest,
    endpoint: Pick<Endpoint, 'operation' | 'meter'>,
    work: () => Promise<Answer<Data>>,
    settled?: (answer: Answer<Data>, reservation: string | null) => Promise<boolean>,
  ): Promise<Answer<Data>>;
  /**
   * Counts a request that fails before its work begins, so that it can be told how its holder stands.
   * @returns what it is turned away with instead, where even that is too much.
   */
  count(request: FastifyRequest, operation?: string): Promise<Failure | null>;
}

const LATE = new Failure('service_unavailable', 'The answer took too long to be charged for. Try again.', {
  retryAfterS: 1,
});

export const createMetering = (admission: Admission, charges: Charges): Metering => {
  const admit = async (
    request: FastifyRequest,
    operation: string,
    catalog: number,
    live: number,
  ): Promise<Admitted> => {
    const { holder, keyId } = request.caller as KnownKey;
    const admitted = await admission.admit({ holder, keyId, operation, catalog, live });
    request.standing = admitted.standing;
    if (admitted.charge !== null) request.cost = admitted.charge.budgetUnits + admitted.charge.overageUnits;
    return admitted;
  };

  const takeBack = async (request: FastifyRequest, charge: Charge): Promise<void> => {
    await charges.refund(charge);
    request.standing = afterRefund(request.standing as Standing, charge);
    request.cost = 0;
  };

  const chargeOf = (admitted: Admitted, live: number): Charge => {
    if (admitted.refused !== null) throw refusalOf(admitted.refused, admitted.standing, live);
    return admitted.charge;
  };

  return {
    run: async (request, { operation, meter }, work, settled) => {
      if (meter === 'live') {
        const charge = chargeOf(await admit(request, operation, 0, 1), 1);
        let answer: Awaited<ReturnType<typeof work>>;
        try {
          answer = await work();
        } catch (error) {
          await takeBack(request, charge);
          throw error;
        }
        if (answer.free === true) {
          await takeBack(request, charge);
          if (settled !== undefined && !(await settled(answer, null))) throw LATE;
          return answer;
        }
        const reservation = charge.reservation as string;
        const kept = await (settled === undefined
          ? charges.settle(reservation)
          : settled(answer, reservation));
        if (!kept) {
          // It expired and was refunded, or is about to.
          request.standing = afterRefund(request.standing as Standing, charge);
          request.cost = 0;
          throw LATE;
        }
        return answer;
      }
      const [admitted, worked] = await Promise.allSettled([
        admit(request, operation, meter === 'catalog' ? 1 : 0, 0),
        work(),
      ]);
      if (admitted.status === 'rejected') throw admitted.reason;
      const charge = chargeOf(admitted.value, 0);
      if (worked.status === 'rejected') {
        await takeBack(request, charge);
        throw worked.reason;
      }
      if (settled !== undefined && !(await settled(worked.value, null))) {
        await takeBack(request, charge);
        throw LATE;
      }
      return worked.value;
    },
    count: async (request, operation = NO_OPERATION) => {
      const admitted = await admit(request, operation, 0, 0);
      return admitted.refused === null ? null : refusalOf(admitted.refused, admitted.standing, 0);
    },
  };
};
