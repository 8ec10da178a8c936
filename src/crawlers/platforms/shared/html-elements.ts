import { Parser } from 'htmlparser2';
import { clean } from './json-access.ts';

/** A matched element and its content. */
export interface Found {
  /** The class or tag name that matched. */
  readonly as: string;
  readonly tag: string;
  readonly classes: readonly string[];
  readonly attributes: Readonly<Record<string, string>>;
  /** Its text, with the page's line breaks. */
  text: string;
  /** The nearest enclosing match. */
  readonly parent: Found | null;
}

export interface Elements {
  readonly found: readonly Found[];
  /** Whether the page is complete: it has a closing body or html tag. */
  readonly complete: boolean;
}

/** V8 copies shorter slices anyway. */
const MIN_SLICE = 13;

/** A flat copy: a slice would keep the whole page in memory. */
const copied = (text: string): string =>
  clean(text.length < MIN_SLICE ? text : Buffer.from(text, 'utf8').toString('utf8'));

const NOTHING: ReadonlySet<string> = new Set();

/** No page is as deep; each level costs every closing tag, and each open match every text. */
export const MAX_DEPTH = 1_000;
const MAX_OPEN = 50;

const VOID = new Set(['meta', 'img', 'link', 'input', 'br', 'hr']);

/**
 * Elements with one of the classes or tag names (as `<meta`), in page order. Event-based, without a tree. Text of
 * `excluded` elements, such as badges, is not part of their ancestors' text.
 */
export const findElements = (
  html: string,
  wanted: ReadonlySet<string>,
  excluded: ReadonlySet<string> = NOTHING,
): Elements => {
  const found: Found[] = [];
  const stack: (Found | null)[] = [];
  const open: Found[] = [];
  const byTag = new Map(
    [...wanted].filter((name) => name.startsWith('<')).map((name) => [name.slice(1), name]),
  );
  const closed = new Set<string>();
  let isTooDeep = false;
  let preformatted = 0;
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        if (tag === 'pre') preformatted++;
        if (tag === 'br') for (const element of open) element.text += '\n';
        const names = attributes.class;
        const classes = names === undefined ? [] : /\s/.test(names) ? names.split(/\s+/) : [names];
        const as = classes.find((name) => wanted.has(name)) ?? byTag.get(tag);
        const element =
          as === undefined ? null : { as, tag, classes, attributes, text: '', parent: open.at(-1) ?? null };
        if (element !== null) found.push(element);
        if (VOID.has(tag)) return;
        stack.push(element);
        if (element !== null) open.push(element);
        if (stack.length <= MAX_DEPTH && open.length <= MAX_OPEN) return;
        isTooDeep = true;
        parser.pause();
      },
      ontext(text) {
        // A line break in the source is a blank; only <br> and preformatted text break lines.
        const shown = preformatted > 0 ? text : text.replaceAll('\n', ' ');
        const inner = open.at(-1);
        if (inner !== undefined && excluded.has(inner.as)) inner.text += shown;
        else for (const element of open) element.text += shown;
      },
      onclosetag(tag) {
        if (tag === 'body' || tag === 'html') closed.add(tag);
        if (tag === 'pre') preformatted--;
        if (VOID.has(tag)) return;
        const element = stack.pop();
        if (element !== null && element !== undefined) open.pop();
      },
    },
    { decodeEntities: true, lowerCaseTags: true, lowerCaseAttributeNames: true },
  );
  parser.end(html);
  for (const element of found) {
    element.text = copied(tidy(element.text));
    for (const name of Object.keys(element.attributes)) {
      (element.attributes as Record<string, string>)[name] = copied(element.attributes[name] as string);
    }
  }
  // A tag that is implied at the end closes as well.
  const complete = !isTooDeep && [...closed].some((tag) => html.includes(`</${tag}>`));
  return { found, complete };
};

/** Normalizes whitespace: runs of blanks collapse, lines are trimmed. */
const tidy = (text: string): string => {
  const blanks = /[\t\r\f]| {2}/.test(text) ? text.replace(/[ \t\r\f]+/g, ' ') : text;
  const lines = blanks.includes('\n') ? blanks.replace(/ ?\n ?/g, '\n').replace(/\n{3,}/g, '\n\n') : blanks;
  return lines.trim();
};
