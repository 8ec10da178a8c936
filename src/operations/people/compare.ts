import { OperatorError } from '../../kernel/errors.ts';
import type { Db } from '../../kernel/postgres/pool.ts';
import { raw, sql } from '../../kernel/postgres/statement.ts';
import { listBuilds } from '../../projections/builds/builds.ts';
import { people } from '../../projections/views/people/projection.ts';

/** Two accounts, by their keys. */
export type Pair = readonly [string, string];

/** Pairs of accounts that are one person in only one of two builds. */
export interface PeopleComparison {
  readonly pairs: { readonly first: number; readonly second: number; readonly both: number };
  /** Pairs only in the second build (`gained`) and only in the first (`lost`): their number, and some of them. */
  readonly gained: { readonly count: number; readonly some: readonly Pair[] };
  readonly lost: { readonly count: number; readonly some: readonly Pair[] };
}

/**
 * Compares two builds of people, such as those of a former and the present method, or of an earlier time and now.
 * @param shown maximum pairs of each kind to return.
 */
export const comparePeople = async (
  { db }: { readonly db: Db },
  first: string,
  second: string,
  shown: number,
): Promise<PeopleComparison> => {
  const [one, other] = [await buildNamed(db, first), await buildNamed(db, second)];
  const { rows } = await db.query<{ kind: string; n: string; some: Pair[] }>(sql`
    with one as (${raw(pairsOf(one))}), other as (${raw(pairsOf(other))}),
    kinds as (
      select case when one.a is null then 'gained' when other.a is null then 'lost' else 'both' end as kind,
        coalesce(one.a, other.a) as a, coalesce(one.b, other.b) as b
      from one full join other on one.a = other.a and one.b = other.b)
    select kind, count(*) as n,
      (select coalesce(jsonb_agg(jsonb_build_array(a, b)), '[]') from
        (select a, b from kinds k where k.kind = kinds.kind order by a, b limit ${shown}) s) as some
    from kinds group by kind`);
  const of = (kind: string) => {
    const row = rows.find((each) => each.kind === kind);
    return { count: Number(row?.n ?? 0), some: row?.some ?? [] };
  };
  const [both, gained, lost] = [of('both'), of('gained'), of('lost')];
  return {
    pairs: { first: both.count + lost.count, second: both.count + gained.count, both: both.count },
    gained,
    lost,
  };
};

const pairsOf = (schema: string): string => `
  select a.account as a, b.account as b from ${schema}.members a
  join ${schema}.people p on p.person = a.person and jsonb_array_length(p.accounts) > 1
  cross join lateral jsonb_array_elements(p.members) m
  join ${schema}.members b on b.account = m->>'account' and b.account > a.account`;

const buildNamed = async (db: Db, schema: string): Promise<string> => {
  const builds = await listBuilds(db);
  const found = builds.find((build) => build.projection === people.name && build.schema === schema);
  if (found === undefined)
    throw new OperatorError('build_unknown', `people has no build or copy "${schema}"`);
  return found.schema;
};
