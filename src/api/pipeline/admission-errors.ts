import { ServiceError } from '../../kernel/errors/service-error.ts';
import type { Reason } from '../../write/metering/admission/admit-batch.ts';
import type { QuotaState } from '../../write/metering/quota-state.ts';

/** The error of a request that was not admitted. @param live live calls that it makes. */
export const refusalOf = (reason: Reason, quota: QuotaState, live: number): ServiceError => {
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
