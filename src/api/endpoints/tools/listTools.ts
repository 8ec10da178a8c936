import { z } from 'zod';
import { CAUSED_BY_OTHERS } from '../../../analysis/evidence.ts';
import { PLATFORMS, platformSchema } from '../../../kernel/platform.ts';
import { type Endpoint, endpoint } from '../../contract/endpoint.ts';
import { canBeCausedByOthers } from '../../contract/schemas/tools.ts';
import { planOf } from '../../pipeline/access.ts';
import { costOf } from '../capabilities.ts';
import { loadEndpoints } from '../load-endpoints.ts';

const schemaOf = z.record(z.string(), z.unknown()).describe('A JSON Schema, draft 2020-12.');

const toolSchema = z
  .object({
    name: z.string(),
    operation: z.string(),
    path: z.string().describe('Relative to the base address.'),
    title: z.string(),
    description: z.string(),
    platforms: z
      .array(platformSchema)
      .describe(
        'Platforms that the tool serves; any other is refused with 400. Empty if the tool is about a name.',
      ),
    input_schema: schemaOf,
    output_schema: schemaOf,
    upstream_reads: z.int().nonnegative().describe('Maximum requests to platforms per call.'),
    cost: z.int().nonnegative().describe('Units of one call on your plan.'),
    method: z.string(),
    evidence: z
      .array(z.object({ kind: z.string(), can_be_caused_by_others: canBeCausedByOthers }))
      .describe('What its answers rest on, and what of it somebody else can cause.'),
  })
  .meta({ id: 'Tool' });

type Listed = Omit<z.input<typeof toolSchema>, 'cost'>;

/** Results are open: a client has to survive a new field. */
const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(schema, {
    io,
    reused: 'inline',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  }) as Record<string, unknown>;

/** The schemas are those that validate bodies and answers. */
const listedOf = ({
  operation,
  path,
  description,
  body,
  data,
  tool,
  upstreamReads = 0,
}: Endpoint): readonly Listed[] =>
  tool === undefined || body === undefined
    ? []
    : [
        {
          name: tool.name,
          operation,
          path,
          title: tool.title,
          description,
          platforms: PLATFORMS.filter((platform) => tool.platforms.includes(platform)),
          input_schema: jsonSchemaOf(body, 'input'),
          output_schema: jsonSchemaOf(data, 'output'),
          upstream_reads: upstreamReads,
          method: tool.method,
          evidence: Object.entries(CAUSED_BY_OTHERS[tool.name]).map(([kind, byOthers]) => ({
            kind,
            can_be_caused_by_others: byOthers,
          })),
        },
      ];

/** Made once: they are the same for all callers. */
let listed: Promise<readonly Listed[]> | undefined;

const readTools = (): Promise<readonly Listed[]> => {
  listed ??= loadEndpoints().then((endpoints) => endpoints.flatMap(listedOf));
  return listed;
};

export default endpoint({
  operation: 'listTools',
  group: 'tools',
  method: 'GET',
  path: '/tools',
  scope: 'tools:run',
  meter: 'free',
  list: true,
  summary: 'The tools',
  description:
    'Analysis tools, each with the schemas of its body and answer, the platforms that it serves, the maximum requests to platforms per call, and its cost on your plan.',
  params: z.strictObject({}),
  query: z.strictObject({}),
  data: z.array(toolSchema),
  errors: [],
  example: {
    data: [
      {
        name: 'username-score',
        operation: 'runUsernameScore',
        path: '/tools/username-score',
        title: 'How good a name is',
        description: 'Length, pattern and readability of a name.',
        platforms: [],
        input_schema: { type: 'object', properties: { handle: { type: 'string' } }, required: ['handle'] },
        output_schema: { type: 'object' },
        upstream_reads: 0,
        cost: 5,
        method: 'A sum of parts whose weights the answer shows.',
        evidence: [{ kind: 'name', can_be_caused_by_others: false }],
      },
    ],
  },
  handler: async ({ services, caller, limit, after }) => {
    const tools = await readTools();
    const plan = planOf(services.plans, caller) ?? services.plans.default;
    const from = after === null ? 0 : tools.findIndex(({ name }) => name === after[0]) + 1;
    const page = tools.slice(from, from + limit);
    const last = page.at(-1);
    return {
      data: page.map((each) => ({
        ...each,
        cost: costOf(plan, { meter: 'live', upstreamReads: each.upstream_reads }),
      })),
      source: 'service',
      readAtMs: null,
      next: last !== undefined && from + page.length < tools.length ? [last.name] : null,
    };
  },
});
