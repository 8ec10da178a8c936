import { expect, it } from 'vitest';
import collection from '../../clients/postman.json' with { type: 'json' };
import { openApiDocument } from '../../src/api/description/document.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { publishedPlans } from '../../src/write/holders/plans.ts';

interface Value {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

interface Item {
  readonly name: string;
  readonly item?: readonly Item[];
  readonly request?: {
    readonly method: string;
    readonly description: string;
    readonly header: readonly Value[];
    readonly url: {
      readonly raw: string;
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly query: readonly Value[];
      readonly variable: readonly Value[];
    };
    readonly body?: { readonly raw: string };
  };
}

const endpoints = await loadEndpoints();
const folders: readonly Item[] = collection.item;
const requests = folders.flatMap(({ name, item, request }) =>
  (item ?? [{ name, request }]).map((each) => ({
    folder: item === undefined ? 'root' : name,
    operation: /^`(\w+)`/.exec(each.request?.description ?? '')?.[1] ?? '',
    request: each.request as NonNullable<Item['request']>,
  })),
);
const recordOf = (values: readonly Value[]) =>
  Object.fromEntries(
    values.filter(({ disabled }) => disabled !== true).map(({ key, value }) => [key, value]),
  );

it('the collection of Postman has every operation once, with its method and address', () => {
  const { paths } = openApiDocument(endpoints, publishedPlans('A')) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method} /v2${path}`),
  );
  const collected = requests.map(({ operation, request: { method, url } }) => {
    const path = `/${url.path.join('/')}`;
    expect(url.host).toEqual(['{{url}}']);
    expect(url.raw.replace(/\?.*/, '')).toBe(`{{url}}${path}`);
    const search = new URLSearchParams(url.raw.split('?')[1]);
    expect(Object.fromEntries(search)).toEqual(recordOf(url.query));
    return `${operation} ${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`;
  });
  expect(collected.toSorted()).toEqual(described.toSorted());
});

it('each request of the collection is one that its endpoint takes, and is in the folder of its group', () => {
  const endpointOf = new Map(endpoints.map((endpoint) => [endpoint.operation, endpoint]));
  for (const { folder, operation, request } of requests) {
    const endpoint = endpointOf.get(operation);
    expect(folder, operation).toBe(endpoint?.group ?? 'root');
    const { url, method, header, body } = request;
    expect(endpoint?.params?.safeParse(recordOf(url.variable)).success ?? true, operation).toBe(true);
    expect(endpoint?.query?.safeParse(recordOf(url.query)).success ?? true, operation).toBe(true);
    expect(header, operation).toEqual(
      method === 'POST' ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : [],
    );
    if (method === 'POST')
      expect(endpoint?.body?.safeParse(JSON.parse(body?.raw ?? '')).success, operation).toBe(true);
  }
});
