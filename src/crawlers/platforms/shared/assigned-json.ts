import { type Json, parseJson } from './json-access.ts';

/** Assignments that are tried: each may go through the rest of the page. */
const MAX_TRIES = 8;

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
