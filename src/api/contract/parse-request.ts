import { z } from 'zod';
import { type Zone, zoneOffsets } from '../../analysis/local-time.ts';
import { isoOf } from '../../kernel/clock.ts';
import { ERRORS, ServiceError } from '../../kernel/errors.ts';
import { isStorable } from '../../kernel/text.ts';
import { type CursorPosition, cursorScope } from '../../read/keyset.ts';
import type { Services } from '../services.ts';
import type { Endpoint } from './endpoint.ts';
import { checkQueryRules, type QueryRule } from './query-rules.ts';

/** An integer in a query string: digits only. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,16}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ override: described({ type: 'integer', minimum: min, maximum: max }) });

/** `true` or `false` in a query string. */
export const flag = () =>
  z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .meta({ override: described({ type: 'boolean' }) });

/** Storable text of `min` to `max` code points, as JSON Schema counts them; no NUL. */
export const text = (min: number, max: number) =>
  z
    .string()
    // Cheap bound first; code points are counted last.
    .max(2 * max, `must have ${min} to ${max} characters`)
    .refine(isStorable, 'must be well-formed Unicode without NUL')
    .refine((query) => {
      const { length } = Array.from(query);
      return length >= min && length <= max;
    }, `must have ${min} to ${max} characters`)
    .meta({
      override: described({ type: 'string', minLength: min, maxLength: max, pattern: '^[^\\u0000]*$' }),
    });

/** An ISO 8601 time in a query string, parsed to UTC text. */
export const time = () =>
  z
    .string()
    .regex(TIME_PATTERN, 'must be an ISO 8601 time of the years 1 to 9999, as 2026-11-21T08:00:00Z')
    .transform(timestampOf)
    .meta({ override: described({ type: 'string', format: 'date-time', pattern: TIME }) });

/** Whether pages of a list are answered in other formats than JSON. */
export const isExportable = ({ list, maxLimit = MAX_LIMIT }: Pick<Endpoint, 'list' | 'maxLimit'>): boolean =>
  list && maxLimit > MAX_LIMIT;

/** Maximum rows of a page of a list that can be exported. */
export const EXPORT_LIMIT = 1_000;
/** Maximum rows of a page of the follower graph, whose rows are short. */
export const MAX_EDGES = 5_000;

/** Units that a page with this many rows costs. */
export const unitsOfRows = (rows: number): number => Math.max(1, Math.ceil(rows / ROWS_PER_UNIT));

/** Query parameters of a list. */
export const listQueryOf = ({ maxLimit = MAX_LIMIT, isFeed }: Pick<Endpoint, 'maxLimit' | 'isFeed'>) => ({
  limit: wholeNumber(1, maxLimit)
    .optional()
    .describe(
      `Maximum items per page; default ${Math.min(DEFAULT_LIMIT, maxLimit)}.${maxLimit > ROWS_PER_UNIT ? ` A page costs one unit for every ${ROWS_PER_UNIT} rows or part of them.` : ''}`,
    ),
  cursor: text(1, 2_048).optional().describe('`meta.next_cursor` of the previous page.'),
  ...(isFeed === true
    ? {
        after: z
          .enum(['now'])
          .optional()
          .describe(
            '`now` returns an empty page whose `meta.resume_cursor` starts at the rows added from now on.',
          ),
      }
    : {}),
});

/** Rules between parameters of an endpoint's query. */
export const queryRulesOf = ({ queryRules = [], isFeed }: Endpoint): readonly QueryRule[] =>
  isFeed === true ? [...queryRules, ...FEED_RULES] : queryRules;

/** The parsed input of a request. */
export interface Input {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly after: CursorPosition | null;
  /** Whether the caller wants only rows that are added to a feed from now on. */
  readonly isFromNow: boolean;
  readonly limit: number;
  /** The scope that the page's cursor is bound to. */
  readonly scope: string;
}

