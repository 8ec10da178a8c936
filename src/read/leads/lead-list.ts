import { type FragmentSqlToken, sql } from 'slonik';
import type { z } from 'zod';
import { accountTable } from '../../projections/views/accounts/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import { type ListPage, pageOf } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { scan } from '../lists/scan.ts';

/** Every list of leads is ordered by slug. */
interface Positioned {
  readonly slug: string;
  readonly last_seen_at: string;
  /** When the oldest of the lead's facts was shown. */
  readonly facts_seen_at: string;
  readonly followers_seen_at: string | null;
}

/** Conditions on a list: those that an index answers, and those that scanned rows are checked for. */
export interface LeadConditions {
  readonly within: readonly FragmentSqlToken[];
  readonly filters: readonly FragmentSqlToken[];
}

/** Condition for a column, if a value is wanted. */
export const equals = (column: string, value: string | undefined): readonly FragmentSqlToken[] =>
  value === undefined ? [] : [sql.fragment`${sql.identifier([column])} = ${value}`];

/** Beginning of a slug: letters of a name, with dashes for spaces. */
export const beginsWith = (q: string | undefined): readonly FragmentSqlToken[] => {
  if (q === undefined) return [];
  const from = q.normalize('NFC').toLowerCase().trim().replaceAll(/\s+/g, '-');
  return [sql.fragment`slug >= ${from} and slug < ${`${from}\u{10ffff}`}`];
};

/** What every list shows of the account behind a lead. */
export const accountShape = {
  followers: accountTable.columns.followers.schema,
  last_seen_at: accountTable.columns.observed_at.schema,
  facts_seen_at: accountTable.columns.observed_at.schema,
  followers_seen_at: accountTable.columns.last_seen_at.schema,
};
export const ACCOUNT_COLUMNS = ['followers', 'last_seen_at', 'facts_seen_at', 'followers_seen_at'] as const;

/** The same, of the join with the accounts. */
export const accountColumns = (of: string): FragmentSqlToken => {
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
export const leadTimes = (
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

/** A row that may be missing, looked up for each row of a list: of a join, the planner may hash the whole table. */
export const lookUp = (
  table: FragmentSqlToken,
  where: FragmentSqlToken,
  as: FragmentSqlToken,
): FragmentSqlToken =>
  sql.fragment`left join lateral (select * from ${table} where ${where} offset 0) ${as} on true`;

/** The account of a lead; it may lag behind the lead, or not be there yet. */
export const accountJoin = (builds: Builds, handle: FragmentSqlToken): FragmentSqlToken =>
  lookUp(
    sql.fragment`${sql.identifier([builds.schema('accounts'), 'accounts_linkedin'])}`,
    sql.fragment`platform = 'linkedin' and handle = ${handle}`,
    sql.fragment`a`,
  );

/** Statuses of accounts that have a page. */
const isThere: FragmentSqlToken = sql.fragment`status in ('active', 'private')`;

/** Rows scanned beyond a page, in exchange for those whose account is gone. */
const SPARE = 100;
/** Rows scanned for a page with filters that no index answers: each is joined with its account, and with an employer. */
const MAX_SCANNED = 2_000;

const oldestOf = ({ measured_at = {} }: LeadTimes, { last_seen_at }: Positioned): string =>
  Object.values(measured_at).reduce((oldest, at) => (at < oldest ? at : oldest), last_seen_at);

/**
 * A page of leads, in order of their slugs. Each combination of indexed conditions has an index that ends in the slug,
 * so a page costs the same at any depth; accounts that are gone are skipped.
 */
export const listLeads = async <Row extends Positioned, Item extends LeadTimes>(
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
