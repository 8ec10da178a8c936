import type { FastifyRequest } from 'fastify';
import type { ServiceError } from '../../kernel/errors/service-error.ts';
import type { KnownKey } from '../../read/holders/keys.ts';
import type { Services } from '../services.ts';
import { planOf } from './authorize.ts';
import { toServiceError } from './errors.ts';
import type { Metering } from './metering.ts';
import { type HeaderSink, writePlanHeaders, writeQuotaHeaders } from './quota-headers.ts';

/** The quota headers of errors: every answer to a key that is known has them, as far as they can be known. */
export class ErrorQuotas {
  readonly #metering: Metering;
  readonly #services: Pick<Services, 'plans' | 'logger'>;

  constructor(metering: Metering, services: Pick<Services, 'plans' | 'logger'>) {
    this.#metering = metering;
    this.#services = services;
  }

  /**
   * Finds the quota for an error of a known key. The request is counted, unless it is none of the holder's, or nothing
   * can be decided at present.
   * @returns the error to send.
   */
  async find(failure: ServiceError, request: FastifyRequest): Promise<ServiceError> {
    const { caller, outsider } = request;
    if (request.quota !== null) return failure;
    if (caller === null) {
      if (outsider !== null) await this.#look(request, outsider);
      return failure;
    }
    if (failure.code === 'service_unavailable') {
      this.#recall(request, caller);
      return failure;
    }
    try {
      return (await this.#metering.count(request, request.routeOptions.config.operation)) ?? failure;
    } catch (unavailable) {
      this.#recall(request, caller);
      return toServiceError(unavailable);
    }
  }

  /** Writes the quota, or the plan of a holder whose quota is unknown. */
  readonly write = (request: FastifyRequest, raw: HeaderSink): void => {
    if (request.quota !== null) {
      writeQuotaHeaders(raw, request.quota, 0);
      return;
    }
    const key = request.caller ?? request.outsider;
    const plan = key === null ? null : planOf(this.#services.plans, key);
    if (plan !== null) writePlanHeaders(raw, plan);
  };

  async #look(request: FastifyRequest, outsider: KnownKey): Promise<void> {
    try {
      request.quota = await this.#metering.look(outsider);
    } catch (error) {
      this.#services.logger.warn({ request_id: request.id, err: error }, 'quota of a holder not readable');
      this.#recall(request, outsider);
    }
  }

  /** Uses the last quota that this process has seen. */
  #recall(request: FastifyRequest, key: KnownKey): void {
    const plan = planOf(this.#services.plans, key);
    if (plan !== null) request.quota = this.#metering.known(key, plan.name);
  }
}
