import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isoOf } from '../../kernel/clock.ts';
import type { Answer } from '../contract/endpoint.ts';

/** What a list adds to `meta`. */
export interface ListMeta {
  readonly next_cursor: string | null;
  readonly limit: number;
}

/** An answer as it is sent. */
export interface Envelope {
  readonly body: string;
  /** Weak tag over `data`; null where the answer is not the catalog's. */
  readonly tag: string | null;
}

/** Puts an answer, whose `data` is written as JSON, in the envelope. It is hashed as it is sent. */
export const envelopeOf = (
  requestId: string,
  answer: Answer<string>,
  times: { readonly nowMs: number; readonly takenMs: number },
  list: ListMeta | null,
): Envelope => {
  const { data } = answer;
  const age =
    answer.readAtMs === null ? null : Math.max(0, Math.floor((times.nowMs - answer.readAtMs) / 1_000));
  const meta = `"request_id":"${requestId}","generated_at":"${isoOf(times.nowMs)}","took_ms":${Math.round(times.takenMs)},"source":"${answer.source}","cache_age_s":${age}`;
  const more =
    list === null ? '' : `,"next_cursor":${JSON.stringify(list.next_cursor)},"limit":${list.limit}`;
  return {
    body: `{"data":${data},"meta":{${meta}${more}}}`,
    tag: answer.source === 'catalog' ? `W/"${hash('md5', data, 'base64url')}"` : null,
  };
};

/** Sends an answer, or that it is the one that the caller has. */
export const sendEnvelope = (
  request: FastifyRequest,
  reply: FastifyReply,
  { body, tag }: Envelope,
): FastifyReply => {
  if (tag !== null) {
    reply.header('etag', tag);
    const asked = request.headers['if-none-match'];
    if (asked?.split(',').some((t) => t.trim() === tag)) return reply.code(304).send();
  }
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(body);
};
