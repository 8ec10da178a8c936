import { PROJECTION_NAMES } from '../../operations/projections/projection-names.ts';

export const projectionNames = PROJECTION_NAMES.join(', ');
