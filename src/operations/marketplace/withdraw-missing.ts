import type { Queryable } from '../../kernel/postgres/pool.ts';
import { type ActiveListing, activeListings } from '../../read/marketplace/active-listings.ts';
import type { MarketRecorder } from '../../write/marketplace/record.ts';
import { isPlausibleWithdrawal } from '../../write/marketplace/withdrawal.ts';

/** What came of the listings that a complete file does not have. */
export type Withdrawal =
  | { readonly status: 'done'; readonly listings: number }
  /** Nothing was withdrawn. */
  | { readonly status: 'refused'; readonly missing: number | null; readonly reason: string };

/**
 * Withdraws the active listings of a source that a complete reading has not seen, unless these are implausibly many.
 * @param schema of the build of `listings`, which has all that the reading recorded.
 * @param options.seen how many listings the reading has.
 * @param options.observedAt when the source was read; what was seen later is not withdrawn.
 */
export const withdrawMissing = async (
  {
    db,
    schema,
    recorder,
  }: { readonly db: Queryable; readonly schema: string; readonly recorder: MarketRecorder },
  source: string,
  {
    isSeen,
    seen,
    observedAt,
    maxShare,
  }: {
    readonly isSeen: (id: string) => boolean;
    readonly seen: number;
    readonly observedAt: string;
    readonly maxShare?: number;
  },
): Promise<Withdrawal> => {
  let active = 0;
  let missing = 0;
  const missingOf = (page: readonly ActiveListing[]) =>
    page.filter(({ id, isBefore }) => isBefore && !isSeen(id)).map(({ id }) => id);
  for await (const page of activeListings(db, schema, source, observedAt)) {
    active += page.length;
    missing += missingOf(page).length;
  }
  if (!isPlausibleWithdrawal({ missing, active, seen }, maxShare)) {
    const reason = `${missing} of ${active} active listings are missing, which is more than a reading may withdraw`;
    return { status: 'refused', missing, reason };
  }
  let listings = 0;
  for await (const page of activeListings(db, schema, source, observedAt)) {
    const { ListingWithdrawn = 0 } = await recorder.withdraw(missingOf(page), observedAt);
    listings += ListingWithdrawn;
  }
  return { status: 'done', listings };
};
