import type { Platform } from '../../kernel/platform.ts';

/** DDL of a table that is split by platform: its columns, and a partition for each of the platforms. */
export const partitionedByPlatform = (
  schema: string,
  table: string,
  columns: string,
  platforms: readonly Platform[],
): string =>
  [
    `create table ${schema}.${table} (${columns}) partition by list (platform);`,
    ...platforms.map(
      (platform) =>
        `create table ${schema}.${table}_${platform} partition of ${schema}.${table} for values in ('${platform}');`,
    ),
  ].join('\n');
