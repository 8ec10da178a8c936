import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { columnsExcept } from '../../projections/table/table.ts';
import { decisionMakerTable, IS_DECISION_MAKER } from '../../projections/views/leads/tables.ts';
import { profileUrl } from '../../write/accounts/grammar/linkedin.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import type { ListPage } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { verbatim } from '../verbatim.ts';
import { industryCondition } from './companies.ts';
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

const OWN = columnsExcept(decisionMakerTable, ['slug', 'observed_at', 'facts_at']);

const rowSchema = positionSchema.extend({ ...rowSchemaOf(decisionMakerTable, OWN).shape, ...accountShape });

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
  ...leadTimes(row),
});

export type DecisionMaker = ReturnType<typeof decisionMakerOf>;

export interface DecisionMakerFilters {
  /** Decision makers by default; `any` is everybody, those without a known one included. */
  readonly seniority?: string | undefined;
  readonly function?: string | undefined;
  readonly country?: string | undefined;
  readonly company?: string | undefined;
  /** Of the employer. */
  readonly industry?: string | undefined;
  readonly size?: string | undefined;
  readonly q?: string | undefined;
}

const ofSeniority = (seniority: string | undefined): readonly FragmentSqlToken[] => {
  if (seniority === undefined) return [verbatim(IS_DECISION_MAKER)];
  return seniority === 'any' ? [] : equals('seniority', seniority);
};

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
      columns: [...OWN, ...ACCOUNT_COLUMNS],
      row: rowSchema,
      position: positionSchema,
      item: decisionMakerOf,
    },
    {
      within: [
        ...ofSeniority(filters.seniority),
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
