/** Apart from the projections themselves, so that a command's help loads none of them. */
export { PROJECTION_NAMES } from '../../projections/names.ts';
