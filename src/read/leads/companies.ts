import { sql } from 'slonik';
import { z } from 'zod';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { columnsExcept } from '../../projections/table/table.ts';
import { companyTable, industryKey } from '../../projections/views/leads/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import type { ListPage } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import {
  ACCOUNT_COLUMNS,
  accountColumns,
  accountJoin,
  accountShape,
  beginsWith,
  equals,
  leadTimes,
  listLeads,
} from './lead-list.ts';

const positionSchema = z.object({ slug: z.string() });

/** Columns of the list besides its position: the company's, and what its account shows. */
const OWN = columnsExcept(companyTable, ['slug', 'observed_at', 'facts_at', 'industry_key']);

const rowSchema = positionSchema.extend({ ...rowSchemaOf(companyTable, OWN).shape, ...accountShape });

type Row = z.output<typeof rowSchema>;

const companyOf = ({ slug, ...row }: Row) => ({
  // Public pages show no native ids: the slug is what addresses a company.
  id: slug,
  slug,
  name: row.name,
  industry: row.industry,
  size_band: row.size_band,
  employees: row.employees,
  headquarters: row.headquarters,
  country: row.country,
  website: row.website,
  founded: row.founded,
  followers: row.followers,
  description: row.description,
  specialties: row.specialties ?? [],
  last_seen_at: row.last_seen_at,
  ...leadTimes(row, row.followers),
});

export type Company = ReturnType<typeof companyOf>;

export interface CompanyFilters {
  readonly industry?: string | undefined;
  readonly size?: string | undefined;
  readonly country?: string | undefined;
  readonly q?: string | undefined;
}

/** Values to compare with what the view holds. */
export const industryCondition = (industry: string | undefined): string | undefined =>
  industry === undefined ? undefined : (industryKey(industry) ?? '');

const shown = (builds: Builds) => ({
  table: sql.fragment`(select c.*, ${accountColumns('c')} from ${sql.identifier([builds.schema('leads'), 'companies'])} c
    ${accountJoin(builds, sql.fragment`'company:' || c.slug`)}) as found`,
  columns: [...OWN, ...ACCOUNT_COLUMNS],
  row: rowSchema,
  position: positionSchema,
  item: companyOf,
});

/** Companies in order of their slugs. */
export const listCompanies = (
  lists: ListReads,
  builds: Builds,
  { industry, size, country, q }: CompanyFilters,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<Company>> =>
  listLeads(
    lists,
    shown(builds),
    {
      within: [
        ...equals('industry_key', industryCondition(industry)),
        ...equals('size_band', size),
        ...equals('country', country),
        ...beginsWith(q),
      ],
      filters: [],
    },
    limit,
    after,
  );

/** A company by its slug; null if none was read, or its page is gone. */
export const findCompany = async (
  lists: ListReads,
  builds: Builds,
  slug: string,
): Promise<{ readonly company: Company; readonly seenMs: number | null } | null> => {
  const { items, oldestMs } = await listLeads(
    lists,
    shown(builds),
    { within: equals('slug', slug), filters: [] },
    1,
    null,
  );
  const [company] = items;
  return company === undefined ? null : { company, seenMs: oldestMs };
};
