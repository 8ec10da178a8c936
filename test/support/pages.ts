import type { CursorPosition } from '../../src/read/keyset.ts';

/** The pages of a list, each after the one before it. */
export const pagesOf = async <Page extends { readonly next: CursorPosition | null }>(
  read: (after: CursorPosition | null) => Promise<Page>,
): Promise<readonly Page[]> => {
  const pages: Page[] = [];
  let after: CursorPosition | null = null;
  do {
    const page: Page = await read(after);
    pages.push(page);
    // Each page begins where the last one ended.
    if (page.next !== null && JSON.stringify(page.next) === JSON.stringify(after))
      throw new Error(`The page after ${JSON.stringify(after)} ends where it begins.`);
    after = page.next;
  } while (after !== null);
  return pages;
};

/** The items of a list, page by page. */
export const itemsOf = async <Item>(
  read: (
    after: CursorPosition | null,
  ) => Promise<{ readonly items: readonly Item[]; readonly next: CursorPosition | null }>,
): Promise<readonly Item[]> => (await pagesOf(read)).flatMap(({ items }) => items);
