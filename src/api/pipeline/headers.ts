import { z } from 'zod';
import { formatUsd } from '../../kernel/money.ts';
import type { Plan } from '../../write/holders/plans.ts';
import type { QuotaState } from '../../write/metering/quota.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import { isExportable } from '../contract/parse-request.ts';

/** Headers of an error with that status. */
export const errorHeadersOf = (status: number) => {
  const quota = KEYED.has(status) ? quotaHeaders : maybeQuotaHeaders;
  const headers = KEYLESS.has(status) ? commonHeaders : commonHeaders.extend(quota.shape);
  return status === 429 || status === 503 ? headers.extend(retryHeaders.shape) : headers;
};

/** Headers of every response to a request with a valid key, errors included. */
const quotaHeaders = z.object({
  'ratelimit-policy': z
    .string()
    .describe('Requests and live calls per minute of the plan.')
    .meta({ example: '"burst";q=600;w=60, "live";q=60;w=60' }),
  ratelimit: z
    .string()
    .describe('Remaining requests and live calls, and seconds until they reset.')
    .meta({ example: '"burst";r=598;t=41, "live";r=60;t=60' }),
  'x-plan': z.string().describe('Plan of the key’s holder.').meta({ example: 'growth' }),
  'x-request-cost': z.int().describe('Units charged for this request; 0 for every error.'),
  'x-quota-limit': z.int().describe('Units of the plan per period of 30 days.'),
  'x-quota-used': z.int().describe('Units used in the period.'),
  'x-quota-remaining': z.int(),
  'x-quota-reset': z.iso.datetime().describe('When the period ends.'),
  'x-live-used': z.int().describe('Live calls in the period.'),
  'x-overage': z
    .enum(['off', 'on', 'capped'])
    .describe('Whether requests beyond the quota are served; `capped`: the overage cap is reached.'),
  'x-overage-used': z.int().describe('Units beyond the quota in the period.'),
  'x-wallet-balance': z
    .string()
    .optional()
    .describe('Wallet balance in dollars; only while overage is on.')
    .meta({ example: '24.9965' }),
});

/** Headers of every response. */
const commonHeaders = z.object({
  'x-request-id': z
    .string()
    .regex(/^req_[0-9a-f]{32}$/)
    .describe('ID of the request, for support.'),
  'cache-control': z.string().meta({ example: 'private, no-cache' }),
});

const retryHeaders = z.object({
  'retry-after': z.int().describe('Seconds after which to retry.'),
});
const etagHeader = z.object({
  etag: z
    .string()
    .describe('Weak ETag over `data`, for responses from the catalog.')
    .meta({ example: 'W/"kX1s"' }),
});
const replayedHeader = z.object({
  'idempotency-replayed': z
    .literal('true')
    .describe('Present if this is the stored response to the first request with the Idempotency-Key.'),
});

/** What JSON has in `meta`, of pages in other formats. */
const pageHeaders = z.object({
  vary: z.string().describe('The response depends on `Accept`.'),
  'x-cache-age': z
    .int()
    .describe('Age of the oldest reading involved, in seconds; equals `meta.cache_age_s`.'),
  link: z
    .string()
    .describe('The next page.')
    .meta({ example: '</v2/directory?limit=1000&cursor=WyJhMSJd>; rel="next"' }),
  'x-next-cursor': z.string().describe('`next_cursor`; left out on the last page.'),
});
const resumeHeader = z.object({ 'x-resume-cursor': z.string().describe('`resume_cursor`.') });
const coverageHeader = z.object({
  'x-list-coverage': z
    .string()
    .describe('`coverage` as a header: `whole`, `capped` or `broken_off`, with its times as parameters.')
    .meta({ example: 'capped; ended_at="2026-11-21T08:16:40.000Z"; read_at="2026-11-21T08:16:40.000Z"' }),
});

/** Headers that pages of other origins may read. */
export const EXPOSED_HEADERS = [
  commonHeaders,
  quotaHeaders,
  retryHeaders,
  etagHeader,
  replayedHeader,
  pageHeaders,
  resumeHeader,
  coverageHeader,
].flatMap(({ shape }) => Object.keys(shape));

/** Whether responses can come from the directory and so carry an ETag. */
export const isTagged = ({ group }: Endpoint): boolean => group !== 'root';

