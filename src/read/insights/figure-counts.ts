import { type BinCount, quantileOf } from '../../kernel/log-bins.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { type DriverRow, driverReader } from '../../projections/table/rows.ts';
import {
  type FigureCountRow,
  figureCountTable,
  type SampleCountRow,
  sampleCountTable,
} from '../../projections/views/posts/tables.ts';

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
