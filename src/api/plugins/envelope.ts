import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isoOf } from '../../kernel/clock.ts';
import type { Answer } from '../endpoint.ts';

/** What a list adds to `meta`. */
export interface ListMeta {
  readonly next_cursor: string | null;
  readonly limit: number;
}

/**
 * Answers in the envelope. `data` is written once and hashed as it is sent, so that its tag costs no second
 * serialisation.
 */
export const sendAnswer = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer<unknown>,
  times: { readonly startedAt: number; readonly nowMs: number; readonly taken: number },
  list: ListMeta | null,
): FastifyReply => {
  const data = JSON.stringify(answer.data);
  const age =
    answer.readAtMs === null ? null : Math.max(0, Math.floor((times.nowMs - answer.readAtMs) / 1_000));
  const meta = `"request_id":"${request.id}","generated_at":"${isoOf(times.nowMs)}","took_ms":${Math.round(times.taken)},"source":"${answer.source}","cache_age_s":${age}`;
  const more =
    list === null ? '' : `,"next_cursor":${JSON.stringify(list.next_cursor)},"limit":${list.limit}`;
  if (answer.source === 'catalog') {
    const tag = `W/"${hash('md5', data, 'base64url')}"`;
    reply.header('etag', tag);
    const asked = request.headers['if-none-match'];
    if (asked?.split(',').some((t) => t.trim() === tag)) return reply.code(304).send();
  }
  reply.header('content-type', 'application/json; charset=utf-8');
  return reply.send(`{"data":${data},"meta":{${meta}${more}}}`);
};
