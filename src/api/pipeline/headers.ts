import { z } from 'zod';
import type { Endpoint } from '../contract/endpoint.ts';

/** Headers of what a request with a valid key is answered, errors included. */
const quotaHeaders = z.object({
  'ratelimit-policy': z
    .string()
    .describe('Requests and live calls that the plan allows a minute.')
    .meta({ example: '"burst";q=600;w=60, "live";q=60;w=60' }),
  ratelimit: z
    .string()
    .describe('What is left of both, and seconds until they begin anew.')
    .meta({ example: '"burst";r=598;t=41, "live";r=60;t=60' }),
  'x-plan': z.string().describe('The plan of the key’s holder.').meta({ example: 'growth' }),
  'x-request-cost': z.int().describe('Units that this request was charged: 0 for every error.'),
  'x-quota-limit': z.int().describe('Units of the plan in a period of 30 days.'),
  'x-quota-used': z.int().describe('Units of them that are used.'),
  'x-quota-remaining': z.int(),
  'x-quota-reset': z.iso.datetime().describe('When the period ends.'),
  'x-live-used': z.int().describe('Live calls of the period.'),
  'x-overage': z
    .enum(['off', 'on', 'capped'])
    .describe('Whether requests past the budget are served; `capped`: they were, and the cap is reached.'),
  'x-overage-used': z.int().describe('Units past the budget in the period.'),
  'x-wallet-balance': z
    .string()
    .optional()
    .describe('Dollars in the wallet; only while overage is on.')
    .meta({ example: '24.9965' }),
});

/** Headers of every response. */
const commonHeaders = z.object({
  'x-request-id': z
    .string()
    .regex(/^req_[0-9a-f]{32}$/)
    .describe('Names the request, for questions about it.'),
  'cache-control': z.string().meta({ example: 'private, no-cache' }),
});
/** Whose key is not known, or was not looked at yet, is told nothing of a plan. */
const maybeQuotaHeaders = quotaHeaders.partial();
const retryHeaders = z.object({
  'retry-after': z.int().describe('Seconds after which it is worth trying again.'),
});
const etagHeader = z.object({
  etag: z
    .string()
    .describe('Weak tag over `data`, of what the catalog answers.')
    .meta({ example: 'W/"kX1s"' }),
});
const replayedHeader = z.object({
  'idempotency-replayed': z
    .literal('true')
    .describe('Where the answer is the first one to this Idempotency-Key.'),
});

/** Statuses that only a request with a valid key comes to. */
const KEYED: ReadonlySet<number> = new Set([402, 404, 409, 413, 415, 422, 502, 504]);
/** Statuses that are answered before a key is looked at, or where there is none. */
const KEYLESS: ReadonlySet<number> = new Set([401, 408, 431]);

/** Headers of a failure of that status. */
export const errorHeadersOf = (status: number) => {
  const quota = KEYED.has(status) ? quotaHeaders : maybeQuotaHeaders;
  const headers = KEYLESS.has(status) ? commonHeaders : commonHeaders.extend(quota.shape);
  return status === 429 || status === 503 ? headers.extend(retryHeaders.shape) : headers;
};

/** Whether the catalog may answer, whose answers carry a tag. */
export const isTagged = ({ group }: Endpoint): boolean => group !== 'root';

/** Headers of an answer. */
export const answerHeadersOf = (endpoint: Endpoint) => {
  const headers = commonHeaders.extend(quotaHeaders.shape);
  const tagged = isTagged(endpoint) ? headers.extend(etagHeader.partial().shape) : headers;
  return endpoint.method === 'POST' ? tagged.extend(replayedHeader.partial().shape) : tagged;
};

/** Headers of an answer that the caller has. */
export const unchangedHeaders = commonHeaders.extend(quotaHeaders.shape).extend(etagHeader.shape);

/** A POST request may be asked again with the same key: it has one effect. */
const idempotencyHeader = ({ meter }: Endpoint) =>
  z.object({
    'idempotency-key': z
      .string()
      .min(1)
      .max(255)
      .regex(/^[^\s](?:.*[^\s])?$/)
      .optional()
      .describe(
        meter === 'free'
          ? 'Drawn by the caller. The same key with another body is refused for a day. The call is free and is carried out again: its answer is not kept.'
          : 'Drawn by the caller. The same key with the same body gets the first answer for a day, with `Idempotency-Replayed: true` and no second charge.',
      ),
  });

const conditionHeader = z.object({
  'if-none-match': z
    .string()
    .optional()
    .describe('Tags of answers that the caller has; where one still holds, 304 answers instead.')
    .meta({ example: 'W/"kX1s"' }),
});

/** Headers of a request. */
export const requestHeadersOf = (endpoint: Endpoint) => {
  const conditions = isTagged(endpoint) ? conditionHeader : z.object({});
  return endpoint.method === 'POST' ? conditions.extend(idempotencyHeader(endpoint).shape) : conditions;
};
