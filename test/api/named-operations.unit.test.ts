import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';

it('each operation of the API is named by a test', async () => {
  const tests = globSync('test/api/**/*.test.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const operations = (await loadEndpoints()).map(({ operation }) => operation);
  expect(operations.filter((operation) => !new RegExp(`['\`, ]${operation}\\b`).test(tests))).toEqual([]);
});
