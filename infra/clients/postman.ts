import { GROUPS } from '../../src/api/contract/endpoint.ts';
import type { Contract, Operation, Parameter } from './contract.ts';

/** A request of an operation, with its example; parameters that the example leaves out are there, and switched off. */
const requestOf = ({ name, method, path, summary, description, parameters, example }: Operation) => {
  const values = (place: Parameter['in']) =>
    parameters
      .filter((each) => each.in === place)
      .map((each) => ({
        key: each.name,
        value: String(example[each.name] ?? each.schema.enum?.[0] ?? ''),
        ...(each.schema.description === undefined ? {} : { description: each.schema.description }),
        ...(place === 'query' && example[each.name] === undefined ? { disabled: true } : {}),
      }));
  const query = values('query');
  const search = query
    .filter((each) => each.disabled !== true)
    .map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  const address = `/v2${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const body = Object.fromEntries(
    parameters.flatMap((each) =>
      each.in === 'body' && example[each.name] !== undefined ? [[each.name, example[each.name]]] : [],
    ),
  );
  return {
    name: summary,
    request: {
      method,
      description: `\`${name}\`\n\n${description}`,
      header: method === 'POST' ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : [],
      url: {
        raw: `{{url}}${address}${search.length === 0 ? '' : `?${search.join('&')}`}`,
        host: ['{{url}}'],
        path: address.slice(1).split('/'),
        query,
        variable: values('path'),
      },
      ...(method === 'POST'
        ? {
            body: {
              mode: 'raw',
              raw: JSON.stringify(body, null, 2),
              options: { raw: { language: 'json' } },
            },
          }
        : {}),
    },
  };
};

/** A collection of Postman, version 2.1: a folder a group, a request an operation. */
export const postmanOf = ({ operations }: Contract) => {
  const itemsOf = (wanted: string) => operations.filter(({ group }) => group === wanted).map(requestOf);
  const folders = Object.entries(GROUPS).map(([name, description]) => ({
    name,
    description,
    item: itemsOf(name),
  }));
  return {
    info: {
      name: 'Sightline',
      description: 'Set the variables `key`, and `url` unless it is the demo’s.',
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'url', value: 'http://127.0.0.1:8080' },
      { key: 'key', value: '' },
    ],
    item: [...itemsOf('root'), ...folders],
  };
};
