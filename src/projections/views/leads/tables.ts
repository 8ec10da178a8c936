import { z } from 'zod';
import { instant, int4, int8, json, name, nullable, text } from '../../table/column.ts';
import { createTables, defineTable, type RowOf } from '../../table/table.ts';
import { SIZE_BANDS } from './size-band.ts';
import {
  JOB_FUNCTIONS,
  jobFunctionSchema,
  SENIORITIES,
  type Seniority,
  senioritySchema,
} from './titles/classes.ts';

export { industryKey } from './industry.ts';
export { JOB_FUNCTIONS, SENIORITIES, SIZE_BANDS };

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
    size_band: nullable(name(z.enum(SIZE_BANDS))),
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
