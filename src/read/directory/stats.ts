import { sql } from 'slonik';
import type { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import { DIRECTORY_PLATFORMS } from '../../platforms/index.ts';
import { rowSchemaOf } from '../../projections/table/table.ts';
import { freshnessTable, SLOT_MS, statusCountTable } from '../../projections/views/directory/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { ListReads } from '../lists.ts';

const statusCountSchema = rowSchemaOf(statusCountTable, ['platform', 'status', 'band', 'n']);
const slotSchema = rowSchemaOf(freshnessTable, ['platform', 'slot', 'n']);

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

/** Number of accounts by status and size, and the age of their oldest values with a resolution of five minutes. */
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
