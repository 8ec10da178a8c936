import { expect, it } from 'vitest';
import { FetchError, type Http } from '../../src/crawlers/http/port.ts';
import { X_OPERATIONS } from '../../src/crawlers/platforms/x/graphql.ts';
import { parseConfig } from '../../src/kernel/config.ts';
import { openRegistry } from '../../src/runtime/crawler-http.ts';
import { nothingErased } from '../support/erasures.ts';

/** Paths of the GraphQL requests that an adapter of these settings sends. */
const askedWith = async (setting: string | undefined): Promise<readonly string[]> => {
  const config = parseConfig(setting === undefined ? {} : { X_OPERATIONS: setting });
  const x = openRegistry({ config, ...nothingErased }).adapterOf('x');
  const asked = new Set<string>();
  const http: Http = {
    fetch: async ({ url }) => {
      const { host, pathname } = new URL(url);
      if (host === 'api.x.com') asked.add(pathname);
      throw new FetchError('http_error', 'nothing answers');
    },
    close: async () => undefined,
  };
  await x.read({ kind: 'handle', handle: 'nasa' }, { http, posts: true });
  await x.read({ kind: 'id', id: '12' }, { http, posts: true });
  await x.readPosts?.('12', { http, cursor: null, limit: 20 });
  await x.readPost?.('12', { http });
  await x.readFollows?.('12', 'followers', { http, cursor: null });
  await x.readFollows?.('12', 'following', { http, cursor: null });
  await x.visibility?.search('nasa', http);
  await x.visibility?.thread('12', null, http);
  return [...asked].sort();
};

it('query ids of X come from the setting, with new names where X renamed operations', async () => {
  const setting = X_OPERATIONS.map((name, i) => `${name}=query${i}${i === 0 ? '/Renamed' : ''}`).join(',');
  const expected = X_OPERATIONS.map((name, i) => `/graphql/query${i}/${i === 0 ? 'Renamed' : name}`);
  expect(await askedWith(setting)).toEqual([...expected].sort());
});

it('query ids without a setting are the project’s own', async () => {
  const asked = await askedWith(undefined);
  expect(asked.map((path) => path.split('/').at(-1)).sort()).toEqual([...X_OPERATIONS].sort());
});

it('query ids of unknown operations are refused, with the known names', () => {
  const config = parseConfig({ X_OPERATIONS: 'UserMedia=abc' });
  expect(() => openRegistry({ config, ...nothingErased })).toThrow(/UserMedia; allowed: .*UserTweets/);
});
