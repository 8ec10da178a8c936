import { decodeHTML } from 'entities';
import { type Json, parseJson } from './json-access.ts';

/** A script element, found by string search, without parsing the page. */
export interface Script {
  /** The start tag without its angle brackets. */
  readonly tag: string;
  readonly text: string;
}

/** The scripts of a page, in order. A truncated one is omitted. */
export function* scriptsOf(html: string): Generator<Script> {
  const opening = finderOf(html, '<script');
  const closing = finderOf(html, '</script');
  for (let from = 0; ; ) {
    const start = opening(from);
    if (start < 0) return;
    const open = endOfTag(html, start + 7);
    const end = open < 0 ? -1 : closing(open);
    if (end < 0) return;
    yield { tag: html.slice(start + 1, open), text: html.slice(open + 1, end) };
    from = end + 9;
  }
}

/** Searches forward for a tag: the next in lower case, or where there is none any more, in upper case. */
const finderOf = (html: string, name: string) => {
  const upper = name.toUpperCase();
  let hasLower = true;
  return (from: number): number => {
    const lower = hasLower ? html.indexOf(name, from) : -1;
    if (lower >= 0) return lower;
    // Not searched again: each search would go through the rest of the page.
    hasLower = false;
    return html.indexOf(upper, from);
  };
};

/** Index of a start tag's `>`, respecting quotes. */
const endOfTag = (html: string, from: number): number => {
  let quote = 0;
  for (let i = from; i < html.length; i++) {
    const c = html.charCodeAt(i);
    if (quote !== 0) {
      if (c === quote) quote = 0;
    } else if (c === 34 || c === 39) quote = c;
    else if (c === 62) return i;
  }
  return -1;
};

/** Whether a start tag has an attribute with that value, in any position and quoting. */
const hasAttribute = (tag: string, name: string, value: string): boolean => {
  // Some pages encode `+` and the like as entities.
  const text = tag.includes('&') ? decodeHTML(tag) : tag;
  const found = new RegExp(`(?:^|[\\s"'/])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>]+))`, 'i').exec(
    text,
  );
  const given = found?.[1] ?? found?.[2] ?? found?.[3];
  return given !== undefined && given.trim().toLowerCase() === value.toLowerCase();
};

/** The page's title; null if absent or truncated. */
export const titleOf = (html: string): string | null => {
  const found = /<title[^>]{0,200}>([^<]{0,500})<\/title\s*>/i.exec(html.slice(0, 200_000));
  return found === null ? null : decodeHTML(found[1] ?? '').trim();
};

/** Without the end of a comment or CDATA section, which may be in a comment of the script. */
const withoutClosing = (text: string): string => {
  const whole = text.trimEnd();
  const bare = whole.endsWith('*/') ? whole.slice(0, -2).trimEnd() : whole;
  if (!bare.endsWith('-->') && !bare.endsWith(']]>')) return text;
  const inner = bare.slice(0, -3).trimEnd();
  return inner.endsWith('/*') || inner.endsWith('//') ? inner.slice(0, -2) : inner;
};

/** JSON as embedded in pages: bare, in a comment or CDATA, or with quotes as entities. */
export const parseEmbedded = (text: string): Json => {
  const bare = text.trim();
  const direct = parseJson(bare);
  if (direct !== undefined) return direct;
  const inner = withoutClosing(bare.replace(/^(?:\/\*|\/\/)?\s*(?:<!--|<!\[CDATA\[)\s*(?:\*\/)?/, ''))
    .trim()
    .replace(/;$/, '');
  const unwrapped = parseJson(inner);
  if (unwrapped !== undefined || !/&(?:quot|#34|#x22);/i.test(inner)) return unwrapped;
  return parseJson(decodeHTML(inner));
};

/** JSON of the script with an ID; undefined if absent or invalid. */
export const scriptById = (html: string, id: string): Json => {
  if (!html.includes(id)) return undefined;
  for (const { tag, text } of scriptsOf(html)) {
    if (tag.includes(id) && hasAttribute(tag, 'id', id)) return parseEmbedded(text);
  }
  return undefined;
};

/** All ld+json nodes of a page, with arrays and `@graph` flattened. */
export const linkedData = (html: string): Json[] => {
  const nodes: Json[] = [];
  for (const { tag, text } of scriptsOf(html)) {
    if (/ld(?:\+|&#43;|&#x2b;|&plus;)json/i.test(tag)) flatten(parseEmbedded(text), nodes, 0);
  }
  return nodes;
};

const flatten = (value: Json, into: Json[], depth: number): void => {
  if (depth > 4 || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) flatten(item, into, depth + 1);
    return;
  }
  into.push(value);
  if (Object.hasOwn(value, '@graph')) flatten((value as { '@graph': unknown })['@graph'], into, depth + 1);
};
