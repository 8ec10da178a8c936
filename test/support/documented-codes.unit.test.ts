import { expect, it } from 'vitest';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { documentedCodes } from './documented-codes.ts';

const check = documentedCodes(await loadEndpoints());

it('an undocumented error of an endpoint is a failure, and one outside endpoints is not', () => {
  expect(() => check('POST', '/v2/tools/username-score', 'insufficient_data')).toThrow(
    'runUsernameScore answers insufficient_data',
  );
  expect(() => check('POST', '/v2/tools/follower-audit', 'insufficient_data')).not.toThrow();
  expect(() => check('GET', '/v2/nowhere?handle=nasa', 'insufficient_data')).not.toThrow();
  expect(() => check('POST', '/v2/tools/username-score', 'route_not_found')).not.toThrow();
  expect(() => check('POST', '/v2/tools/username-score', undefined)).not.toThrow();
});
