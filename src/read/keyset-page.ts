import type { CursorPosition } from './cursor.ts';

/** A page of a list. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** Position of the next page; null at the end. */
  readonly next: CursorPosition | null;
  /** Time of the oldest reading on the page, ms since 1970; null if there is none. */
  readonly oldestMs: number | null;
}

/** Cuts a page from rows fetched with a limit of one more than the page size. */
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
