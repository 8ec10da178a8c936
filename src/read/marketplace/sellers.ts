import { sql } from 'slonik';
import type { z } from 'zod';
import { quantileOf } from '../../kernel/log-bins.ts';
import { rowSchemaOf } from '../../projections/table/rows.ts';
import { listingTable, saleTimeTable, sellerTable } from '../../projections/views/listings/tables.ts';
import type { Builds } from '../active-builds.ts';
import type { CursorPosition } from '../cursor.ts';
import { type ListPage, pageOf } from '../keyset-page.ts';
import type { ListReads } from '../lists/lists.ts';

/** A seller of the leaderboard. */
export interface ShownSeller {
  readonly id: string;
  /** Of the newest of its listings. */
  readonly name: string | null;
  readonly active: number;
  readonly sold: number;
  /** Micro-dollars that were paid, where the price is known; null if no sale has a known price. */
  readonly volume: bigint | null;
  /** Sales with a known price. */
  readonly priced: number;
  readonly medianSaleS: number | null;
}

export const SELLER_SORTS = ['active', 'sold', 'volume'] as const;
export type SellerSort = (typeof SELLER_SORTS)[number];

const COLUMNS = ['seller', 'active', 'sold', 'priced', 'volume'] as const;

const rowSchema = rowSchemaOf(sellerTable, COLUMNS).extend({
  name: listingTable.columns.seller_name.schema,
  confirmed_at: listingTable.columns.observed_at.schema.nullable(),
});

type Row = z.output<typeof rowSchema>;

const saleTimeSchema = rowSchemaOf(saleTimeTable, ['name', 'bin', 'n']);

const msOf = (instant: string | null): number | null => (instant === null ? null : Date.parse(instant));

/** A page of sellers, the highest first: a keyset seek on the sort's index. */
export const listSellers = async (
  lists: ListReads,
  builds: Builds,
  sort: SellerSort,
  limit: number,
  after: CursorPosition | null,
): Promise<ListPage<ShownSeller>> => {
  const schema = builds.schema('listings');
  const table = (name: string) => sql.identifier([schema, name]);
  const by = sql.fragment`${sql.identifier([sort])}`;
  const type = sort === 'volume' ? sql.fragment`numeric` : sql.fragment`bigint`;
  const within =
    after === null
      ? sql.fragment`true`
      : sql.fragment`(${by}, seller) < (${String(after[0])}::${type}, ${String(after[1])})`;
  const rows = await lists.any(sql.type(rowSchema)`
    select s.seller, s.active, s.sold, s.priced, s.volume::text as volume, l.seller_name as name,
      -- Its source's last sweep confirms what is older; otherwise what is on sale is as old as its last change.
      greatest(w.swept_at, coalesce(o.observed_at, l.observed_at)) as confirmed_at
    from (select * from ${table('sellers')} where ${within} order by ${by} desc, seller desc limit ${limit + 1}) s
    left join lateral (
      select source, seller_name, observed_at from ${table('listings')} l where l.seller = s.seller
      order by observed_at desc, id desc limit 1
    ) l on true
    left join lateral (
      select observed_at from ${table('listings')} o where o.seller = s.seller and o.status = 'active'
      order by observed_at, id limit 1
    ) o on true
    left join ${table('sources')} w on w.source = l.source
    order by s.${by} desc, s.seller desc`);
  const names = rows.slice(0, limit).map(({ seller }) => seller);
  const times =
    names.length === 0
      ? []
      : await lists.any(sql.type(saleTimeSchema)`
          select name, bin, n from ${table('sale_times')}
          where scope = 'seller' and name = any(${sql.array(names, 'text')})`);
  const timesOf = Map.groupBy(times, ({ name }) => name);
  const rankOf = (row: Row): string => String(row[sort]);
  return pageOf(rows, limit, {
    item: (row) => ({
      id: row.seller,
      name: row.name,
      active: row.active,
      sold: row.sold,
      priced: row.priced,
      volume: row.priced === 0 && row.sold > 0 ? null : row.volume,
      medianSaleS: medianOf(timesOf.get(row.seller) ?? []),
    }),
    position: (row) => [rankOf(row), row.seller],
    observedMs: (row) => msOf(row.confirmed_at),
  });
};

/** The median even of few sales, which is all that most sellers have; null without any. */
const medianOf = (bins: readonly z.output<typeof saleTimeSchema>[]): number | null => {
  const sorted = bins.toSorted((a, b) => a.bin - b.bin);
  const median = quantileOf(sorted, 0.5);
  return median === null ? null : Math.round(median);
};
