/** So few listings may be withdrawn at once whatever their share is. */
const FEW = 10;
/** Maximum share of a source's active listings that one reading withdraws. */
const MAX_WITHDRAWN_SHARE = 0.2;

/**
 * Whether it is plausible that listings have left their source. A file that was cut off, or a feed that ended early,
 * looks like a market that emptied: nothing is withdrawn then.
 */
export const isPlausibleWithdrawal = (
  { missing, active, seen }: { readonly missing: number; readonly active: number; readonly seen: number },
  maxShare: number = MAX_WITHDRAWN_SHARE,
): boolean => seen > 0 && missing <= Math.max(FEW, maxShare * active);
