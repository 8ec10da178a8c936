import { load } from 'cheerio/slim';
import { DomHandler, DomUtils, Parser } from 'htmlparser2';
import { clean } from './json-access.ts';

/** No page is as deep; each level costs every end tag, and every selector that looks upwards. */
export const MAX_DEPTH = 1_000;

/**
 * No account's page has as many elements of a kind. More are not read: they may be within one another, so that the work
 * on all their texts would grow with their depth.
 */
export const MOST = 100;

/** An element of a tree. */
export type Element = NonNullable<ReturnType<typeof DomUtils.findOne>>;

/** A page, or the content of one of its elements. */
export interface Scope {
  /** The elements that a selector matches, in order. */
  select(selector: string): readonly Element[];
}

export interface Tree extends Scope {
  within(element: Element): Scope;
  /** Whether the page is complete: an element around all others has an end tag. */
  readonly isComplete: boolean;
}

/** Tree of a page or a part of one; null if it is nested deeper than `MAX_DEPTH`, of which no tree is built. */
export const treeOf = (markup: string, { xmlMode = false, until }: TreeOptions = {}): Tree | null => {
  const handler = new BoundedHandler(until);
  new Parser(handler, { xmlMode }).end(markup);
  const { isTooDeep, isComplete, root } = handler;
  if (isTooDeep) return null;
  const $ = load(root, { xml: { xmlMode } });
  // Not by `find`: it compares each child of an element with all others.
  const within = ({ children }: Pick<Element, 'children'>): Scope => {
    const all = $(DomUtils.findAll(() => true, children));
    return { select: (selector) => all.filter(selector).toArray() };
  };
  return { ...within(root), within, isComplete };
};

/** An attribute of an element; null without one. */
export const attributeOf = (element: Element | undefined, name: string): string | null => {
  const value = element?.attribs[name];
  return value === undefined ? null : copied(value);
};

/**
 * Text of an element as a page shows it: lines are broken by `<br>` and in preformatted text only. Null without an
 * element.
 *
 * @param without class of elements within, such as badges, that are no part of the text.
 */
export const textOf = (element: Element | undefined, without?: string): string | null =>
  element === undefined ? null : copied(tidy(textWithin(element, false, without)));

/** Text of an element as it is written; null without one. */
export const verbatimOf = (element: Element | undefined): string | null =>
  element === undefined ? null : copied(textWithin(element, true));

/** Meta tags and canonical links in the head of a page, the only part of which a tree is built. */
export const metaTags = (html: string): MetaTags => {
  const tree = treeOf(html.slice(0, HEAD_CHARS), { until: 'body' });
  if (tree === null) return { get: () => null, addresses: [] };
  const { select } = tree;
  const contents = new Map<string, string>();
  const addresses = select('link[rel="canonical" i]').map((link) => attributeOf(link, 'href') ?? '');
  for (const meta of select('meta[content]:not([content=""])')) {
    const name = (meta.attribs.property ?? meta.attribs.name ?? '').toLowerCase();
    const content = attributeOf(meta, 'content') ?? '';
    if (!contents.has(name)) contents.set(name, content);
    if (name === 'og:url') addresses.push(content);
  }
  return { get: (name) => contents.get(name) ?? null, addresses };
};

/** The head of a page, which has its metadata. */
const HEAD_CHARS = 300_000;

/** Elements around all others of a page or feed. */
const OUTER: ReadonlySet<string> = new Set(['html', 'body', 'feed']);

/** How a tree is built. */
interface TreeOptions {
  readonly xmlMode?: boolean;
  /** Name of the element at which the tree ends. */
  readonly until?: string;
}

class BoundedHandler extends DomHandler {
  isTooDeep = false;
  isComplete = false;
  readonly #until: string | undefined;
  #parser: Parser | undefined;

  constructor(until: string | undefined) {
    super();
    this.#until = until;
  }

  override onparserinit(parser: Parser): void {
    super.onparserinit(parser);
    this.#parser = parser;
  }

  override onopentag(name: string, attributes: Record<string, string>): void {
    super.onopentag(name, attributes);
    // The stack begins with the document.
    if (this.tagStack.length > MAX_DEPTH + 1) this.isTooDeep = true;
    if (this.isTooDeep || name === this.#until) this.#parser?.pause();
  }

  override onclosetag(name = '', isImplied = true): void {
    super.onclosetag();
    if (!isImplied && OUTER.has(name)) this.isComplete = true;
  }
}

/** V8 copies shorter slices anyway. */
const MIN_SLICE = 13;

/** A flat copy: a slice would keep the whole page in memory. */
const copied = (text: string): string =>
  clean(text.length < MIN_SLICE ? text : Buffer.from(text, 'utf8').toString('utf8'));

/** Text of all that is in an element, in order. */
const textWithin = (element: Element, isVerbatim: boolean, without?: string): string => {
  let text = '';
  const open: { readonly node: Element['children'][number]; readonly isPre: boolean }[] = [
    { node: element, isPre: isVerbatim },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node } = next;
    if (DomUtils.isText(node)) text += next.isPre ? node.data : node.data.replaceAll('\n', ' ');
    if (!DomUtils.hasChildren(node)) continue;
    const { name = '', attribs = {} } = DomUtils.isTag(node) ? node : {};
    if (name === 'br') text += '\n';
    if (without !== undefined && attribs.class?.split(/\s+/).includes(without) === true) continue;
    const isPre = next.isPre || name === 'pre';
    for (let n = node.children.length - 1; n >= 0; n--)
      open.push({ node: node.children[n] as (typeof node.children)[number], isPre });
  }
  return text;
};

/** Normalizes whitespace: runs of blanks collapse, lines are trimmed. */
const tidy = (text: string): string => {
  const blanks = /[\t\r\f]| {2}/.test(text) ? text.replace(/[ \t\r\f]+/g, ' ') : text;
  const lines = blanks.includes('\n') ? blanks.replace(/ ?\n ?/g, '\n').replace(/\n{3,}/g, '\n\n') : blanks;
  return lines.trim();
};

interface MetaTags {
  /** First content of the tag with a property or name, lower case; null without one, or if it is empty. */
  get(name: string): string | null;
  /** The addresses under which the page presents itself. */
  readonly addresses: readonly string[];
}
