import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { errorsOf } from '../../src/api/description/document.ts';

/** Errors of requests that no endpoint served. */
const OF_NO_ENDPOINT: ReadonlySet<string> = new Set(['route_not_found', 'method_not_allowed']);

const ESCAPED = /[.*+?^$()|[\]\\]/g;

const patternOf = (path: string): RegExp =>
  new RegExp(`^/v2${path.replaceAll(ESCAPED, '\\$&').replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** Checks that the error an endpoint answers is documented for it. Requests are named by method and URL. */
export const documentedCodes = (endpoints: readonly Endpoint[]) => {
  const known = endpoints
    .map((endpoint) => ({ endpoint, pattern: patternOf(endpoint.path) }))
    // If two match, the one that names more of the path applies.
    .toSorted((a, b) => a.endpoint.path.split('{').length - b.endpoint.path.split('{').length);
  return (method: 'GET' | 'POST', url: string, code: unknown): void => {
    if (typeof code !== 'string' || OF_NO_ENDPOINT.has(code)) return;
    const [path = ''] = url.split('?');
    const asked = known.find(({ endpoint, pattern }) => endpoint.method === method && pattern.test(path));
    const documented: readonly string[] | null = asked === undefined ? null : errorsOf(asked.endpoint);
    if (documented === null || documented.includes(code)) return;
    throw new Error(`${asked?.endpoint.operation} answers ${code}, which it does not document`);
  };
};
