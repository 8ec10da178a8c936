/** Lists of companies and decision makers. */

import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { profileUrl } from '../platforms/linkedin.ts';
import { columnsExcept, rowSchemaOf } from '../projections/table/table.ts';
import { accountTable } from '../projections/views/accounts/tables.ts';
import {
  companyTable,
  decisionMakerTable,
  IS_DECISION_MAKER,
  industryKey,
} from '../projections/views/leads/tables.ts';
import type { Builds } from './active-builds.ts';
import { and, verbatim } from './conditions.ts';
import { type CursorPosition, type ListPage, pageOf } from './keyset.ts';
import { type ListReads, scan } from './lists.ts';

/** Every list of leads is ordered by slug. */
interface Positioned {
  readonly slug: string;
  readonly last_seen_at: string;
  /** When the oldest of the lead's facts was shown. */
  readonly facts_seen_at: string;
  readonly followers_seen_at: string | null;
}

/** Conditions on a list: those that an index answers, and those that are checked on scanned rows. */
export interface LeadConditions {
  readonly within: readonly FragmentSqlToken[];
  readonly filters: readonly FragmentSqlToken[];
}

/** Condition for a column; none if no value is wanted. */
const equals = (column: string, value: string | undefined): readonly FragmentSqlToken[] =>
  value === undefined ? [] : [sql.fragment`${sql.identifier([column])} = ${value}`];

/** Beginning of a slug: letters of a name, with dashes for spaces. */
const beginsWith = (q: string | undefined): readonly FragmentSqlToken[] => {
  if (q === undefined) return [];
  const from = q.normalize('NFC').toLowerCase().trim().replaceAll(/\s+/g, '-');
  return [sql.fragment`slug >= ${from} and slug < ${`${from}\u{10ffff}`}`];
};

/** What every list shows of the account behind a lead. */
const accountShape = {
  followers: accountTable.columns.followers.schema,
  last_seen_at: accountTable.columns.observed_at.schema,
  facts_seen_at: accountTable.columns.observed_at.schema,
  followers_seen_at: accountTable.columns.last_seen_at.schema,
};
const ACCOUNT_COLUMNS = ['followers', 'last_seen_at', 'facts_seen_at', 'followers_seen_at'] as const;

/** The same, of the join with the accounts. */
const accountColumns = (of: string): FragmentSqlToken => {
  const observedAt = sql.identifier([of, 'observed_at']);
  return sql.fragment`a.followers, coalesce(a.last_seen_at, ${observedAt}) as last_seen_at,
    ${sql.identifier([of, 'facts_at'])} as facts_seen_at,
    coalesce((a.kept->>'followers')::timestamptz, a.last_seen_at) as followers_seen_at,
    coalesce(a.status, 'active') as status`;
};

/** When facts or followers were shown, if that was before the last reading. */
export interface LeadTimes {
  readonly measured_at?: { readonly facts?: string; readonly followers?: string };
}

/** @param followers null if the lead shows none. */
const leadTimes = (
  { last_seen_at, facts_seen_at, followers_seen_at }: Omit<Positioned, 'slug'>,
  followers: number | null = null,
): LeadTimes => {
  const isOlder = (at: string | null): at is string => at !== null && at < last_seen_at;
  const older = {
    ...(isOlder(facts_seen_at) ? { facts: facts_seen_at } : {}),
    ...(followers !== null && isOlder(followers_seen_at) ? { followers: followers_seen_at } : {}),
  };
  return Object.keys(older).length === 0 ? {} : { measured_at: older };
};

/** A row that may be missing, looked up for each row of a list. For a join, the planner might hash the whole table. */
const lookUp = (table: FragmentSqlToken, where: FragmentSqlToken, as: FragmentSqlToken): FragmentSqlToken =>
  sql.fragment`left join lateral (select * from ${table} where ${where} offset 0) ${as} on true`;

/** The account of a lead; it may lag behind the lead, or not be there yet. */
const accountJoin = (builds: Builds, handle: FragmentSqlToken): FragmentSqlToken =>
  lookUp(
    sql.fragment`${sql.identifier([builds.schema('accounts'), 'accounts_linkedin'])}`,
    sql.fragment`platform = 'linkedin' and handle = ${handle}`,
    sql.fragment`a`,
  );

/** Statuses of accounts that have a page. */
const isThere: FragmentSqlToken = sql.fragment`status in ('active', 'private')`;

/** Rows scanned beyond a page, to make up for accounts that are gone. */
const SPARE = 100;
/** Rows scanned for a page with filters that no index answers: each is joined with its account, and with an employer. */
const MAX_SCANNED = 2_000;

