import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import { steadyMs } from '../../kernel/retry.ts';
import { isBuildGone } from '../../read/active-builds.ts';
import type { KnownKey } from '../../read/holders/keys.ts';
import type { ListReads } from '../../read/lists/lists.ts';
import { type Answer, type Endpoint, type EndpointRequest, readsPlatforms } from '../contract/endpoint.ts';
import { type Input, unitsOfRows } from '../contract/parse-request.ts';
import type { Services } from '../services.ts';
import { planOf } from './authorize.ts';
import type { Work } from './metering.ts';
import { columnsOf, type PageFormat } from './page-formats.ts';

/** Whether an endpoint's work waits for its admission; a look-up runs beside it. */
export const waitsForAdmission = (endpoint: Endpoint): boolean =>
  endpoint.list || endpoint.readsLists === true || readsPlatforms(endpoint);

/** What a look-up may not do: it might be running for a request that is rejected. */
const NO_LISTS: ListReads = {
  any: async () => {
    throw new Error('a look-up reads no list: the endpoint has to say `readsLists`');
  },
};

/** The work of an endpoint for one request, and the side effects that it asks for. */
export class EndpointWork implements Work {
  readonly #endpoint: Endpoint;
  readonly #format: PageFormat | null;
  readonly #services: Services;
  readonly #asked: Omit<EndpointRequest<unknown, unknown, unknown>, 'lists'>;
  readonly #lists: ListReads;
  readonly #effects: (() => void)[] = [];
  readonly #warnings = new Set<string>();

  constructor(
    endpoint: Endpoint,
    services: Services,
    {
      request,
      input,
      clock,
      format,
    }: { request: FastifyRequest; input: Input; clock: Clock; format: PageFormat | null },
  ) {
    const caller = request.caller as KnownKey;
    const { requests_per_minute } = planOf(services.plans, caller) ?? services.plans.default;
    this.#endpoint = endpoint;
    this.#format = format;
    this.#services = services;
    this.#lists = waitsForAdmission(endpoint)
      ? services.lists.of(caller.holder, requests_per_minute)
      : NO_LISTS;
    this.#asked = {
      params: input.params,
      query: input.query,
      body: input.body,
      services,
      requestId: request.id,
      caller,
      nowMs: clock.now(),
      startedMs: steadyMs(),
      after: input.after,
      isFromNow: input.isFromNow,
      limit: input.limit,
      afterAdmission: (effect) => this.#effects.push(effect),
      warn: (warning) => this.#warnings.add(warning),
    };
  }

  // Serialized as part of the work: a result that can't be serialized is a failure, free of charge.
  readonly answer = async (): Promise<Answer<string>> => {
    const answer = await this.#handle(this.#asked);
    const rows = this.#endpoint.list ? (answer.data as readonly unknown[]).length : 0;
    return this.#written(
      unitsOfRows(this.#asked.limit) > 1 ? { ...answer, used: unitsOfRows(rows) } : answer,
    );
  };

  readonly fromCatalog = async (): Promise<Answer<string> | null> => {
    const found = await this.#inBuild(
      async () => (await this.#endpoint.fromCatalog?.({ ...this.#asked, lists: NO_LISTS })) ?? null,
    );
    return found === null ? null : this.#written(found);
  };

  /** Runs the side effects: the request was admitted. */
  readonly runEffects = (): void => {
    for (const effect of this.#effects.splice(0)) effect();
  };

  #written(answer: Answer<unknown>): Answer<string> {
    const data =
      this.#format === null
        ? JSON.stringify(answer.data)
        : this.#format.text(
            columnsOf(this.#endpoint),
            answer.data as readonly Readonly<Record<string, unknown>>[],
          );
    return { ...answer, data };
  }

  async #handle(asked: Omit<EndpointRequest<unknown, unknown, unknown>, 'lists'>): Promise<Answer<unknown>> {
    const answer = await this.#inBuild(() => this.#endpoint.handler({ ...asked, lists: this.#lists }));
    return this.#warnings.size === 0
      ? answer
      : { ...answer, warnings: [...this.#warnings, ...(answer.warnings ?? [])] };
  }

  /** Retries a read once if its build was dropped meanwhile, in the new build. */
  async #inBuild<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      if (!isBuildGone(error)) throw error;
      await this.#services.builds.refresh();
      this.#effects.length = 0;
      this.#warnings.clear();
      return read();
    }
  }
}
