import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts';
import { platformNames } from '../../platforms/index.ts';
import type { Plans } from '../../write/holders/plans.ts';
import { demandedShape } from '../contract/demand.ts';
import { type Endpoint, GROUPS, readsPlatforms } from '../contract/endpoint.ts';
import type { JsonObject } from '../contract/json.ts';
import { isExportable, listQueryOf, queryRulesOf } from '../contract/parse-request.ts';
import { capabilitiesEndpoint } from '../endpoints/capabilities.ts';
import { columnsOf } from '../pipeline/envelope.ts';
import { statusOf } from '../pipeline/errors.ts';
import {
  answerHeadersOf,
  errorHeadersOf,
  isTagged,
  requestHeadersOf,
  unchangedHeaders,
} from '../pipeline/headers.ts';
import { withAnswerSchemas } from './answer-schemas.ts';
import { codeSamplesOf } from './code-samples.ts';
import { GUIDE } from './docs-paths.ts';
import { EXAMPLE_ACCOUNT, EXAMPLE_COVERAGE, metaOf } from './meta-schemas.ts';
import { shareComponents } from './share-components.ts';

/** Every error of an endpoint: its own and those of its kind. */
export const errorsOf = (endpoint: Endpoint): readonly ErrorCode[] => {
  const codes: ErrorCode[] = [
    'invalid_request',
    'request_timeout',
    'headers_too_large',
    'key_missing',
    'key_invalid',
    'key_revoked',
    'holder_suspended',
    'ip_not_allowed',
    'rate_limited',
  ];
  if (endpoint.scope !== null) codes.push('scope_missing', 'plan_required');
  const isLive = endpoint.meter === 'live' || endpoint.needsLiveRead !== undefined;
  if (endpoint.meter !== 'free' || isLive)
    codes.push('budget_exhausted', 'overage_cap_reached', 'wallet_empty');
  if (endpoint.method === 'POST') codes.push('idempotency_in_flight', 'idempotency_mismatch');
  if (endpoint.list) codes.push('cursor_invalid');
  // Lists have no minimum sample, and each tool declares itself whether its sample can be too small.
  if (endpoint.methodVersion !== undefined && !endpoint.list && endpoint.tool === undefined)
    codes.push('insufficient_data');
  if (endpoint.body !== undefined) codes.push('media_type_unsupported', 'body_too_large');
  if (isLive) codes.push('live_rate_limited');
  if (endpoint.needsLiveRead !== undefined || failsWithPlatforms(endpoint)) {
    codes.push(
      'platform_error',
      'platform_layout_changed',
      'platform_unavailable',
      'not_readable',
      'platform_rate_limited',
      'platform_timeout',
    );
  }
  return [...new Set([...codes, ...endpoint.errors, 'internal' as const, 'service_unavailable' as const])];
};

/** Generates the OpenAPI document from the endpoints. */
export const openApiDocument = (endpoints: readonly Endpoint[], plans: Plans): JsonObject => {
  const paths: ZodOpenApiPathsObject = {};
  const all = [capabilitiesEndpoint(endpoints, plans), ...endpoints];
  for (const endpoint of all) {
    paths[endpoint.path] = {
      ...paths[endpoint.path],
      [endpoint.method.toLowerCase()]: operationOf(endpoint, plans),
    };
  }
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Sightline',
      version: '2.0.0',
      description: `Public social accounts on ${platformNames()}: whether they exist, how large they are, and the age of each answer. [The guide](${GUIDE}) explains keys, costs, ages, lists and errors with examples.`,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    externalDocs: {
      url: GUIDE,
      description: 'The guide: keys, costs, ages, lists and errors, with examples',
    },
    servers: [{ url: '/v2' }],
    security: [{ key: [] }],
    tags: [
      { name: 'root', description: 'What the calling key may do.' },
      ...Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    ],
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key: `slk_` and 38 more characters.' },
      },
    },
  });
  return shareComponents(withAnswerSchemas(JSON.parse(JSON.stringify(document)) as JsonObject));
};

const errorSchema = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]]).describe('Stable code to branch on.'),
      message: z.string().describe('Human-readable; subject to change.'),
      request_id: z.string(),
      details: z
        .array(
          z.object({
            path: z.string(),
            message: z.string(),
            renamed_to: z
              .string()
              .optional()
              .describe('For a former handle: the current handle of its account, or `id:<id>`.'),
            ...demandedShape,
            reason: z.string().optional().describe('For `not_readable`: the reason.'),
          }),
        )
        .optional(),
    }),
  })
  .meta({ id: 'Error' });

const EXAMPLE_META = {
  request_id: 'req_4f6c1d2b9a8e47d0b3c5a1f2e6d79b80',
  generated_at: '2026-11-21T08:30:00.000Z',
  took_ms: 2,
};

/** Whether a call fails with a platform: items that can't be read are unknown, each by itself. */
const failsWithPlatforms = (endpoint: Endpoint): boolean =>
  readsPlatforms(endpoint) && endpoint.items === undefined;

