import { z } from 'zod';
import type { LiveCall } from '../../../crawlers/live-read/live-queue.ts';
import type { ErrorCode } from '../../../kernel/errors.ts';
import { renamedTo } from '../../contract/account-ref.ts';
import {
  type Answer,
  type Endpoint,
  type EndpointRequest,
  endpoint,
  type Tool,
} from '../../contract/endpoint.ts';
import { figureAnswer } from '../../contract/figure-answer.ts';
import { NoSuchAccountError } from '../../contract/insufficient-data.ts';
import { toolCall } from '../../contract/live-call.ts';
import { resultShape } from '../../contract/schemas/tools.ts';
import { oldestInputMs } from './tool-account.ts';

const FIRST_VERSION = '1';

type Result = z.input<z.ZodObject<typeof resultShape>>;

/** A tool: its endpoint without what all tools have. */
interface ToolDefinition<Body extends z.ZodType, Data extends z.ZodRawShape> extends Tool {
  readonly operation: string;
  readonly description: string;
  /** Version of its method, which rises with what it computes; `1` by default. */
  readonly version?: string;
  readonly body: Body;
  /** Fields of the result, beside those of every tool. */
  readonly data: Data;
  readonly errors?: readonly ErrorCode[];
  /** As of `Endpoint`. */
  readonly readsLists?: boolean;
  readonly example: { readonly body: unknown; readonly data: z.input<z.ZodObject<Data>> & Result };
  readonly run: (
    body: z.output<Body>,
    request: EndpointRequest<unknown, unknown, unknown>,
    /** For reading platforms, as often as the tool states. */
    call: LiveCall,
  ) => Promise<{
    readonly result: z.input<z.ZodObject<Data>> & Result;
    /** `catalog` by default. */
    readonly source?: Answer<unknown>['source'];
    readonly coverage?: Answer<unknown>['coverage'];
    readonly warnings?: readonly string[];
  }>;
}

/** A tool's endpoint. Its answers name their inputs with the age of each, and are as old as the oldest. */
export const tool = <Body extends z.ZodType, Data extends z.ZodRawShape>({
  operation,
  description,
  version = FIRST_VERSION,
  body,
  data,
  errors = ['not_found', 'insufficient_data'],
  readsLists = false,
  example,
  run,
  ...listed
}: ToolDefinition<Body, Data>): Endpoint => {
  const { upstreamReads } = listed;
  return endpoint({
    operation,
    group: 'tools',
    method: 'POST',
    path: `/tools/${listed.name}`,
    scope: 'tools:run',
    meter: 'live',
    list: false,
    readsLists,
    methodVersion: version,
    tool: listed,
    summary: listed.title,
    description: `${description} Method: ${listed.method}`,
    params: z.strictObject({}),
    query: z.strictObject({}),
    body,
    data: z.object({ ...data, ...resultShape }),
    errors,
    example: { body: example.body, data: example.data as never },
    handler: async (request) => {
      const {
        result,
        source,
        coverage = null,
        warnings = [],
      } = await run(request.body as z.output<Body>, request, toolCall(request, upstreamReads)).catch(
        async (error: unknown) => {
          if (!(error instanceof NoSuchAccountError)) throw error;
          throw new NoSuchAccountError(error.key, await renamedTo(request.services, error.key));
        },
      );
      const readAtMs = oldestInputMs((result as Result).inputs);
      return figureAnswer({ data: result as never, source, readAtMs, coverage, warnings });
    },
  });
};
