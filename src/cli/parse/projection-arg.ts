import { OperatorError } from '../../kernel/errors/operator-error.ts';
import { PROJECTION_NAMES } from '../../projections/names.ts';
import type { Projection } from '../../projections/projection.ts';

export const projectionNames = PROJECTION_NAMES.join(', ');

/** @throws {OperatorError} where there is no projection of that name. */
export const projectionOf = async (name: string): Promise<Projection> => {
  const { projections } = await import('../../projections/registry.ts');
  const found = projections.find((projection) => projection.name === name);
  if (found === undefined)
    throw new OperatorError('argument_invalid', `"${name}" is no projection. They are: ${projectionNames}`);
  return found;
};
