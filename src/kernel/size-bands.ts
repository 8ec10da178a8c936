/** Minimum followers of the size bands by which populations are compared. */
export const SIZE_BANDS = [0, 100, 1_000, 10_000, 50_000, 250_000, 1_000_000, 10_000_000] as const;

/** Index of the size band of an account, from 0. */
export const sizeBandOf = (followers: number): number => SIZE_BANDS.findLastIndex((min) => followers >= min);
