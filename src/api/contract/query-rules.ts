import { type ErrorDetail, ServiceError } from '../../kernel/errors.ts';

/**
 * A rule between parameters of a query, which no schema of a single parameter can state: `least` is at most `most`; exactly
 * one or at most one of `fields` is present; or all or none of them are (`together`). The OpenAPI document shows the rules
 * of an operation as `x-query-rules`.
 */
export type QueryRule<Field extends string = string> =
  | { readonly kind: 'ordered'; readonly least: Field; readonly most: Field }
  | { readonly kind: 'exactly_one'; readonly fields: readonly Field[] }
  | { readonly kind: 'at_most_one'; readonly fields: readonly Field[] }
  | { readonly kind: 'together'; readonly fields: readonly Field[] };

/** @throws {ServiceError} `invalid_request` if a query violates one of the rules. */
export const checkQueryRules = (
  rules: readonly QueryRule[],
  query: Readonly<Record<string, unknown>>,
): void => {
  for (const rule of rules) {
    const violation = violationOf(rule, query);
    if (violation !== null)
      throw new ServiceError('invalid_request', violation.message, { details: [violation.detail] });
  }
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The number by which a bound is compared: itself, or its time; null if it is neither. */
const orderOf = (bound: unknown): number | null => {
  if (typeof bound === 'number') return bound;
  return typeof bound === 'string' ? Date.parse(bound) : null;
};

/** How a query violates a rule; null if it conforms. @param query the parsed query. */
const violationOf = (
  rule: QueryRule,
  query: Readonly<Record<string, unknown>>,
): { readonly message: string; readonly detail: ErrorDetail } | null => {
  if (rule.kind === 'exactly_one' || rule.kind === 'at_most_one') {
    const present = rule.fields.filter((field) => query[field] !== undefined).length;
    if (present === 1 || (present === 0 && rule.kind === 'at_most_one')) return null;
    const how = rule.kind === 'exactly_one' ? 'exactly' : 'at most';
    const message = `${how} one of ${rule.fields.join(' and ')} is expected`;
    return { message: `${capitalized(message)}.`, detail: { path: 'query', message } };
  }
  if (rule.kind === 'together') {
    const present = rule.fields.filter((field) => query[field] !== undefined).length;
    if (present === 0 || present === rule.fields.length) return null;
    const names = rule.fields.join(' and ');
    return {
      message: `${names} are expected together.`,
      detail: { path: 'query', message: `${names} are expected together` },
    };
  }
  const { least, most } = rule;
  const [from, to] = [orderOf(query[least]), orderOf(query[most])];
  if (from === null || to === null || from <= to) return null;
  return {
    message: `${least} is greater than ${most}.`,
    detail: { path: `query.${least}`, message: `must not be greater than ${most}` },
  };
};
