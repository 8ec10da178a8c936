import { decodeHTML } from 'entities';
import { at, isObject, type Json, parseJson } from './json-access.ts';

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

/** The page's title; null if absent or truncated. */
export const titleOf = (html: string): string | null => {
  const found = /<title[^>]{0,200}>([^<]{0,500})<\/title\s*>/i.exec(html.slice(0, 200_000));
  return found === null ? null : decodeHTML(found[1] ?? '').trim();
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

/**
 * JSON that a script assigns to a name: `var name = {…};`, `window["name"] = {…}`, or as an escaped string.
 * Undefined if absent or truncated.
 */
export const assignedJson = (html: string, name: string): Json => {
  let tries = 0;
  for (let from = 0; tries < MAX_TRIES; ) {
    const start = html.indexOf(name, from);
    if (start < 0) return undefined;
    from = start + name.length;
    const assignment = /^["']?\]?\s*=\s*/.exec(html.slice(from, from + 40));
    if (assignment === null) continue;
    tries += 1;
    const value = from + assignment[0].length;
    const parsed = html[value] === '{' ? objectAt(html, value) : escapedAt(html, value);
    if (parsed !== undefined) return parsed;
  }
  return undefined;
};

/** Whether a JSON-LD node has a type, bare, with vocabulary, or among others. */
export const hasType = (node: Json, type: string): boolean =>
  listOf(at(node, '@type')).some((each) => typeof each === 'string' && each.split(/[/#:]/).at(-1) === type);

/** Raw counts of the nodes' interaction statistics; the first of a kind wins. */
export const followCounts = (...nodes: readonly Json[]): InteractionCounts => {
  const statistics = nodes.flatMap((node) => [
    ...listOf(at(node, 'interactionStatistic')),
    ...listOf(at(node, 'agentInteractionStatistic')),
  ]);
  const of = (action: string): Json =>
    at(
      statistics.find((each) => actionOf(each) === action),
      'userInteractionCount',
    );
  return { follow: of('FollowAction'), subscribe: of('SubscribeAction'), write: of('WriteAction') };
};

/** URL of a node's image: text, a node, or the first of several. */
export const imageOf = (node: Json, name = 'image'): Json => {
  const image = listOf(at(node, name))[0];
  return isObject(image) ? (at(image, 'contentUrl') ?? at(image, 'url')) : image;
};

/** A script element, found by string search, without parsing the page. */
interface Script {
  /** The start tag without its angle brackets. */
  readonly tag: string;
  readonly text: string;
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

/** Without the end of a comment or CDATA section, which may be in a comment of the script. */
const withoutClosing = (text: string): string => {
  const whole = text.trimEnd();
  const bare = whole.endsWith('*/') ? whole.slice(0, -2).trimEnd() : whole;
  if (!bare.endsWith('-->') && !bare.endsWith(']]>')) return text;
  const inner = bare.slice(0, -3).trimEnd();
  return inner.endsWith('/*') || inner.endsWith('//') ? inner.slice(0, -2) : inner;
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

/** Assignments that are tried: each may go through the rest of the page. */
const MAX_TRIES = 8;

const objectAt = (html: string, start: number): Json => {
  // Usually the object is the rest of the script: trying to parse it is faster than matching braces.
  const close = html.indexOf('</script', start);
  if (close > 0) {
    const whole = parseJson(html.slice(start, close).trimEnd().replace(/;$/, ''));
    if (whole !== undefined) return whole;
  }
  const end = balancedEnd(html, start);
  return end < 0 ? undefined : parseJson(html.slice(start, end));
};

/** Index behind the brace that closes the object at `start`; -1 if there is none. */
const balancedEnd = (text: string, start: number): number => {
  let depth = 0;
  for (let i = start; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) {
      i = endOfString(text, i);
      if (i < 0) return -1;
    } else if (c === 123) depth++;
    else if (c === 125 && --depth === 0) return i + 1;
  }
  return -1;
};

const endOfString = (text: string, start: number): number => {
  for (let i = start + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 92) i++;
    else if (c === 34) return i;
  }
  return -1;
};

const escapedAt = (html: string, start: number): Json => {
  const quote = html[start];
  if (quote !== "'" && quote !== '"') return undefined;
  let end = start + 1;
  while (end < html.length && html[end] !== quote) end += html[end] === '\\' ? 2 : 1;
  if (end >= html.length) return undefined;
  const text = html
    .slice(start + 1, end)
    .replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/gis, (_, x?: string, u?: string, c?: string) =>
      c === undefined ? String.fromCharCode(Number.parseInt((x ?? u) as string, 16)) : (SIMPLE[c] ?? c),
    );
  return parseJson(text);
};

const SIMPLE: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

const listOf = (value: Json): readonly Json[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

/** Name of the interaction that a statistic counts: a bare name, a URL or a node. */
const actionOf = (statistic: Json): string => {
  const kind = at(statistic, 'interactionType');
  const name = isObject(kind) ? (at(kind, '@type') ?? at(kind, '@id')) : kind;
  return typeof name === 'string' ? (name.split(/[/#:]/).at(-1) ?? '') : '';
};

interface InteractionCounts {
  readonly follow: Json;
  readonly subscribe: Json;
  readonly write: Json;
}