/** Headers of a response. */
export const answerHeadersOf = (endpoint: Endpoint) => {
  const headers = commonHeaders.extend(quotaHeaders.shape);
  const tagged = isTagged(endpoint) ? headers.extend(etagHeader.partial().shape) : headers;
  if (!isExportable(endpoint))
    return endpoint.method === 'POST' ? tagged.extend(replayedHeader.partial().shape) : tagged;
  return tagged.extend({
    ...pageHeaders.partial().shape,
    ...(endpoint.isFeed === true && resumeHeader.partial().shape),
    ...(endpoint.hasListCoverage === true && coverageHeader.partial().shape),
  });
};

/** Headers of a 304 response. */
export const unchangedHeaders = commonHeaders.extend(quotaHeaders.shape).extend(etagHeader.shape);

/** Headers of a request. */
export const requestHeadersOf = (endpoint: Endpoint) => {
  const conditions = isTagged(endpoint) ? conditionHeader : z.object({});
  return endpoint.method === 'POST' ? conditions.extend(idempotencyHeader(endpoint).shape) : conditions;
};

/** Raw headers of a response. Setting ten headers through the framework would measurably lower the request rate. */
export interface HeaderSink {
  setHeader(name: string, value: string | number): unknown;
}

/** Writes the plan to the headers of a free response whose quota is unknown. */
export const writePlanHeaders = (raw: HeaderSink, plan: Plan): void => {
  raw.setHeader('ratelimit-policy', policyOf(plan));
  raw.setHeader('x-plan', plan.name);
  raw.setHeader('x-request-cost', 0);
  raw.setHeader('x-quota-limit', plan.units);
};

/** Writes a holder's quota to the response headers. @param cost units charged for this request. */
export const writeQuotaHeaders = (raw: HeaderSink, quota: QuotaState, cost: number): void => {
  const { plan } = quota;
  raw.setHeader('ratelimit-policy', policyOf(plan));
  raw.setHeader(
    'ratelimit',
    `"burst";r=${quota.burstLeft};t=${quota.burstResetS}, "live";r=${quota.liveLeft};t=${quota.liveResetS}`,
  );
  raw.setHeader('x-plan', plan.name);
  raw.setHeader('x-request-cost', cost);
  raw.setHeader('x-quota-limit', plan.units);
  raw.setHeader('x-quota-used', quota.budgetUnits);
  raw.setHeader('x-quota-remaining', Math.max(0, plan.units - quota.budgetUnits));
  raw.setHeader('x-quota-reset', quota.endsAt);
  raw.setHeader('x-live-used', quota.liveCalls);
  raw.setHeader('x-overage', quota.overage);
  raw.setHeader('x-overage-used', quota.overageUnits);
  if (quota.overage !== 'off') {
    raw.setHeader('x-wallet-balance', formatUsd(BigInt(quota.balanceMicroUsd)));
  }
};

/** Optional: an unknown or unchecked key must not reveal a plan. */
const maybeQuotaHeaders = quotaHeaders.partial();

/** Statuses that imply a valid key. */
const KEYED: ReadonlySet<number> = new Set([402, 404, 409, 413, 415, 422, 502, 504]);
/** Statuses sent before authentication, or without a key. */
const KEYLESS: ReadonlySet<number> = new Set([401, 431]);

/** POST requests can be retried with the same key and take effect once. */
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
          ? 'A key that you generate. For a day, the same key with another body is rejected. The response is not stored: a repeated call is executed again, free of charge.'
          : 'A key that you generate. For a day, the same key with the same body returns the first response, with `Idempotency-Replayed: true` and without a second charge.',
      ),
  });

const conditionHeader = z.object({
  'if-none-match': z
    .string()
    .optional()
    .describe('ETags of responses that you have; if one of them is current, the status is 304.')
    .meta({ example: 'W/"kX1s"' }),
});

const policies = new WeakMap<Plan, string>();

/** `RateLimit-Policy` of a plan (draft-ietf-httpapi-ratelimit-headers): requests and live calls per minute. */
const policyOf = (plan: Plan): string => {
  let policy = policies.get(plan);
  if (policy === undefined) {
    policy = `"burst";q=${plan.requests_per_minute};w=60, "live";q=${plan.live_per_minute};w=60`;
    policies.set(plan, policy);
  }
  return policy;
};
