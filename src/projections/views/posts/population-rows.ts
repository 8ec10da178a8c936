import { binOf } from '../../../kernel/log-bins.ts';
import type { Platform } from '../../../kernel/platform.ts';
import type { Table } from '../../table/table.ts';
import type { AccountPosts } from './account-posts.ts';
import { type Contribution, type Derived, NO_COUNTS } from './derived.ts';
import {
  type AccountFigureRow,
  accountFigureTable,
  type FigureCountRow,
  type SampleCountRow,
  sampleCountTable,
  type ViralPostRow,
  viralPostTable,
} from './tables.ts';

const figuresOf = ({ figures }: Derived): readonly AccountFigureRow[] => (figures === null ? [] : [figures]);

const viralPostsOf = ({ viral }: Derived): readonly ViralPostRow[] => viral;

/** Rows that accounts have no longer, and those that are new or other than before. */
const difference = <Row extends object>(
  { key }: Table<Row>,
  before: readonly (readonly Row[])[],
  after: readonly (readonly Row[])[],
): { readonly gone: readonly Row[]; readonly changed: readonly Row[] } => {
  const keyOfRow = (row: Row): string => key.map((name) => String(row[name])).join('\0');
  const old = new Map(before.flat().map((row) => [keyOfRow(row), row]));
  const changed: Row[] = [];
  for (const row of after.flat()) {
    const known = old.get(keyOfRow(row));
    old.delete(keyOfRow(row));
    if (known === undefined || !isSameRow(known, row)) changed.push(row);
  }
  return { gone: [...old.values()], changed };
};

const isSameRow = <Row extends object>(a: Row, b: Row): boolean =>
  (Object.keys(a) as (keyof Row)[]).every((name) => a[name] === b[name]);

/** What accounts add to the distributions now, less what they added before. */
const figureCountsOf = (
  rows: readonly AccountPosts[],
  before: readonly Derived[],
  after: readonly Derived[],
): readonly FigureCountRow[] => {
  const counts = new Map<string, FigureCountRow>();
  const add = ({ platform }: AccountPosts, { band, metric, value }: Contribution, n: 1 | -1) => {
    const bin = binOf(value);
    const key = `${platform} ${band} ${metric} ${bin}`;
    counts.set(key, { platform, band, metric, bin, n: (counts.get(key)?.n ?? 0) + n });
  };
  for (const [i, row] of rows.entries()) {
    for (const contribution of before[i]?.contributions ?? []) add(row, contribution, -1);
    for (const contribution of after[i]?.contributions ?? []) add(row, contribution, 1);
  }
  return [...counts.values()];
};

/** What accounts add to the counts of their platforms now, less what they added before. */
const sampleCountsOf = (
  rows: readonly AccountPosts[],
  before: readonly Derived[],
  after: readonly Derived[],
): readonly SampleCountRow[] => {
  const counts = new Map<Platform, Record<keyof NonNullable<Derived['counts']>, number>>();
  const add = (platform: Platform, added: Derived['counts'], sign: 1 | -1) => {
    if (added === null) return;
    const sum = counts.get(platform) ?? { ...NO_COUNTS };
    for (const name of sampleCountTable.sums as readonly (keyof typeof sum)[])
      sum[name] += sign * added[name];
    counts.set(platform, sum);
  };
  for (const [i, { platform }] of rows.entries()) {
    add(platform, before[i]?.counts ?? null, -1);
    add(platform, after[i]?.counts ?? null, 1);
  }
  return [...counts].map(([platform, sum]) => ({ platform, ...sum }));
};

/** Rows of populations that a batch changes: what its accounts added before, and what they add now. */
export const populationRows = (
  rows: readonly AccountPosts[],
  before: readonly Derived[],
  after: readonly Derived[],
) => ({
  figures: difference(accountFigureTable, before.map(figuresOf), after.map(figuresOf)),
  viral: difference(viralPostTable, before.map(viralPostsOf), after.map(viralPostsOf)),
  figureCounts: figureCountsOf(rows, before, after),
  sampleCounts: sampleCountsOf(rows, before, after),
});
