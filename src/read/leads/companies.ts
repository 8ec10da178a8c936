import { sql } from 'slonik';
import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import { industryKey } from '../../projections/views/leads/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import type { ListPage } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { accountColumns, accountJoin, beginsWith, equals, listLeads } from './lead-list.ts';

const positionSchema = z.object({ slug: z.string() });

const rowSchema = positionSchema.extend({
  name: z.string().nullable(),
  description: z.string().nullable(),
  industry: z.string().nullable(),
  size_band: z.string().nullable(),
  employees: z.bigint().transform(Number).nullable(),
  headquarters: z.string().nullable(),
  country: z.string().nullable(),
  founded: z.number().nullable(),
  website: z.string().nullable(),
  specialties: z.array(z.string()).nullable(),
  followers: z.bigint().transform(Number).nullable(),
  last_seen_at: z.number().transform(isoOf),
  seen_ms: z.number(),
});

type Row = z.output<typeof rowSchema>;

const companyOf = ({ seen_ms: _, slug, ...row }: Row) => ({
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

const columns = Object.keys(rowSchema.omit({ slug: true }).shape) as (keyof Row & string)[];

const shown = (builds: Builds) => ({
  table: sql.fragment`(select c.*, ${accountColumns('c')} from ${sql.identifier([builds.schema('leads'), 'companies'])} c
    ${accountJoin(builds, sql.fragment`'company:' || c.slug`)}) as found`,
  columns,
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
