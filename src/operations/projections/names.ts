import { OperatorError } from '../../kernel/errors.ts';
import { PROJECTION_NAMES } from '../../projections/names.ts';
import type { Projection } from '../../projections/projection.ts';
import { projections } from '../../projections/registry.ts';

/** @throws {OperatorError} `projection_unknown` */
export const projectionNamed = (name: string): Projection => {
  const found = projections.find((projection) => projection.name === name);
  if (found !== undefined) return found;
  throw new OperatorError(
    'projection_unknown',
    `"${name}" is no projection. The projections are: ${PROJECTION_NAMES.join(', ')}`,
  );
};

/** The named projections; all where none are named. @throws {OperatorError} `projection_unknown` */
export const projectionsNamed = (names: readonly string[] | undefined): readonly Projection[] =>
  names === undefined ? projections : names.map(projectionNamed);

/** A reason that the log keeps with what an operator did. @throws {OperatorError} `reason_missing` */
export const requireReason = (text: string): string => {
  const reason = text.trim();
  if (reason !== '') return reason;
  throw new OperatorError('reason_missing', 'A reason is required: the event log keeps it.');
};
