import { type FragmentSqlToken, sql } from 'slonik';
import { z } from 'zod';
import { isoOf } from '../../kernel/clock.ts';
import { type Platform, platformSchema } from '../../kernel/platform.ts';
import { CHANGE_KINDS, DIRECTORY_PLATFORMS, SLOT_MS } from '../../projections/views/directory/tables.ts';

export { CHANGE_KINDS };

import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import { type ListPage, pageOf } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';
import { scan } from '../lists/scan.ts';

const value = z.union([z.string(), z.number(), z.boolean()]).nullable();

const positionSchema = z.object({ position: z.bigint(), n: z.number() });

const changeSchema = positionSchema.extend({
  at: z.number(),
  platform: platformSchema,
  native_id: z.string().nullable(),
  handle: z.string().nullable(),
  kind: z.enum(CHANGE_KINDS),
  before: value,
  after: value,
});

const changeOf = (row: z.output<typeof changeSchema>) => ({
  position: String(row.position),
  at: isoOf(row.at),
  platform: row.platform,
  id: row.native_id,
  handle: row.handle,
  kind: row.kind,
  before: row.before,
  after: row.after,
});

export type DirectoryChange = ReturnType<typeof changeOf>;

export interface ChangeFilters {
  readonly platform?: Platform | undefined;
  readonly kind?: (typeof CHANGE_KINDS)[number] | undefined;
  /** Only changes after this position of the log. */
  readonly after?: string | undefined;
}

/** Changes of the directory's accounts, in log order. */
export const listChanges = async (
  lists: ListReads,
  builds: Builds,
  filters: ChangeFilters,
  limit: number,
  cursor: CursorPosition | null,
  maxScanned?: number,
): Promise<ListPage<DirectoryChange>> => {
  const within: FragmentSqlToken[] = [];
  if (filters.platform !== undefined) within.push(sql.fragment`platform = ${filters.platform}`);
  if (filters.after !== undefined) within.push(sql.fragment`position > ${filters.after}::bigint`);
  if (cursor !== null) {
    within.push(sql.fragment`(position, n) > (${String(cursor[0])}::bigint, ${Number(cursor[1])})`);
  }
  const of = {
    table: sql.fragment`${sql.identifier([builds.schema('directory'), 'changes'])}`,
    ranked: sql.fragment``,
    rowPosition: sql.fragment`position, n`,
    columns: ['at', 'platform', 'native_id', 'handle', 'kind', 'before', 'after'],
    row: changeSchema,
    at: positionSchema,
    within,
    filters: filters.kind === undefined ? [] : [sql.fragment`kind = ${filters.kind}`],
    order: sql.fragment`position, n`,
    orderByName: sql.fragment`position, n`,
  };
  const { rows, end } = await scan(lists, of, limit, maxScanned);
  const movedAtMs = builds.progress('directory')?.movedAtMs ?? null;
  const positionOf = (row: z.output<typeof positionSchema>): CursorPosition => [String(row.position), row.n];
  const page = pageOf(rows, limit, {
    item: changeOf,
    position: positionOf,
    observedMs: () => movedAtMs,
  });
  return { ...page, next: page.next ?? (end === null ? null : positionOf(end)) };
};

const statusCountSchema = z.object({
  platform: platformSchema,
  status: z.string(),
  band: z.string(),
  n: z.bigint().transform(Number),
});

const slotSchema = z.object({ platform: platformSchema, slot: z.number(), n: z.bigint().transform(Number) });

/** Age of the reading at a quantile, in seconds; null without accounts. */
const percentile = (
  slots: readonly z.output<typeof slotSchema>[],
  quantile: number,
  nowMs: number,
): number | null => {
  const total = slots.reduce((sum, slot) => sum + slot.n, 0);
  if (total === 0) return null;
  let passed = 0;
  // Newest first: recent readings fill the lower quantiles.
  for (const { slot, n } of slots) {
    passed += n;
    if (passed >= quantile * total) return Math.max(0, Math.round((nowMs - (slot + 0.5) * SLOT_MS) / 1_000));
  }
  return null;
};

export interface PlatformStats {
  readonly platform: Platform;
  readonly accounts: number;
  readonly by_status: Readonly<Record<string, number>>;
  readonly by_size: Readonly<Record<string, number>>;
  readonly freshness_s: {
    readonly p50: number | null;
    readonly p90: number | null;
    readonly p99: number | null;
  };
}

const sumBy = <Row extends { n: number }>(
  rows: readonly Row[],
  key: (row: Row) => string,
): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const row of rows) sums[key(row)] = (sums[key(row)] ?? 0) + row.n;
  return sums;
};

/** Number of accounts by status and size, and the age of their readings with a resolution of five minutes. */
export const readStats = async (
  lists: ListReads,
  builds: Builds,
  nowMs: number,
): Promise<{ readonly platforms: readonly PlatformStats[]; readonly oldestMs: number | null }> => {
  const schema = builds.schema('directory');
  const statusCounts = await lists.any(sql.type(statusCountSchema)`
    select platform, status, band, n from ${sql.identifier([schema, 'status_counts'])} order by platform, status, band`);
  const slots = await lists.any(sql.type(slotSchema)`
    select platform, slot, n from ${sql.identifier([schema, 'freshness'])} order by slot desc`);
  const oldest = slots.at(-1);
  return {
    platforms: DIRECTORY_PLATFORMS.map((platform) => {
      const counted = statusCounts.filter((row) => row.platform === platform);
      const ages = slots.filter((row) => row.platform === platform);
      return {
        platform,
        accounts: counted.reduce((sum, row) => sum + row.n, 0),
        by_status: sumBy(counted, (row) => row.status),
        by_size: sumBy(counted, (row) => row.band),
        freshness_s: {
          p50: percentile(ages, 0.5, nowMs),
          p90: percentile(ages, 0.9, nowMs),
          p99: percentile(ages, 0.99, nowMs),
        },
      };
    }),
    oldestMs: oldest === undefined ? null : oldest.slot * SLOT_MS,
  };
};
