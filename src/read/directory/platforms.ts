export { DIRECTORY_PLATFORMS } from '../../projections/views/directory/tables.ts';
