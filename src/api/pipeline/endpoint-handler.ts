import type { FastifyReply, FastifyRequest } from 'fastify';
import { isBuildGone } from '../../read/active-builds.ts';
import type { KnownKey } from '../../read/holders/keys.ts';
import type { IdempotentRequest } from '../../write/metering/idempotency-store.ts';
import type { Answer, Endpoint } from '../contract/endpoint.ts';
import { createRequestParser, type Input } from '../contract/parse-request.ts';
import { hasBody } from '../server/connections.ts';
import type { Services } from '../services.ts';
import type { Metering, Work } from './admission.ts';
import { authorize, planOf } from './authorize.ts';
import { type Envelope, envelopeOf, sendEnvelope } from './envelope.ts';
import { claimOf, idempotentRequestOf } from './idempotency.ts';
import type { Metrics } from './metrics.ts';
import { writeQuotaHeaders } from './quota-headers.ts';
import { createStreamer } from './stream.ts';
import { streamFormatOf } from './stream-formats.ts';

const written = (answer: Answer<unknown>): Answer<string> => ({
  ...answer,
  data: JSON.stringify(answer.data),
});

/** Handles an endpoint's requests, from authentication to the response. */
export const createEndpointHandler = (
  endpoint: Endpoint,
  services: Services,
  metering: Metering,
  metrics: Metrics,
) => {
  const parse = createRequestParser(endpoint, services.cursors);
  const measure = metrics.of(endpoint.operation);
  const encode = endpoint.sealsCursor === true ? services.cursors.seal : services.cursors.encode;

  const finish = (request: FastifyRequest, input: Input, answer: Answer<string>): Envelope => {
    const { next } = answer;
    const list = endpoint.list
      ? {
          next_cursor: next == null ? null : encode(input.scope, next),
          limit: input.limit,
          ...(answer.account === undefined ? {} : { account: answer.account }),
        }
      : null;
    const takenMs = performance.now() - request.startedAt;
    measure(takenMs);
    const derived =
      endpoint.methodVersion === undefined
        ? null
        : {
            coverage: answer.coverage ?? null,
            method_version: endpoint.methodVersion,
            warnings: answer.warnings ?? [],
          };
    return envelopeOf(request.id, answer, { nowMs: Date.now(), takenMs }, list, derived);
  };

  const send = (request: FastifyRequest, reply: FastifyReply, envelope: Envelope): FastifyReply => {
    if (request.quota !== null) writeQuotaHeaders(reply, request.quota, request.cost);
    return sendEnvelope(request, reply, envelope);
  };

  const { streaming } = endpoint;
  const stream =
    streaming === undefined ? null : createStreamer({ ...endpoint, streaming }, services, metering, metrics);

  const run = (
    request: FastifyRequest,
    work: Work,
    items: number | undefined,
    settled?: Parameters<Metering['run']>[3],
  ): Promise<Answer<string>> => metering.run(request, endpoint, work, settled, items);

  /** An idempotent request: executed here, or answered with the first response. */
  const once = async (
    request: FastifyRequest,
    reply: FastifyReply,
    idempotent: IdempotentRequest,
    input: Input,
    work: Work,
    items: number | undefined,
  ): Promise<Envelope> => {
    const { answers } = services;
    const claimed = await claimOf(answers, idempotent);
    if ('body' in claimed) {
      const refused = await metering.count(request, endpoint.operation);
      if (refused !== null) throw refused;
      reply.header('idempotency-replayed', 'true');
      return { body: claimed.body, tag: null };
    }
    const { claim } = claimed;
    if (claim === null) return finish(request, input, await run(request, work, items));
    let envelope: Envelope | undefined;
    try {
      await run(request, work, items, (answer, part) => {
        envelope = finish(request, input, answer);
        const { body } = envelope;
        if (part === null || part.used === null)
          return answers.finish(idempotent, claim, body, part?.reservation ?? null);
        return answers.finishPart(idempotent, claim, body, { ...part, used: part.used });
      });
    } catch (error) {
      // A failed request may be retried with the same key. If the claim can't be dropped now, it expires.
      await answers
        .drop(idempotent, claim)
        .catch((cause) =>
          services.logger.warn({ request_id: request.id, err: cause }, 'idempotency claim not released'),
        );
      throw error;
    }
    return envelope as Envelope;
  };

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // The body was read completely: the connection can be reused.
    if (request.raw.complete && hasBody(request.raw)) reply.removeHeader('connection');
    const caller = request.caller as KnownKey;
    authorize(services.plans, caller, endpoint);
    const input = parse({ params: request.params, query: request.query, body: request.body });
    const burst = (planOf(services.plans, caller) ?? services.plans.default).requests_per_minute;
    const effects: (() => void)[] = [];
    const asked = (admitted: Promise<unknown>) => ({
      params: input.params,
      query: input.query,
      body: input.body,
      services,
      lists: services.lists.of(caller.holder, burst, admitted),
      requestId: request.id,
      caller,
      nowMs: Date.now(),
      after: input.after,
      limit: input.limit,
      afterAdmission: (effect: () => void) => effects.push(effect),
    });
    const { fromCatalog } = endpoint;
    /** Retries a read once if its build was dropped meanwhile, in the new build. */
    const inBuild = async <T>(read: () => Promise<T>): Promise<T> => {
      try {
        return await read();
      } catch (error) {
        if (!isBuildGone(error)) throw error;
        await services.builds.refresh();
        effects.length = 0;
        return read();
      }
    };
    // Serialized as part of the work: a result that can't be serialized is a failure, free of charge.
    const work: Work = {
      answer: async (admitted) => written(await inBuild(() => endpoint.handler(asked(admitted)))),
      fromCatalog: async (admitted) => {
        const found = (await inBuild(async () => fromCatalog?.(asked(admitted)))) ?? null;
        return found === null ? null : written(found);
      },
    };
    const admitted = () => {
      for (const effect of effects.splice(0)) effect();
    };
    const format = streamFormatOf(request, endpoint);
    if (format !== null && stream !== null) {
      const read = (after: Input['after'], limit: number) =>
        inBuild(() => endpoint.handler({ ...asked(Promise.resolve()), after, limit }));
      return stream(request, reply, format, { input, read, admitted });
    }
    const items = endpoint.items?.(input);
    const idempotent = idempotentRequestOf(request, endpoint);
    const sent =
      idempotent === null
        ? finish(request, input, await run(request, work, items))
        : await once(request, reply, idempotent, input, work, items);
    admitted();
    return send(request, reply, sent);
  };
};
