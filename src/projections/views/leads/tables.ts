import { z } from 'zod';
import {
  createTables,
  defineTable,
  instant,
  int4,
  int8,
  json,
  name,
  nullable,
  type RowOf,
  text,
} from '../../table/table.ts';

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

/** LinkedIn's bands of employees. */
export const COMPANY_SIZES = [
  '1',
  '2-10',
  '11-50',
  '51-200',
  '201-500',
  '501-1000',
  '1001-5000',
  '5001-10000',
  '10001+',
] as const;

export type SizeBand = (typeof COMPANY_SIZES)[number];

const lowest = (band: SizeBand): number => Number.parseInt(band, 10);

const bandOf = (employees: number): SizeBand | null =>
  COMPANY_SIZES.findLast((band) => lowest(band) <= employees) ?? null;

/** First number of a text, whatever separates its thousands. */
const FIRST_NUMBER = /\d{1,3}(?:[.,'’\s\u00a0\u202f]\d{3})+|\d+/;

/**
 * The band of a company's size; null if it is unknown.
 * @param size as shown, as `1,001-5,000 employees` or `51 à 200 salariés`.
 * @param employees a number that the page states apart; decides only if no size is shown.
 */
export const sizeBand = (size: string | null, employees: number | null): SizeBand | null => {
  const first = FIRST_NUMBER.exec(size ?? '')?.[0].replaceAll(/\D/g, '');
  const from = first === undefined || first.length > 9 ? employees : Number(first);
  return from === null || from === 0 ? null : bandOf(from);
};

/** Longest key of an industry, which is part of indexes. */
const MAX_CHARS = 200;

/** An industry in a form that is equal however it is written: `IT Services & Consulting` is `it-services-and-consulting`. */
export const industryKey = (industry: string | null): string | null => {
  const key = (industry ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, MAX_CHARS)
    .normalize('NFC');
  return key === '' ? null : key;
};

/** When the oldest of the facts was shown. */
const facts_at = instant();

/** The facts of a company page as last read, with their classes. */
export const companyTable = defineTable(
  'companies',
  {
    slug: name(),
    observed_at: instant(),
    facts_at,
    name: nullable(text()),
    description: nullable(text()),
    /** As shown. */
    industry: nullable(text()),
    industry_key: nullable(name()),
    size_band: nullable(name(z.enum(COMPANY_SIZES))),
    employees: nullable(int8()),
    headquarters: nullable(text()),
    /** ISO 3166-1 alpha-2. */
    country: nullable(name()),
    founded: nullable(int4()),
    website: nullable(text()),
    specialties: nullable(json(z.array(z.string()) as z.ZodType<readonly string[]>)),
  },
  { key: ['slug'] },
);
export type CompanyRow = RowOf<typeof companyTable>;

/** The facts of a person's page as last read, with their classes. */
export const decisionMakerTable = defineTable(
  'decision_makers',
  {
    slug: name(),
    observed_at: instant(),
    facts_at,
    name: nullable(text()),
    title: nullable(text()),
    seniority: nullable(name(senioritySchema)),
    job_function: nullable(name(jobFunctionSchema)),
    company_slug: nullable(name()),
    company_name: nullable(text()),
    location: nullable(text()),
    country: nullable(name()),
  },
  { key: ['slug'] },
);
export type DecisionMakerRow = RowOf<typeof decisionMakerTable>;

export const tables = (schema: string): string => createTables(schema, [companyTable, decisionMakerTable]);

/** All combinations of some columns. */
const combinations = ([first, ...rest]: readonly string[]): readonly (readonly string[])[] => {
  if (first === undefined) return [[]];
  const others = combinations(rest);
  return [...others, ...others.map((each) => [first, ...each])];
};

/** An index for each combination of filters, followed by the slug: pages of any of them are in index order. */
const filterIndexes = (table: string, columns: readonly string[]): string =>
  combinations(columns)
    .filter((each) => each.length > 0)
    .map((each) => `create index on ${table} (${[...each, 'slug'].join(', ')});`)
    .join('\n');

const DECISIVE: readonly Seniority[] = ['owner', 'cxo', 'partner', 'vp', 'director'];

/** Who makes decisions. Readers repeat the predicate of the partial indexes verbatim. */
export const IS_DECISION_MAKER = `seniority in (${DECISIVE.map((each) => `'${each}'`).join(', ')})`;

/** For each combination of filters and none, as people are listed by default. */
const decisionMakerIndexes = (table: string): string =>
  [...combinations(['job_function', 'country']), ['company_slug']]
    .map((each) => `create index on ${table} (${[...each, 'slug'].join(', ')}) where ${IS_DECISION_MAKER};`)
    .join('\n');

export const indexes = (schema: string): string => `
${decisionMakerIndexes(`${schema}.decision_makers`)}
${filterIndexes(`${schema}.companies`, ['industry_key', 'size_band', 'country'])}
${filterIndexes(`${schema}.decision_makers`, ['seniority', 'job_function', 'country'])}
create index on ${schema}.decision_makers (company_slug, slug);
`;
