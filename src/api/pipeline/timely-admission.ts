import type { Logger } from '../../kernel/logger.ts';
import { byDeadline } from '../../kernel/retry.ts';
import type { Admission } from '../../write/metering/admission/admission.ts';
import { AdmissionTimeoutError } from '../../write/metering/admission/admission-queues.ts';
import type { RejectionCache } from '../../write/metering/admission/rejection-cache.ts';
import type { Charges } from '../../write/metering/charges.ts';
import type { AdmissionRequest } from '../../write/metering/entitlements.ts';
import type { Admitted, Charge } from '../../write/metering/quota-state.ts';

/** Time for the decision on a request; the database may hang. */
const DECIDE_MS = 5_000;

export interface TimelyAdmissionParts {
  readonly admission: Admission;
  readonly charges: Charges;
  readonly refusals: RejectionCache;
  readonly logger: Logger;
}

/**
 * Admission that a request waits for within bounds.
 * @returns a function that throws AdmissionTimeoutError after 5 s; what is charged later is refunded.
 */
export const createTimelyAdmission = ({ admission, charges, refusals, logger }: TimelyAdmissionParts) => {
  const refundLate = (charge: Charge): void => {
    charges.refund(charge).then(
      () => refusals.refunded(charge),
      (error: unknown) =>
        logger.error({ holder: charge.holder, err: error }, 'a charge that came too late was not refunded'),
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
