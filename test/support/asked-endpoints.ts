import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import type { TestProgram } from './program.ts';

/** A request of an endpoint. */
export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly accept?: string;
}

/** An account that requests are about. */
interface Account {
  readonly platform: string;
  readonly handle: string;
  /** Of listings, findings and engines, where an example has one: that of the example otherwise. */
  readonly ids?: Readonly<Record<string, string>>;
}

/** The example of an endpoint as a request, about another account wherever it names one. */
export const requestAbout = (endpoint: Endpoint, account: Account): Asked => {
  const { method, example } = endpoint;
  const params = about({ ...example.params }, account) as Record<string, string>;
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? account.handle),
  );
  const query = about({ ...example.query }, account) as Asked['query'];
  return {
    method,
    path,
    query,
    ...(example.body === undefined ? {} : { body: about(example.body, account) }),
  };
};

export const ask = async (
  program: TestProgram,
  { method, path, query, body, accept }: Asked,
  key: string,
) => {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
  const url = `/v2${path}?${search}`;
  const response = await program.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${key}`, ...(accept === undefined ? {} : { accept }) },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  return { status: response.statusCode, url, text: response.payload, headers: response.headers };
};

const about = (value: unknown, account: Account, name = ''): unknown => {
  if (Array.isArray(value))
    return name === 'platforms' ? [account.platform] : value.map((one) => about(one, account, name));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, about(one, account, key)]));
  if (name === 'platform') return account.platform;
  if (name === 'handle' || name === 'handles') return account.handle;
  if (name === 'id') return account.ids?.[String(value)] ?? account.handle;
  return name === 'url' ? `${account.platform}:${account.handle}` : value;
};
