import type { CursorPosition } from './cursor.ts';

/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Where the next page begins; null at the end. */
  readonly next: CursorPosition | null;
  /** The oldest reading among the items, ms since 1970; null where nothing was read. */
  readonly oldestMs: number | null;
}

/** Cuts the page out of rows of which one more was asked for than the page holds. */
export const pageOf = <Row, Item>(
  rows: readonly Row[],
  limit: number,
  read: {
    readonly item: (row: Row) => Item;
    readonly position: (row: Row) => CursorPosition;
    readonly observedMs: (row: Row) => number | null;
  },
): ListPage<Item> => {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  let oldestMs: number | null = null;
  for (const row of shown) {
    const ms = read.observedMs(row);
    if (ms !== null && (oldestMs === null || ms < oldestMs)) oldestMs = ms;
  }
  return {
    items: shown.map(read.item),
    next: rows.length > limit && last !== undefined ? read.position(last) : null,
    oldestMs,
  };
};
