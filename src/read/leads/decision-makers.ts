import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { profileUrl } from '../../platforms/linkedin.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { columnsExcept } from '../../projections/table/table.ts';
import { decisionMakerTable, IS_DECISION_MAKER } from '../../projections/views/leads/tables.ts';
import type { Builds } from '../active-builds.ts';
import { and } from '../conditions.ts';
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
  lookUp,
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

/** Employers that are looked up for their people, and people of theirs; of more the list is walked. */
const MAX_EMPLOYERS = 500;
const MAX_STAFF = 2_000;

const staffSchema = z.object({ n: z.number() });

/**
 * Slugs of everybody whose employer meets the conditions, as a table; null if these are too many to look up. Without it a
 * rare industry would be looked for in every person of the list.
 */
const staffOf = async (
  lists: ListReads,
  schema: string,
  ofEmployer: readonly FragmentSqlToken[],
  ofPerson: readonly FragmentSqlToken[],
  max: number,
): Promise<FragmentSqlToken | null> => {
  const employers = sql.fragment`(
    select slug as employer from ${sql.identifier([schema, 'companies'])} where ${and(ofEmployer)}
    order by slug limit ${MAX_EMPLOYERS + 1}) as employers`;
  const staff = sql.fragment`(
    select p.slug from ${employers} cross join lateral (
      select slug from ${sql.identifier([schema, 'decision_makers'])}
      where ${and([sql.fragment`company_slug = employer`, ...ofPerson])} order by slug limit ${max + 1}
    ) p limit ${max + 1})`;
  const [row] = await lists.any(sql.type(staffSchema)`
    select case when (select count(*) from ${employers}) > ${MAX_EMPLOYERS} then ${max + 1}
      else (select count(*) from ${staff} as counted) end::int as n`);
  return row === undefined || row.n > max ? null : staff;
};

/**
 * People in order of their slugs. Industry and size are the employer's, which another stream sets: people are looked up by
 * their employers if these are few, otherwise scanned rows are checked.
 */
export const listDecisionMakers = async (
  lists: ListReads,
  builds: Builds,
  filters: DecisionMakerFilters,
  limit: number,
  after: CursorPosition | null,
  maxStaff = MAX_STAFF,
): Promise<ListPage<DecisionMaker>> => {
  const schema = builds.schema('leads');
  const ofEmployer = [
    ...equals('industry_key', industryCondition(filters.industry)),
    ...equals('size_band', filters.size),
  ];
  const ofCompany = equals('company_slug', filters.company);
  // By default a predicate of indexes, otherwise a column.
  const seniority = ofSeniority(filters.seniority);
  const isDefault = filters.seniority === undefined;
  const decisive = isDefault ? seniority : [];
  const own = [
    ...(isDefault ? [] : seniority),
    ...equals('job_function', filters.function),
    ...equals('country', filters.country),
  ];
  const staff =
    ofEmployer.length === 0 || ofCompany.length > 0
      ? null
      : await staffOf(lists, schema, ofEmployer, decisive, maxStaff);
  const people = sql.fragment`${sql.identifier([schema, 'decision_makers'])} p`;
  const listed =
    staff === null
      ? people
      : sql.fragment`${staff} as staff cross join lateral (select * from ${people} where p.slug = staff.slug offset 0) p`;
  // Employer and account are looked up for people who may match: no row has a key that is null.
  const employerJoin = lookUp(
    sql.fragment`${sql.identifier([schema, 'companies'])}`,
    sql.fragment`slug = case when is_wanted then p.company_slug end`,
    sql.fragment`c`,
  );
  // No index has a company with another filter: its people are scanned.
  const [within, scanned] = ofCompany.length > 0 ? [ofCompany, own] : [own, []];
  return await listLeads(
    lists,
    {
      table: sql.fragment`(select p.*, ${accountColumns('p')}, c.industry_key, c.size_band
        from (select p.*, (${and(own)}) as is_wanted from ${listed}) p
        ${employerJoin}
        ${accountJoin(builds, sql.fragment`case when is_wanted and (${and(ofEmployer)}) then p.slug end`)}) as found`,
      columns: [...OWN, ...ACCOUNT_COLUMNS],
      row: rowSchema,
      position: positionSchema,
      item: decisionMakerOf,
    },
    {
      within: [...decisive, ...within, ...beginsWith(filters.q)],
      filters: [...scanned, ...(staff === null ? ofEmployer : [])],
    },
    limit,
    after,
  );
};
