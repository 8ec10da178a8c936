export { JOB_FUNCTIONS, SENIORITIES, SIZE_BANDS } from '../../projections/views/leads/tables.ts';