/** Creates the parser of an endpoint's requests. */
export const createRequestParser = (endpoint: Endpoint, cursors: Services['cursors']) => {
  const schema =
    endpoint.list && endpoint.query instanceof z.ZodObject
      ? endpoint.query.extend(listQueryOf(endpoint))
      : endpoint.query;
  const rules = queryRulesOf(endpoint);
  const pageOf = endpoint.list
    ? (query: Record<string, unknown>, params: unknown) => {
        const { limit, cursor, after, ...filters } = query;
        const scope = cursorScope(endpoint.operation, { ...(params as object), ...filters });
        return {
          limit: (limit as number | undefined) ?? DEFAULT_LIMIT,
          scope,
          after: cursor === undefined ? null : cursors.decode(scope, cursor as string),
          isFromNow: after === 'now',
          query: filters,
        };
      }
    : (query: Record<string, unknown>) => ({
        limit: 0,
        scope: '',
        after: null,
        isFromNow: false,
        query,
      });

  return (raw: { params: unknown; query: unknown; body: unknown }): Input => {
    const params = parse(endpoint.params, raw.params, 'params');
    const query = parse(schema, raw.query, 'query') as Record<string, unknown>;
    checkQueryRules(rules, query);
    const body = endpoint.body === undefined ? undefined : parse(endpoint.body, raw.body ?? null, 'body');
    return { params, body, ...pageOf(query, params) };
  };
};

/**
 * Describes what is wrong with a value. The texts are this API's own, since those of the validation library change with its
 * versions.
 * @param issue an issue of a schema without a message of its own.
 */
export const issueText = (issue: Issue): string => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_small':
    case 'too_big':
      return bound(issue);
    case 'unrecognized_keys':
      return `unknown: ${issue.keys.join(', ')}`;
    case 'invalid_format':
      return issue.format === 'datetime' ? 'must be an ISO 8601 time' : 'has the wrong format';
    default:
      return 'is not valid';
  }
};

/**
 * A time zone by any of its names.
 * @param path of the parameter, for errors.
 * @throws {ServiceError} `invalid_request` for an unknown time zone.
 */
export const zoneOf = (timezone: string, path: string): Zone => {
  try {
    return zoneOffsets(timezone);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ServiceError('invalid_request', 'This is no time zone.', {
      details: [{ path, message: 'must be an IANA time zone, as Europe/Berlin' }],
    });
  }
};

/** Replaces the schema of a parameter's text form by the schema of its value. */
const described =
  (as: Readonly<Record<string, unknown>>) =>
  ({ jsonSchema }: { jsonSchema: object }): void => {
    for (const name of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, name);
    Object.assign(jsonSchema, as);
  };

const DATE =
  '(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29|[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';
const CLOCK = '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]';
/** Years 1 to 9999 in UTC: offsets on the first and last day must not leave that range. */
const WITHIN = '(?!0000|0001-01-01T.*[+]|9999-12-31T.*-[0-9]{2}:[0-9]{2}$)';
const TIME = `^${WITHIN}(?:${DATE})T${CLOCK}(?:[.][0-9]{1,40})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$`;
const TIME_PATTERN = new RegExp(TIME);
/** Canonical form: UTC, at most microseconds. */
const KEPT = /^.{19}(?:[.][0-9]{1,6})?Z$/;

/** Converts an ISO 8601 time to UTC with microseconds, since the database accepts fewer offsets and digits. */
const timestampOf = (time: string): string => {
  if (KEPT.test(time)) return time;
  const [, digits = '0'] = /[.]([0-9]+)/.exec(time) ?? [];
  return `${isoOf(Date.parse(time)).slice(0, 19)}.${digits.slice(0, 6)}Z`;
};

const DEFAULT_LIMIT = 25;

const MAX_LIMIT = 100;

/** Rows of a page that one unit pays for. */
const ROWS_PER_UNIT = 100;

const FEED_RULES: readonly QueryRule[] = [{ kind: 'at_most_one', fields: ['after', 'cursor'] }];

const parse = (schema: z.ZodType, value: unknown, root: string): unknown => {
  const result = schema.safeParse(value, { error: issueText });
  if (result.success) return result.data;
  throw new ServiceError('invalid_request', `${ERRORS.invalid_request.title}: see \`details\`.`, {
    details: result.error.issues.map(({ path, message }) => ({ path: [root, ...path].join('.'), message })),
  });
};

type Issue = z.core.$ZodRawIssue;

const KINDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const UNITS: Readonly<Record<string, string>> = { string: ' character', array: ' item', set: ' item' };

const bound = (issue: Extract<Issue, { code: 'too_small' | 'too_big' }>): string => {
  const isLeast = issue.code === 'too_small';
  const [limit, how] = isLeast ? [issue.minimum, 'at least'] : [issue.maximum, 'at most'];
  const exclusive = isLeast ? 'more than' : 'less than';
  const unit = UNITS[issue.origin];
  const verb = unit === undefined ? 'be' : 'have';
  return `must ${verb} ${issue.inclusive === false ? exclusive : how} ${limit}${unit === undefined ? '' : `${unit}${Number(limit) === 1 ? '' : 's'}`}`;
};
