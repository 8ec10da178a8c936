import { z } from 'zod';
import type { KnownKey } from '../../read/holders.ts';
import { type Plan, type Plans, scopeSchema, unitsOfCalls } from '../../write/holders/plans.ts';
import { type Endpoint, endpoint } from '../contract/endpoint.ts';
import { denialOf, planOf } from '../pipeline/access.ts';

/** `GET /v2/`: the endpoints, the key's scopes, and what the key may call. */
export const capabilitiesEndpoint = (endpoints: readonly Endpoint[], plans: Plans): Endpoint =>
  endpoint({
    operation: 'getCapabilities',
    group: 'root',
    method: 'GET',
    path: '/',
    scope: null,
    meter: 'free',
    list: false,
    summary: 'What your key may call',
    description:
      'Lists every endpoint with its scope, the cost of a call, and whether your key may call it. If it may not, the entry has the error that a call would return.',
    params: z.strictObject({}),
    query: z.strictObject({}),
    data: dataSchema,
    errors: [],
    example: {
      data: {
        plan: 'growth',
        scopes: ['accounts:read'],
        endpoints: [
          {
            group: 'accounts',
            operation: 'checkAccount',
            method: 'GET',
            path: '/accounts/{platform}/{handle}',
            scope: 'accounts:read',
            meter: 'free',
            upstream_reads: 0,
            cost: 0,
            plan: 'free',
            allowed: true,
            reason: null,
          },
        ],
      },
    },
    handler: async ({ caller }) => ({
      data: {
        plan: caller.plan ?? plans.default.name,
        scopes: [...caller.scopes],
        endpoints: capabilitiesOf(endpoints, plans, caller),
      },
      source: 'service',
      readAtMs: null,
    }),
  });

const capabilitySchema = z.object({
  group: z.string(),
  operation: z.string(),
  method: z.enum(['GET', 'POST']),
  path: z.string().describe('Relative to the base address, which ends in `/v2`.'),
  scope: scopeSchema.nullable(),
  meter: z.enum(['free', 'catalog', 'live']),
  upstream_reads: z
    .int()
    .nonnegative()
    .describe('Maximum requests to platforms of a call, or of each of its items, including repeated ones.'),
  cost: z.int().nonnegative().describe('Units of one call, or of each of its items, on your plan.'),
  plan: z.string().nullable().describe('The lowest plan that includes it; null if none does.'),
  allowed: z.boolean(),
  reason: z.string().nullable().describe('Error code that a call would return; null if it is allowed.'),
});

const dataSchema = z
  .object({
    plan: z.string().describe('Plan of your key’s holder.'),
    scopes: z.array(scopeSchema).describe('The scopes of your key.'),
    endpoints: z.array(capabilitySchema),
  })
  .meta({ id: 'Capabilities' });

/** Units of a call, or of each item of one, on a plan. */
export const costOf = (
  plan: Plan,
  { meter, upstreamReads }: Pick<Endpoint, 'meter' | 'upstreamReads'>,
): number =>
  unitsOfCalls(plan, {
    catalog: meter === 'catalog' ? 1 : 0,
    live: meter === 'live' ? 1 : 0,
    upstream: upstreamReads,
  });

/** Endpoints that a key may call, and the reasons for the others. */
const capabilitiesOf = (endpoints: readonly Endpoint[], plans: Plans, key: KnownKey) =>
  endpoints.map((each) => {
    const { group, operation, method, path, scope, meter } = each;
    const reason = denialOf(plans, key, each);
    return {
      group,
      operation,
      method,
      path,
      scope,
      meter,
      upstream_reads: each.upstreamReads ?? 0,
      cost: costOf(planOf(plans, key) ?? plans.default, each),
      plan: (scope === null ? plans.default : plans.lowestWith(scope))?.name ?? null,
      allowed: reason === null,
      reason,
    };
  });
