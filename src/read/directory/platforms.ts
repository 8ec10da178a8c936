export { DIRECTORY_PLATFORMS } from '../../projections/directory/rows.ts';
