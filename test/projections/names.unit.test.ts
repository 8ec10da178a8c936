import { expect, it } from 'vitest';
import { PROJECTION_NAMES } from '../../src/projections/names.ts';
import { projections } from '../../src/projections/registry.ts';

it('the names that help texts list are those of the registry, in its order', () => {
  expect(projections.map(({ name }) => name)).toEqual([...PROJECTION_NAMES]);
});