/** The other formats of a list that can be exported. */
const formatsOf = (endpoint: Endpoint) => {
  const { data } = endpoint;
  if (!isExportable(endpoint)) return {};
  const row = data instanceof z.ZodArray ? (data.element as z.ZodType) : data;
  const columns = columnsOf(endpoint).join(', ');
  return {
    'application/x-ndjson': { schema: row },
    'text/csv': {
      schema: z.string().meta({
        description: `Columns: ${columns}. Nested values are JSON. A cell that a spreadsheet would execute is prefixed with an apostrophe.`,
      }),
    },
  };
};

const responsesOf = (endpoint: Endpoint): ZodOpenApiOperationObject['responses'] => {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(endpoint)) {
    byStatus.set(statusOf(code), [...(byStatus.get(statusOf(code)) ?? []), code]);
  }
  const failures = [...byStatus].map(([status, codes]) => [
    String(status),
    {
      description: codes
        .map((code) => `\`${code}\`: ${ERRORS[code].title}. ${ERRORS[code].documentation}`)
        .join('\n\n'),
      headers: errorHeadersOf(status),
      content: {
        'application/json': {
          schema: errorSchema,
          examples: Object.fromEntries(
            codes.map((code) => [
              code,
              {
                value: { error: { code, message: ERRORS[code].title, request_id: EXAMPLE_META.request_id } },
              },
            ]),
          ),
        },
      },
    },
  ]);
  const source = readsPlatforms(endpoint) ? 'live' : endpoint.group === 'root' ? 'service' : 'catalog';
  const meta = {
    ...EXAMPLE_META,
    source,
    cache_age_s: source === 'catalog' ? 840 : source === 'live' ? 0 : null,
  };
  return {
    '200': {
      description: 'The answer.',
      headers: answerHeadersOf(endpoint),
      content: {
        'application/json': {
          schema: z.object({ data: endpoint.data, meta: metaOf(endpoint) }),
          example: {
            data: endpoint.example.data,
            meta: {
              ...meta,
              ...(endpoint.list ? { next_cursor: null, limit: 25 } : {}),
              ...(endpoint.isFeed === true ? { resume_cursor: 'WyJhMSIsIk5hIiwiNDgyMTEiLDBd' } : {}),
              ...(endpoint.hasListCoverage === true ? { coverage: EXAMPLE_COVERAGE } : {}),
              ...(endpoint.listsOfAccount === true ? { account: EXAMPLE_ACCOUNT } : {}),
              ...(endpoint.methodVersion === undefined
                ? {}
                : {
                    coverage: { sampled: 40, total: 52, capped: false },
                    method_version: endpoint.methodVersion,
                    warnings: [],
                  }),
            },
          },
        },
        ...formatsOf(endpoint),
      },
    },
    ...(isTagged(endpoint)
      ? {
          '304': {
            description:
              'The response that `If-None-Match` names is still current. The call costs nothing, but counts towards the rate limit.',
            headers: unchangedHeaders,
          },
        }
      : {}),
    ...Object.fromEntries(failures),
  };
};

const withExamples = (
  schema: z.ZodType,
  examples: Readonly<Record<string, unknown>> | undefined,
): z.ZodObject => {
  const object = schema as z.ZodObject;
  if (examples === undefined) return object;
  return object.extend(
    Object.fromEntries(
      Object.entries(examples).map(([name, value]) => {
        const field = object.shape[name] as z.ZodType;
        return [name, field.meta({ ...field.meta(), example: value })];
      }),
    ),
  );
};

const operationOf = (endpoint: Endpoint, plans: Plans): ZodOpenApiOperationObject => {
  const query = withExamples(endpoint.query, endpoint.example.query);
  return {
    operationId: endpoint.operation,
    tags: [endpoint.group],
    summary: endpoint.summary,
    description: [
      endpoint.description,
      endpoint.scope === null ? 'Scope: none.' : `Scope: \`${endpoint.scope}\`.`,
      `Metered as: ${endpoint.meter}${endpoint.items === undefined ? '' : ', by item; items without a result are refunded'}. Lowest plan: ${(endpoint.scope === null ? plans.default : plans.lowestWith(endpoint.scope))?.name ?? 'none'}.`,
      ...(endpoint.upstreamReads === undefined || endpoint.upstreamReads === 0
        ? []
        : [
            `Sends at most ${endpoint.upstreamReads} requests to platforms${endpoint.items === undefined ? '' : ' for each item'}.${endpoint.tool === undefined ? '' : ' Tools that do run one at a time for each holder.'}`,
          ]),
    ].join('\n\n'),
    security: [{ key: [] }],
    'x-codeSamples': codeSamplesOf(endpoint),
    'x-upstream-reads': endpoint.upstreamReads ?? 0,
    ...(queryRulesOf(endpoint).length === 0 ? {} : { 'x-query-rules': queryRulesOf(endpoint) }),
    requestParams: {
      path: withExamples(endpoint.params, endpoint.example.params),
      query: endpoint.list ? query.extend(listQueryOf(endpoint)) : query,
      header: requestHeadersOf(endpoint),
    },
    ...(endpoint.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: endpoint.body, example: endpoint.example.body } },
          },
        }),
    responses: responsesOf(endpoint),
  };
};
