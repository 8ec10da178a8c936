import { z } from 'zod';
import { ERRORS, Failure } from '../kernel/errors.ts';
import type { CursorPosition } from '../read/cursor.ts';
import { cursorScope } from '../read/cursor.ts';
import type { Endpoint } from './endpoint.ts';
import { detailsOf } from './plugins/errors.ts';
import type { Services } from './services.ts';

/** A whole number in a query string: digits and nothing else. */
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(least).max(most))
    .meta({ override: { type: 'integer', minimum: least, maximum: most } });

/** `true` or `false` in a query string. */
export const flag = () =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ override: { type: 'boolean' } });

/** A time in a query string, as ISO 8601 UTC. */
export const time = () =>
  z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time, as 2026-11-21T08:00:00Z' });

const DEFAULT_LIMIT = 25;

/** What every list takes besides its own query. */
export const listQuery = {
  limit: wholeNumber(1, 100)
    .optional()
    .describe(`Most items of the page; ${DEFAULT_LIMIT} where it is not given.`),
  cursor: z.string().min(1).max(2_048).optional().describe('`meta.next_cursor` of the page before.'),
};

/** The parsed input of a request. */
export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly after: CursorPosition | null;
  readonly limit: number;
  /** What the page's own cursor is bound to. */
  readonly scope: string;
}

const parse = (schema: z.ZodType, value: unknown, root: string): unknown => {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new Failure('invalid_request', `${ERRORS.invalid_request.title}: see \`details\`.`, {
    details: detailsOf(result.error, root),
  });
};

/** What parses the requests of one endpoint; made once. */
export const createInput = (endpoint: Endpoint, cursors: Services['cursors']) => {
  const query =
    endpoint.list && endpoint.query instanceof z.ZodObject
      ? endpoint.query.extend(listQuery)
      : endpoint.query;
  const listed = endpoint.list
    ? (given: Record<string, unknown>, params: unknown) => {
        const { limit, cursor, ...filters } = given;
        const scope = cursorScope(endpoint.operation, { ...(params as object), ...filters });
        return {
          limit: (limit as number | undefined) ?? DEFAULT_LIMIT,
          scope,
          after: cursor === undefined ? null : cursors.decode(scope, cursor as string),
          query: filters,
        };
      }
    : (given: Record<string, unknown>) => ({ limit: 0, scope: '', after: null, query: given });

  return (raw: { params: unknown; query: unknown; body: unknown }): Input => {
    const params = parse(endpoint.params, raw.params, 'params');
    const given = parse(query, raw.query, 'query') as Record<string, unknown>;
    const body = endpoint.body === undefined ? undefined : parse(endpoint.body, raw.body ?? null, 'body');
    return { params, body, ...listed(given, params) };
  };
};
