/** Figures of populations: what was computed last, cohorts of one size, and counters. */

import type { PlatformMove } from '../../analysis/growth.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { type BinCount, binOf, quantileOf, valueOfBin } from '../../kernel/log-bins.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, type Statement, sql } from '../../kernel/postgres/statement.ts';
import { type DriverRow, driverReader } from '../../projections/table/table.ts';
import {
  ALL_BANDS,
  type LadderRow,
  ladderTable,
  type PatternRow,
  type PopulationRow,
  patternTable,
  populationTable,
} from '../../projections/views/ladders/tables.ts';
import {
  type AccountFigureRow,
  accountFigureTable,
  type FigureCountRow,
  figureCountTable,
  type SampleCountRow,
  sampleCountTable,
} from '../../projections/views/posts/tables.ts';
import type { Builds } from '../active-builds.ts';

/** A ladder: percentiles of a metric, the 0th to the 100th. */
export interface Ladder {
  readonly metric: string;
  /** Number of the size band; null for the whole population. */
  readonly band: number | null;
  readonly n: number;
  readonly points: readonly number[];
}

/** What was last computed of a platform's accounts. */
export interface Population {
  readonly counts: PopulationRow;
  readonly ladders: readonly Ladder[];
  readonly patterns: PatternRow | null;
}

export interface PopulationReads {
  /** Null before anything was computed. */
  of(platform: Platform): Promise<Population | null>;
}

/** Changes that the accounts of a platform had alike. */
export const movesOf = (population: Population | null): readonly PlatformMove[] =>
  population?.counts.moves.map(({ from, to, change }) => ({
    fromMs: Date.parse(from),
    toMs: Date.parse(to),
    change,
  })) ?? [];

const ladderOf = driverReader(ladderTable);
const populationOf = driverReader(populationTable);
const patternOf = driverReader(patternTable);

const readPopulation = async (
  db: Queryable,
  schema: string,
  platform: Platform,
): Promise<Population | null> => {
  const from = ident(schema);
  const rowsOf = async <Row>(name: string, statement: Statement): Promise<readonly DriverRow<Row>[]> =>
    (await db.query<DriverRow<Row>>(statement.with({ name: `${schema} ${name}` }))).rows;
  const [populations, ladders, patterns] = await Promise.all([
    rowsOf<PopulationRow>('population', sql`select * from ${from}.populations where platform = ${platform}`),
    // A band that has too few accounts by now keeps its last ladder in the table.
    rowsOf<LadderRow>(
      'ladders',
      sql`
        select l.* from ${from}.populations p join ${from}.ladders l
        on l.platform = p.platform and l.computed_at = p.computed_at where p.platform = ${platform}`,
    ),
    rowsOf<PatternRow>('patterns', sql`select * from ${from}.patterns where platform = ${platform}`),
  ]);
  if (populations[0] === undefined) return null;
  return {
    counts: populationOf<PopulationRow>(populations[0]),
    ladders: ladders
      .map((row) => ladderOf<LadderRow>(row))
      .map(({ metric, band, n, points }) => ({ metric, band: band === ALL_BANDS ? null : band, n, points })),
    patterns: patterns[0] === undefined ? null : patternOf<PatternRow>(patterns[0]),
  };
};

/** Populations, kept until the view has followed other events: they are the same for all callers. */
export const createPopulationReads = (db: Queryable, builds: Builds): PopulationReads => {
  const known = new Map<Platform, { readonly asOf: string; readonly found: Promise<Population | null> }>();
  return {
    of: async (platform) => {
      const schema = builds.schema('ladders');
      const asOf = `${schema} ${builds.progress('ladders')?.position}`;
      const before = known.get(platform);
      if (before?.asOf === asOf) return before.found;
      const found = readPopulation(db, schema, platform);
      known.set(platform, { asOf, found });
      // A failed read is not kept.
      found.catch(() => known.delete(platform));
      return found;
    },
  };
};

/** An account near a number of followers. */
export interface Neighbour extends AccountFigureRow {
  /** Difference of ln followers. */
  readonly distance: number;
}

/** The accounts with figures whose followers are nearest, by their logarithm: at most three times as many, or a third. */
export interface Cohort {
  /** The followers that they are nearest to. */
  readonly centre: number;
  /** The nearest first; of equal distances by handle. */
  readonly accounts: readonly Neighbour[];
  /** Their engagement by followers, ascending; without those that hide it. */
  readonly rates: readonly number[];
}

/** Figures fall with size: accounts of another size are no comparison. */
const REACH = Math.log(3);

export interface CohortReads {
  /** The accounts nearest to so many followers, within 1 % of them; a cohort's centre is of itself. */
  near(platform: Platform, followers: number): Promise<Cohort>;
}

/** Accounts that are compared. */
export const COHORT_ACCOUNTS = 200;
/** For how long a cohort is used. */
const KEPT_MS = 30_000;
/** Cohorts that are kept: followers from 0 to a billion have 1,038 bins. */
const MAX_KEPT = 2_000;

const rowOf = driverReader(accountFigureTable);