const oldestOf = ({ measured_at = {} }: LeadTimes, { last_seen_at }: Positioned): string =>
  Object.values(measured_at).reduce((oldest, at) => (at < oldest ? at : oldest), last_seen_at);

/**
 * A page of leads, in order of their slugs. Each combination of indexed conditions has an index that ends in the slug,
 * so a page costs the same at any depth; accounts that are gone are skipped.
 */
const listLeads = async <Row extends Positioned, Item extends LeadTimes>(
  lists: ListReads,
  of: {
    readonly table: FragmentSqlToken;
    readonly columns: readonly (keyof Row & string)[];
    readonly row: z.ZodType<Row>;
    readonly position: z.ZodType<Pick<Row, 'slug'>>;
    readonly item: (row: Row) => Item;
  },
  { within, filters }: LeadConditions,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<Item>> => {
  const { rows, end } = await scan(
    lists,
    {
      table: of.table,
      ranked: sql.fragment``,
      rowPosition: sql.fragment`slug`,
      columns: of.columns,
      row: of.row,
      at: of.position,
      within: after === null ? within : [...within, sql.fragment`slug > ${String(after[0])}`],
      filters: [isThere, ...filters],
      order: sql.fragment`slug`,
      orderByName: sql.fragment`slug`,
    },
    limit,
    // Few accounts are gone. A small bound lets the planner take the index in its order.
    filters.length === 0 ? limit + SPARE : MAX_SCANNED,
  );
  const page = pageOf(rows, limit, {
    item: of.item,
    position: ({ slug }) => [slug],
    observedMs: (row) => Date.parse(oldestOf(of.item(row), row)),
  });
  return { ...page, next: page.next ?? (end === null ? null : [end.slug]) };
};

const positionSchema = z.object({ slug: z.string() });

/** Columns of the list besides its position: the company's, and what its account shows. */
const COMPANY_COLUMNS = columnsExcept(companyTable, ['slug', 'observed_at', 'facts_at', 'industry_key']);

const companySchema = positionSchema.extend({
  ...rowSchemaOf(companyTable, COMPANY_COLUMNS).shape,
  ...accountShape,
});

type CompanyListRow = z.output<typeof companySchema>;

const companyOf = ({ slug, ...row }: CompanyListRow) => ({
  // Public pages show no native IDs: the slug identifies a company.
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

/** The value to compare with the view's column. */
const industryCondition = (industry: string | undefined): string | undefined =>
  industry === undefined ? undefined : (industryKey(industry) ?? '');

const companySource = (builds: Builds) => ({
  table: sql.fragment`(select c.*, ${accountColumns('c')} from ${sql.identifier([builds.schema('leads'), 'companies'])} c
    ${accountJoin(builds, sql.fragment`'company:' || c.slug`)}) as found`,
  columns: [...COMPANY_COLUMNS, ...ACCOUNT_COLUMNS],
  row: companySchema,
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
    companySource(builds),
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
    companySource(builds),
    { within: equals('slug', slug), filters: [] },
    1,
    null,
  );
  const [company] = items;
  return company === undefined ? null : { company, seenMs: oldestMs };
};

const DECISION_MAKER_COLUMNS = columnsExcept(decisionMakerTable, ['slug', 'observed_at', 'facts_at']);

const decisionMakerSchema = positionSchema.extend({
  ...rowSchemaOf(decisionMakerTable, DECISION_MAKER_COLUMNS).shape,
  ...accountShape,
});

type DecisionMakerListRow = z.output<typeof decisionMakerSchema>;

const decisionMakerOf = (row: DecisionMakerListRow) => ({
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
  /** Decision makers by default; `any` means everybody, including people of unknown seniority. */
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

/** Maximum number of employers whose people are looked up, and of these people. If there are more, the list is walked. */
const MAX_EMPLOYERS = 500;
const MAX_STAFF = 2_000;

const staffSchema = z.object({ n: z.number() });

/**
 * Slugs of everybody whose employer meets the conditions, as a table; null if there are too many to look up. Without it, every
 * person in the list would be checked for a rare industry.
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
 * People in order of their slugs. Industry and size belong to the employer, which another stream sets. If the employers are few,
 * people are looked up by them; otherwise scanned rows are checked.
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
      columns: [...DECISION_MAKER_COLUMNS, ...ACCOUNT_COLUMNS],
      row: decisionMakerSchema,
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

export { COMPANY_SIZES, JOB_FUNCTIONS, SENIORITIES } from '../projections/views/leads/tables.ts';
