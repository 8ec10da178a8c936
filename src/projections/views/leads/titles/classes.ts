import { z } from 'zod';

/** From the most senior; of two jobs in a title the more senior counts. */
export const SENIORITIES = [
  'owner',
  'cxo',
  'partner',
  'vp',
  'director',
  'manager',
  'senior',
  'entry',
  'training',
] as const;

export const senioritySchema = z.enum(SENIORITIES);
export type Seniority = z.infer<typeof senioritySchema>;

export const JOB_FUNCTIONS = [
  'executive',
  'engineering',
  'product',
  'design',
  'data',
  'it',
  'marketing',
  'sales',
  'customer_success',
  'finance',
  'hr',
  'legal',
  'operations',
  'procurement',
  'research',
  'consulting',
  'media',
  'education',
  'healthcare',
  'public_sector',
  'real_estate',
  'hospitality',
  'trades',
  'administration',
  'other',
] as const;

export const jobFunctionSchema = z.enum(JOB_FUNCTIONS);
export type JobFunction = z.infer<typeof jobFunctionSchema>;
