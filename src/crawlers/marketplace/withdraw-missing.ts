import type { Queryable } from '../../kernel/postgres/pool.ts';
import { type ActiveListing, activeListings } from '../../read/marketplace/market-states.ts';
import { isPlausibleWithdrawal, type MarketRecorder } from '../../write/marketplace/listing.ts';

/** The outcome for listings that a complete reading lacks. */
export type Withdrawal =
  | { readonly status: 'done'; readonly listings: number }
  /** Nothing was withdrawn. */
  | { readonly status: 'refused'; readonly missing: number | null; readonly reason: string };

/**
 * Withdraws the active listings of a source that a complete reading does not have, unless these are implausibly many.
 * @param schema of the build of `listings`.
 */
export const withdrawMissing = async (
  {
    db,
    schema,
    recorder,
  }: {
    readonly db: Queryable;
    readonly schema: string;
    readonly recorder: Pick<MarketRecorder, 'withdraw'>;
  },
  source: string,
  { seen, seenAmong, observedAt, maxShare }: CompleteReading,
): Promise<Withdrawal> => {
  const missingOf = async (page: readonly ActiveListing[]): Promise<readonly string[]> => {
    const ids = page.filter(({ isBefore }) => isBefore).map(({ id }) => id);
    const found = await seenAmong(ids);
    return ids.filter((id) => !found.has(id));
  };
  let active = 0;
  let missing = 0;
  for await (const page of activeListings(db, schema, source, observedAt)) {
    active += page.length;
    missing += (await missingOf(page)).length;
  }
  if (!isPlausibleWithdrawal({ missing, active, seen }, maxShare)) {
    const reason = `${missing} of ${active} active listings are missing, which is more than a reading may withdraw`;
    return { status: 'refused', missing, reason };
  }
  let listings = 0;
  if (missing === 0) return { status: 'done', listings };
  for await (const page of activeListings(db, schema, source, observedAt)) {
    const { ListingWithdrawn = 0 } = await recorder.withdraw(await missingOf(page), observedAt);
    listings += ListingWithdrawn;
  }
  return { status: 'done', listings };
};

/** A complete reading of a source. */
interface CompleteReading {
  /** How many offers it has. */
  readonly seen: number;
  /** Those of some listings that it has. */
  readonly seenAmong: (ids: readonly string[]) => ReadonlySet<string> | Promise<ReadonlySet<string>>;
  /** Start of the reading. Listings seen later are not withdrawn. */
  readonly observedAt: string;
  /** Maximum share of the active listings that may be withdrawn. */
  readonly maxShare?: number | undefined;
}
