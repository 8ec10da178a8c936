/** Steps of a decade: a person moves in the list only when its largest account has grown by an eighth. */
const STEPS = 20;

/** Rank of an account by its followers; unknown ones come last. */
export const rankOf = (followers: number | null): number =>
  followers === null ? -1 : Math.floor(STEPS * Math.log10(followers + 1));
