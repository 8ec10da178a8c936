import { z } from 'zod';
import { type Scope, scopeSchema } from '../write/holders/events.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const capabilitySchema = z.object({
  group: z.string(),
  operation: z.string(),
  method: z.enum(['GET', 'POST']),
  path: z.string(),
  scope: scopeSchema.nullable(),
  meter: z.enum(['free', 'catalog', 'live']),
  allowed: z.boolean(),
  reason: z
    .string()
    .nullable()
    .describe('Why not, as the code that a call would answer; null where it is allowed.'),
});

const dataSchema = z
  .object({ scopes: z.array(scopeSchema), endpoints: z.array(capabilitySchema) })
  .meta({ id: 'Capabilities' });

/** What a key with these scopes may call. */
const capabilitiesOf = (endpoints: readonly Endpoint[], scopes: ReadonlySet<Scope>) =>
  endpoints.map(({ group, operation, method, path, scope, meter }) => {
    const allowed = scope === null || scopes.has(scope);
    return {
      group,
      operation,
      method,
      path: `/v2${path}`,
      scope,
      meter,
      allowed,
      reason: allowed ? null : 'scope_missing',
    };
  });

/** `GET /v2/`: which endpoints there are, which scopes the key holds, and what of it it may call. */
export const rootEndpoint = (endpoints: readonly Endpoint[]): Endpoint =>
  endpoint({
    operation: 'getCapabilities',
    group: 'root',
    method: 'GET',
    path: '/',
    scope: null,
    meter: 'free',
    plan: 'free',
    list: false,
    summary: 'What your key may call',
    description: 'Lists every endpoint with the scope it asks for, and whether your key may call it.',
    params: z.strictObject({}),
    query: z.strictObject({}),
    data: dataSchema,
    errors: [],
    example: {
      data: {
        scopes: ['accounts:read'],
        endpoints: [
          {
            group: 'accounts',
            operation: 'checkAccount',
            method: 'GET',
            path: '/v2/accounts/{platform}/{handle}',
            scope: 'accounts:read',
            meter: 'free',
            allowed: true,
            reason: null,
          },
        ],
      },
    },
    handler: async ({ caller }) => ({
      data: { scopes: [...caller.scopes], endpoints: capabilitiesOf(endpoints, caller.scopes) },
      source: 'service',
      readAtMs: null,
    }),
  });
