import { findElements } from '../shared/html-elements.ts';

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

const DT_DD = new Set(['<dt', '<dd']);
const SUBLINE = 'top-card-layout__first-subline';

/** `dt`/`dd` pairs of the "about" section. */
const pairsOf = (html: string): Map<string, string> => {
  const pairs = new Map<string, string>();
  const about = html.indexOf('about-us');
  const from = about < 0 ? -1 : html.indexOf('<dl', about);
  const section = from < 0 ? null : between(html, from + 1, 'dl');
  if (section === null) return pairs;
  let name: string | null = null;
  for (const { tag, text } of findElements(section, DT_DD).found) {
    if (tag === 'dt') name = text.toLowerCase();
    else if (name !== null && text !== '') {
      // The website link has a note about opening a window.
      pairs.set(name, (text.split('\n')[0] ?? '').trim());
      name = null;
    }
  }
  return pairs;
};

/** Parses only the relevant parts of the page. */
export const companyFacts = (html: string): ShownFacts => {
  const pairs = pairsOf(html);
  const get = (...names: readonly string[]) =>
    names.map((name) => pairs.get(name)).find((text) => text) ?? null;
  return {
    website: get('website'),
    industry: get('industry', 'industries'),
    size: get('company size', 'size'),
    headquarters: get('headquarters'),
    founded: get('founded'),
    specialties: get('specialties'),
  };
};

/** The line below a company's name; null if absent. */
export const sublineOf = (html: string): string | null => {
  const at = html.indexOf(SUBLINE);
  const open = at < 0 ? -1 : html.lastIndexOf('<', at);
  const tag = open < 0 ? undefined : /^<([a-z][a-z0-9]*)/i.exec(html.slice(open, open + 20))?.[1];
  const part = tag === undefined ? null : between(html, at, tag);
  return part === null ? null : (findElements(part, new Set([SUBLINE])).found[0]?.text ?? null);
};
