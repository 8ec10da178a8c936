import type { Fields } from '../shared/field-reader.ts';
import { attributeOf, type Element, MOST, textOf, treeOf } from '../shared/html.ts';
import { linksOf } from '../shared/links.ts';

/** Raw texts of a company page; null if absent. */
export interface ShownFacts {
  readonly website: string | null;
  readonly industry: string | null;
  readonly size: string | null;
  readonly headquarters: string | null;
  readonly founded: string | null;
  readonly specialties: string | null;
}

const between = (html: string, start: number, tag: string): string | null => {
  const open = start < 0 ? -1 : html.lastIndexOf('<', start);
  const close = open < 0 ? -1 : html.indexOf(`</${tag}>`, start);
  return close < 0 ? null : html.slice(open, close + tag.length + 3);
};

const SUBLINE = 'top-card-layout__first-subline';

/** Names of facts by the marks of their rows, which no language changes, and by their labels on pages without marks. */
const NAMES: Readonly<Record<string, keyof ShownFacts>> = {
  website: 'website',
  industry: 'industry',
  industries: 'industry',
  size: 'size',
  companysize: 'size',
  'company size': 'size',
  headquarters: 'headquarters',
  foundedon: 'founded',
  founded: 'founded',
  specialties: 'specialties',
};

/** Rows that hold no fact. */
const OTHERS = /^(?:organizationtype|type|company type|phone|description)$/;

/** The mark of the row that an element is in; undefined without one. */
const markOf = (element: Element): string | undefined => {
  for (let at: Element['parent'] = element; at !== null && 'attribs' in at; at = at.parent) {
    const mark = /^about-us__(\w+)$/.exec(at.attribs['data-test-id'] ?? '')?.[1];
    if (mark !== undefined) return mark;
  }
  return undefined;
};

/** Parses only the relevant parts of the page. */
export const companyFacts = (html: string, fields: Fields): ShownFacts => {
  const facts: Record<keyof ShownFacts, string | null> = {
    website: null,
    industry: null,
    size: null,
    headquarters: null,
    founded: null,
    specialties: null,
  };
  const about = html.indexOf('about-us');
  const from = about < 0 ? -1 : html.indexOf('<dl', about);
  const section = from < 0 ? null : between(html, from + 1, 'dl');
  const tree = section === null ? null : treeOf(section);
  if (tree === null) return facts;
  let label: string | null = null;
  for (const element of tree.select('dt, dd').slice(0, MOST)) {
    const text = textOf(element) ?? '';
    if (element.tagName === 'dt') label = text;
    if (element.tagName !== 'dd' || label === null || text === '') continue;
    const key = (markOf(element) ?? label).toLowerCase();
    const name = Object.hasOwn(NAMES, key) ? NAMES[key] : undefined;
    if (name === undefined) {
      if (!OTHERS.test(key)) fields.unknownLabel(label);
    } else {
      // The website's link has a note about opening a window.
      const link =
        name === 'website'
          ? linksOf([attributeOf(tree.within(element).select('a')[0], 'href')])[0]
          : undefined;
      facts[name] ??= ((link ?? text).split('\n')[0] ?? '').trim();
    }
    label = null;
  }
  return facts;
};

/** The line below a company's name; null if absent. */
export const sublineOf = (html: string): string | null => {
  const at = html.indexOf(SUBLINE);
  const open = at < 0 ? -1 : html.lastIndexOf('<', at);
  const tag = open < 0 ? undefined : /^<([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 20))?.[1];
  const part = tag === undefined ? null : between(html, at, tag);
  const tree = part === null ? null : treeOf(part);
  return tree === null ? null : textOf(tree.select(`.${SUBLINE}`)[0]);
};
