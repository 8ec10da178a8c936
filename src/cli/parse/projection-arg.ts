import { OperatorError } from '../../kernel/errors/operator-error.ts';
import type { Projection } from '../../projections/projection.ts';
import { projections } from '../../projections/registry.ts';

export const projectionNames = projections.map((projection) => projection.name).join(', ');

/** @throws {OperatorError} where there is no projection of that name. */
export const projectionOf = (name: string): Projection => {
  const found = projections.find((projection) => projection.name === name);
  if (found === undefined)
    throw new OperatorError('argument_invalid', `"${name}" is no projection. They are: ${projectionNames}`);
  return found;
};
