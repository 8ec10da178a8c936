import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { type Asked, requestAbout } from '../../test/support/asked-endpoints.ts';

/** What the n-th request of an attack on an endpoint asks for: another account each time, where it names one. */
export const attackOf = (
  endpoint: Endpoint,
  handles: readonly string[],
  ids: Readonly<Record<string, string>>,
  n: number,
): Omit<Asked, 'query'> => {
  const handle = handles[n % handles.length] as string;
  const example = endpoint.example.params?.id;
  const own = ids[endpoint.group];
  const asked = requestAbout(endpoint, {
    platform: 'x',
    handle,
    ...(example === undefined || own === undefined ? {} : { ids: { [example]: own } }),
  });
  const { query, path, ...rest } = asked;
  // As a caller who wants the most: no cached reading, the largest pages.
  const wanted = Object.entries(query).filter(([name]) => name !== 'max_age_s');
  const search = new URLSearchParams(wanted.map(([name, value]) => [name, String(value)]));
  if (endpoint.list) search.set('limit', String(endpoint.maxLimit ?? 100));
  return { ...rest, path: `${path}?${search}` };
};
