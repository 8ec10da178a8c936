import { sql } from 'slonik';
import type { z } from 'zod';
import type { Platform } from '../../kernel/platform.ts';
import { SIZE_BANDS } from '../../kernel/size-bands.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { priceCountTable } from '../../projections/views/listings/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { ListReads } from '../lists/lists.ts';
import { type Quartiles, quartilesOf } from './bins.ts';

/** Prices a thousand followers of a platform and a band of followers, in micro-dollars. */
export interface BandPricing {
  readonly platform: Platform;
  readonly minFollowers: number;
  /** Null for the last band. */
  readonly maxFollowers: number | null;
  readonly asking: Quartiles;
  readonly sold: Quartiles;
}

const rowSchema = rowSchemaOf(priceCountTable, ['platform', 'band', 'side', 'bin', 'n']);

/** Prices by platform and band, of those that have any, from counters: the cost does not depend on the listings. */
export const readPricing = async (
  lists: ListReads,
  builds: Builds,
  platform: Platform | undefined,
): Promise<readonly BandPricing[]> => {
  const table = sql.identifier([builds.schema('listings'), 'price_counts']);
  const rows = await lists.any(sql.type(rowSchema)`
    select platform, band, side, bin, n from ${table}
    where metric = 'per_1k' and ${platform === undefined ? sql.fragment`true` : sql.fragment`platform = ${platform}`}`);
  const bands = Map.groupBy(rows, (row) => `${row.platform} ${row.band}`);
  return [...bands.values()]
    .map((own) => {
      const [{ platform: name, band }] = own as [z.output<typeof rowSchema>];
      const next = SIZE_BANDS[band + 1];
      return {
        platform: name,
        minFollowers: SIZE_BANDS[band] ?? 0,
        maxFollowers: next === undefined ? null : next - 1,
        asking: quartilesOf(own.filter(({ side }) => side === 'asking')),
        sold: quartilesOf(own.filter(({ side }) => side === 'sold')),
      };
    })
    .sort((a, b) =>
      a.platform === b.platform ? a.minFollowers - b.minFollowers : a.platform < b.platform ? -1 : 1,
    );
};
