import type { FastifyReply, FastifyRequest } from 'fastify';
import { isTakenAway } from '../read/builds.ts';
import type { KnownKey } from '../read/keys.ts';
import type { Repeatable } from '../write/metering/answers.ts';
import { hasBody } from './connections.ts';
import type { Answer, Endpoint } from './endpoint.ts';
import { createInput, type Input } from './input.ts';
import type { Metering, Work } from './plugins/admission.ts';
import { type Envelope, envelopeOf, sendEnvelope } from './plugins/envelope.ts';
import { passGate, planOf } from './plugins/gate.ts';
import { claimOf, repeatableOf } from './plugins/idempotency.ts';
import type { Metrics } from './plugins/metrics.ts';
import { writeStanding } from './plugins/standing.ts';
import type { Services } from './services.ts';

const written = (answer: Answer<unknown>): Answer<string> => ({
  ...answer,
  data: JSON.stringify(answer.data),
});

/** Everything of one endpoint's requests between authentication and the answer. */
export const createHandler = (
  endpoint: Endpoint,
  services: Services,
  metering: Metering,
  metrics: Metrics,
) => {
  const parse = createInput(endpoint, services.cursors);
  const measure = metrics.of(endpoint.operation);

  const finish = (request: FastifyRequest, input: Input, answer: Answer<string>): Envelope => {
    const { next } = answer;
    const list = endpoint.list
      ? {
          next_cursor: next == null ? null : services.cursors.encode(input.scope, next),
          limit: input.limit,
        }
      : null;
    const takenMs = performance.now() - request.startedAt;
    measure(takenMs);
    return envelopeOf(request.id, answer, { nowMs: Date.now(), takenMs }, list);
  };

  const send = (request: FastifyRequest, reply: FastifyReply, envelope: Envelope): FastifyReply => {
    if (request.standing !== null) writeStanding(reply, request.standing, request.cost);
    return sendEnvelope(request, reply, envelope);
  };

  /** A request that has one effect however often it is sent: carried out here, or answered as the first time. */
  const once = async (
    request: FastifyRequest,
    reply: FastifyReply,
    repeatable: Repeatable,
    input: Input,
    work: Work,
  ): Promise<Envelope> => {
    const { answers } = services;
    const claimed = await claimOf(answers, repeatable);
    if ('body' in claimed) {
      const refused = await metering.count(request, endpoint.operation);
      if (refused !== null) throw refused;
      reply.header('idempotency-replayed', 'true');
      return { body: claimed.body, tag: null };
    }
    const { claim } = claimed;
    if (claim === null) return finish(request, input, await metering.run(request, endpoint, work));
    let envelope: Envelope | undefined;
    try {
      await metering.run(request, endpoint, work, (answer, reservation) => {
        envelope = finish(request, input, answer);
        return answers.finish(repeatable, claim, envelope.body, reservation);
      });
    } catch (error) {
      // What was no answer may be tried again with the same key. Where that can't be said now, the claim lapses.
      await answers
        .drop(repeatable, claim)
        .catch((cause) => services.logger.warn({ request_id: request.id, err: cause }, 'a claim was left'));
      throw error;
    }
    return envelope as Envelope;
  };

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // All of it is here: the connection is good for another.
    if (request.raw.complete && hasBody(request.raw)) reply.removeHeader('connection');
    const caller = request.caller as KnownKey;
    passGate(services.plans, caller, endpoint);
    const input = parse({ params: request.params, query: request.query, body: request.body });
    const burst = (planOf(services.plans, caller) ?? services.plans.lowest).burst_per_minute;
    const effects: (() => void)[] = [];
    const asked = (letIn: Promise<unknown>) => ({
      params: input.params,
      query: input.query,
      body: input.body,
      services,
      lists: services.lists.of(caller.holder, burst, letIn),
      requestId: request.id,
      caller,
      nowMs: Date.now(),
      after: input.after,
      limit: input.limit,
      onceLetIn: (effect: () => void) => effects.push(effect),
    });
    const { fromCatalog } = endpoint;
    /** A read whose build was taken away is made in the one that took its place. */
    const inBuild = async <T>(read: () => Promise<T>): Promise<T> => {
      try {
        return await read();
      } catch (error) {
        if (!isTakenAway(error)) throw error;
        await services.builds.refresh();
        effects.length = 0;
        return read();
      }
    };
    // Written as part of the work: what can't be written is no answer, and costs nothing.
    const work: Work = {
      answer: async (letIn) => written(await inBuild(() => endpoint.handler(asked(letIn)))),
      fromCatalog: async (letIn) => {
        const found = (await inBuild(async () => fromCatalog?.(asked(letIn)))) ?? null;
        return found === null ? null : written(found);
      },
    };
    const repeatable = repeatableOf(request, endpoint);
    const sent =
      repeatable === null
        ? finish(request, input, await metering.run(request, endpoint, work))
        : await once(request, reply, repeatable, input, work);
    for (const effect of effects) effect();
    return send(request, reply, sent);
  };
};
