import { sql } from 'slonik';
import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import { profileUrl } from '../../write/accounts/grammar/linkedin.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import type { ListPage } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { industryCondition } from './companies.ts';
import { accountColumns, accountJoin, beginsWith, equals, listLeads } from './lead-list.ts';

const positionSchema = z.object({ slug: z.string() });

const rowSchema = positionSchema.extend({
  name: z.string().nullable(),
  title: z.string().nullable(),
  seniority: z.string().nullable(),
  job_function: z.string().nullable(),
  company_slug: z.string().nullable(),
  company_name: z.string().nullable(),
  location: z.string().nullable(),
  country: z.string().nullable(),
  last_seen_at: z.number().transform(isoOf),
  seen_ms: z.number(),
});

type Row = z.output<typeof rowSchema>;

const decisionMakerOf = (row: Row) => ({
  id: row.slug,
  name: row.name,
  title: row.title,
  seniority: row.seniority,
  function: row.job_function,
  company:
    row.company_slug === null && row.company_name === null
      ? null
      : { id: row.company_slug, name: row.company_name },
  location: row.location,
  country: row.country,
  profile_url: profileUrl(row.slug),
  last_seen_at: row.last_seen_at,
});

export type DecisionMaker = ReturnType<typeof decisionMakerOf>;

export interface DecisionMakerFilters {
  readonly seniority?: string | undefined;
  readonly function?: string | undefined;
  readonly country?: string | undefined;
  readonly company?: string | undefined;
  /** Of the employer. */
  readonly industry?: string | undefined;
  readonly size?: string | undefined;
  readonly q?: string | undefined;
}

const columns = Object.keys(rowSchema.omit({ slug: true }).shape) as (keyof Row & string)[];

/**
 * People in order of their slugs. Industry and size are the employer's, which another stream sets: scanned rows are
 * checked for them.
 */
export const listDecisionMakers = (
  lists: ListReads,
  builds: Builds,
  filters: DecisionMakerFilters,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<DecisionMaker>> => {
  const schema = builds.schema('leads');
  return listLeads(
    lists,
    {
      table: sql.fragment`(select p.*, ${accountColumns('p')}, c.industry_key, c.size_band
        from ${sql.identifier([schema, 'decision_makers'])} p
        left join ${sql.identifier([schema, 'companies'])} c on c.slug = p.company_slug
        ${accountJoin(builds, sql.fragment`p.slug`)}) as found`,
      columns,
      row: rowSchema,
      position: positionSchema,
      item: decisionMakerOf,
    },
    {
      within: [
        ...equals('seniority', filters.seniority),
        ...equals('job_function', filters.function),
        ...equals('country', filters.country),
        ...equals('company_slug', filters.company),
        ...beginsWith(filters.q),
      ],
      filters: [
        ...equals('industry_key', industryCondition(filters.industry)),
        ...equals('size_band', filters.size),
      ],
    },
    limit,
    after,
  );
};
