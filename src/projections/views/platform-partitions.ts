import type { Platform } from '../../kernel/platform.ts';

/** DDL of a table partitioned by platform, with one partition per platform. */
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
