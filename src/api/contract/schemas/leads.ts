import { z } from 'zod';
import { COMPANY_SIZES, JOB_FUNCTIONS, SENIORITIES } from '../../../read/leads.ts';
import { text } from '../parse-request.ts';

/** ISO 3166-1 alpha-2, in any case. */
const country = () =>
  z
    .string()
    .length(2)
    .regex(/^[A-Za-z]{2}$/, 'must be an ISO 3166-1 alpha-2 code, as DE')
    .transform((code) => code.toUpperCase())
    .describe('ISO 3166-1 alpha-2.');

/** Filters that companies and people share. */
const sharedFilters = {
  country: country().optional(),
  q: text(1, 100).optional().describe('Prefix of the slug. For a name, write dashes for spaces.'),
};

const industry = text(1, 200)
  .optional()
  .describe('Industry as the page shows it; case, accents and punctuation make no difference.');
const size = z.enum(COMPANY_SIZES).optional().describe('Employees.');

export const companyFilters = { industry, size, ...sharedFilters };

export const decisionMakerFilters = {
  seniority: z
    .enum([...SENIORITIES, 'any'])
    .optional()
    .describe(
      'Default: `owner`, `cxo`, `partner`, `vp` and `director`. `any` is everyone, including people whose title shows no seniority.',
    ),
  function: z.enum(JOB_FUNCTIONS).optional(),
  company: text(1, 1_024).optional().describe('Slug of the employer.'),
  industry: industry.describe('Industry of the employer.'),
  size: size.describe('Employees of the employer.'),
  ...sharedFilters,
};

const instant = z.iso.datetime();
const count = z.int().nonnegative().nullable();

/** Times of the values that the last reading did not show. */
const measured_at = z
  .object({
    facts: instant.optional().describe('When the facts were read; a page shows all of them together.'),
    followers: instant.optional(),
  })
  .optional()
  .describe('When facts or followers were read, if that was before `last_seen_at`.')
  .meta({ id: 'LeadMeasuredAt' });

export const companySchema = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string().nullable(),
    industry: z.string().nullable(),
    size_band: z.enum(COMPANY_SIZES).nullable(),
    employees: count,
    headquarters: z.string().nullable(),
    country: z.string().nullable(),
    website: z.string().nullable(),
    founded: z.int().nullable(),
    followers: count,
    description: z.string().nullable(),
    specialties: z.array(z.string()),
    last_seen_at: instant,
    measured_at,
  })
  .meta({ id: 'Company' });

export const EXAMPLE_COMPANY: z.output<typeof companySchema> = {
  id: 'acme',
  slug: 'acme',
  name: 'Acme',
  industry: 'Metalworking',
  size_band: '51-200',
  employees: 143,
  headquarters: 'Graz, Styria',
  country: 'AT',
  website: 'https://acme.example/',
  founded: 1920,
  followers: 12_000,
  description: 'Anvils since 1920.',
  specialties: ['anvils', 'rockets'],
  last_seen_at: '2026-11-22T08:16:26.281Z',
};

export const decisionMakerSchema = z
  .object({
    id: z.string(),
    name: z.string().nullable(),
    title: z.string().nullable(),
    seniority: z.enum(SENIORITIES).nullable(),
    function: z.enum(JOB_FUNCTIONS).nullable(),
    company: z.object({ id: z.string().nullable(), name: z.string().nullable() }).nullable(),
    location: z.string().nullable(),
    country: z.string().nullable(),
    profile_url: z.string(),
    last_seen_at: instant,
    measured_at,
  })
  .meta({ id: 'DecisionMaker' });
