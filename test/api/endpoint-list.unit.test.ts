import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { publishedPlans } from '../../src/write/holders/plans.ts';

const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');
const LIST = read('../fixtures/endpoints.csv').trim();
const SPECIFIED = new URL('../../../shared/spec/endpoints.csv', import.meta.url);

it('the endpoints match the list: path, scope, meter and lowest plan', async () => {
  const plans = publishedPlans('A');
  const [, ...listed] = LIST.split('\n');
  const loaded = (await loadEndpoints()).map(({ group, method, path, operation, scope, meter, list }) =>
    [
      group,
      method,
      path,
      operation,
      scope,
      meter,
      scope === null ? '' : plans.lowestWith(scope)?.name,
      list ? 'yes' : 'no',
    ].join(','),
  );
  expect(loaded.sort()).toEqual(listed.sort());
  expect(loaded).toHaveLength(74);
});

const isSpecified = existsSync(SPECIFIED);
if (!isSpecified)
  console.log('The specification is not there: the list of endpoints is not compared with it.');

it.skipIf(!isSpecified)('the list matches the specification', () => {
  expect(LIST).toBe(readFileSync(SPECIFIED, 'utf8').trim());
});
