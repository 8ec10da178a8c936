/** HTML of pages: what is put into a template is escaped. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A piece of a page. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes: a piece of a page, or a text, which is escaped. Null leaves nothing. */
export type Part = Html | string | number | null | readonly Part[];

const partOf = (part: Part): string => {
  if (part instanceof Html) return part.text;
  if (part === null) return '';
  if (typeof part === 'object') return part.map(partOf).join('');
  return String(part).replace(/[&<>"']/g, (found) => ESCAPES[found] as string);
};

/** Text of a template stands as it is; what is put into it is escaped, unless it is a piece of a page. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(strings.reduce((before, text, i) => before + partOf(parts[i - 1] as Part) + text));
