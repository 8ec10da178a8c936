import type { Table } from '../../engine/bulk-upsert.ts';
import type { SizeBand } from './size-band.ts';
import type { JobFunction, Seniority } from './titles/classes.ts';

export { industryKey } from './industry.ts';
export { SIZE_BANDS } from './size-band.ts';
export { JOB_FUNCTIONS, SENIORITIES } from './titles/classes.ts';

/** The facts of a company page as last read, with their classes. */
export interface CompanyRow {
  readonly slug: string;
  readonly observed_at: string;
  readonly name: string | null;
  readonly description: string | null;
  /** As shown. */
  readonly industry: string | null;
  readonly industry_key: string | null;
  readonly size_band: SizeBand | null;
  readonly employees: number | null;
  readonly headquarters: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
  readonly founded: number | null;
  readonly website: string | null;
  readonly specialties: readonly string[] | null;
}

export const companyTable: Table<CompanyRow> = {
  name: 'companies',
  columns: {
    slug: 'text',
    observed_at: 'timestamptz',
    name: 'text',
    description: 'text',
    industry: 'text',
    industry_key: 'text',
    size_band: 'text',
    employees: 'bigint',
    headquarters: 'text',
    country: 'text',
    founded: 'integer',
    website: 'text',
    specialties: 'jsonb',
  },
  key: ['slug'],
};

/** The facts of a person's page as last read, with their classes. */
export interface DecisionMakerRow {
  readonly slug: string;
  readonly observed_at: string;
  readonly name: string | null;
  readonly title: string | null;
  readonly seniority: Seniority | null;
  readonly job_function: JobFunction | null;
  readonly company_slug: string | null;
  readonly company_name: string | null;
  readonly location: string | null;
  readonly country: string | null;
}

export const decisionMakerTable: Table<DecisionMakerRow> = {
  name: 'decision_makers',
  columns: {
    slug: 'text',
    observed_at: 'timestamptz',
    name: 'text',
    title: 'text',
    seniority: 'text',
    job_function: 'text',
    company_slug: 'text',
    company_name: 'text',
    location: 'text',
    country: 'text',
  },
  key: ['slug'],
};

export const tables = (schema: string): string => `
create table ${schema}.companies (
  slug text collate "C" primary key, observed_at timestamptz not null, name text, description text, industry text,
  industry_key text collate "C", size_band text collate "C", employees bigint, headquarters text, country text collate "C",
  founded integer, website text, specialties jsonb
);
create table ${schema}.decision_makers (
  slug text collate "C" primary key, observed_at timestamptz not null, name text, title text, seniority text collate "C",
  job_function text collate "C", company_slug text collate "C", company_name text, location text, country text collate "C"
);
`;

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

export const indexes = (schema: string): string => `
${filterIndexes(`${schema}.companies`, ['industry_key', 'size_band', 'country'])}
${filterIndexes(`${schema}.decision_makers`, ['seniority', 'job_function', 'country'])}
create index on ${schema}.decision_makers (company_slug, slug);
`;
