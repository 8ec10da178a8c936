import { findElements } from './html-elements.ts';

/** What a page says of itself is in its head. */
const HEAD_CHARS = 300_000;
const HEAD_TAGS: ReadonlySet<string> = new Set(['<link', '<meta']);

export interface MetaTags {
  /** First content of the tag with a property or name, lower case; null without one, or if it is empty. */
  get(name: string): string | null;
  /** The addresses under which the page presents itself. */
  readonly addresses: readonly string[];
}

/** Meta tags and canonical links of a page. */
export const metaTags = (html: string): MetaTags => {
  const contents = new Map<string, string>();
  const addresses: string[] = [];
  for (const { as, attributes } of findElements(html.slice(0, HEAD_CHARS), HEAD_TAGS).found) {
    const name = (attributes.property ?? attributes.name ?? '').toLowerCase();
    const content = attributes.content ?? '';
    if (as === '<link' && attributes.rel?.toLowerCase() === 'canonical')
      addresses.push(attributes.href ?? '');
    if (as !== '<meta' || name === '' || content === '') continue;
    if (!contents.has(name)) contents.set(name, content);
    if (name === 'og:url') addresses.push(content);
  }
  return { get: (name) => contents.get(name) ?? null, addresses };
};