const readCohort = async (
  db: Queryable,
  schemas: { readonly posts: string; readonly directory: string },
  platform: Platform,
  centre: number,
): Promise<Cohort> => {
  // A former name of an account keeps its posts, and is no account of the directory.
  const partition = ident(platform);
  const current = sql`
    from ${ident(schemas.posts)}.account_figures_${partition} f where f.platform = ${platform}
    and exists (select from ${ident(schemas.directory)}.entries_${partition} e where e.handle = f.handle)`;
  const { rows } = await db.query<DriverRow<AccountFigureRow>>(sql.named(
    `${schemas.posts} cohort ${platform} ${schemas.directory}`,
  )`
    (select f.* ${current} and f.followers >= ${centre} order by f.platform, f.followers, f.handle
      limit ${COHORT_ACCOUNTS})
    union all
    (select f.* ${current} and f.followers < ${centre}
      order by f.platform desc, f.followers desc, f.handle desc limit ${COHORT_ACCOUNTS})`);
  const accounts = rows
    .map((row) => rowOf<AccountFigureRow>(row))
    .map(
      (row): Neighbour => ({
        ...row,
        distance: Math.abs(Math.log((row.followers + 1) / (centre + 1))),
      }),
    )
    .filter(({ distance }) => distance <= REACH)
    .sort((a, b) => a.distance - b.distance || (a.handle < b.handle ? -1 : 1))
    .slice(0, COHORT_ACCOUNTS);
  const rates = accounts.flatMap(({ engagement_rate_followers: rate }) => rate ?? []);
  return { centre, accounts, rates: rates.sort((a, b) => a - b) };
};

/** Cohorts, kept by bin of followers for half a minute: one is read for all accounts of nearly one size. */
export const createCohortReads = (db: Queryable, builds: Builds): CohortReads => {
  const known = new Map<string, { readonly untilMs: number; readonly found: Promise<Cohort> }>();
  return {
    near: (platform, followers) => {
      const schemas = { posts: builds.schema('posts'), directory: builds.schema('directory') };
      const bin = binOf(followers);
      const key = `${schemas.posts} ${platform} ${bin}`;
      const before = known.get(key);
      if (before !== undefined && before.untilMs > elapsedMs()) return before.found;
      if (known.size >= MAX_KEPT) known.clear();
      const found = readCohort(db, schemas, platform, Math.round(valueOfBin(bin)));
      known.set(key, { untilMs: elapsedMs() + KEPT_MS, found });
      found.catch(() => known.delete(key));
      return found;
    },
  };
};

/** The rates of a cohort without one of its accounts. */
export const ratesBeside = ({ accounts, rates }: Cohort, handle: string | null): readonly number[] => {
  const own = accounts.find((account) => account.handle === handle)?.engagement_rate_followers ?? null;
  return own === null ? rates : rates.toSpliced(rates.indexOf(own), 1);
};

/** A distribution over the accounts of a size band; null for those of all. */
export interface Distribution {
  readonly metric: string;
  readonly band: number | null;
  readonly n: number;
  /** The 0th to the 100th percentile, within 1 %. */
  readonly points: readonly number[];
}

const countOf = driverReader(figureCountTable);
const sampleOf = driverReader(sampleCountTable);

const POINTS = Array.from({ length: 101 }, (_, percent) => percent / 100);

/** Figures that are whole numbers, or halves as medians of them. */
const IN_HALVES: ReadonlySet<string> = new Set(['followers', 'median_likes', 'median_views']);

const distributionOf = (metric: string, band: number | null, bins: readonly BinCount[]): Distribution => {
  const sorted = bins.toSorted((a, b) => a.bin - b.bin);
  return {
    metric,
    band,
    n: sorted.reduce((sum, { n }) => sum + n, 0),
    points: POINTS.map((quantile) => {
      const value = quantileOf(sorted, quantile) ?? 0;
      return IN_HALVES.has(metric) ? Math.round(2 * value) / 2 : value;
    }),
  };
};

/** Bins of several bands, added up. */
const added = (rows: readonly BinCount[]): readonly BinCount[] => {
  const byBin = new Map<number, number>();
  for (const { bin, n } of rows) byBin.set(bin, (byBin.get(bin) ?? 0) + n);
  return [...byBin].map(([bin, n]) => ({ bin, n }));
};

/** Distributions of the figures of a platform's accounts, of each band and of all, out of counters. */
export const readDistributions = async (
  db: Queryable,
  schema: string,
  platform: Platform,
): Promise<readonly Distribution[]> => {
  const { rows } = await db.query<DriverRow<FigureCountRow>>(
    sql`select * from ${ident(schema)}.figure_counts where platform = ${platform}`,
  );
  const byMetric = Map.groupBy(rows.map(countOf<FigureCountRow>), ({ metric }) => metric);
  return [...byMetric]
    .toSorted()
    .flatMap(([metric, counts]) => [
      distributionOf(metric, null, added(counts)),
      ...[...Map.groupBy(counts, ({ band }) => band)]
        .toSorted(([a], [b]) => a - b)
        .map(([band, own]) => distributionOf(metric, band, own)),
    ]);
};

/** What there is of a platform's accounts and posts; null if there is none. */
export const readCounts = async (
  db: Queryable,
  schema: string,
  platform: Platform,
): Promise<SampleCountRow | null> => {
  const { rows } = await db.query<DriverRow<SampleCountRow>>(
    sql`select * from ${ident(schema)}.sample_counts where platform = ${platform}`,
  );
  return rows[0] === undefined ? null : sampleOf<SampleCountRow>(rows[0]);
};
