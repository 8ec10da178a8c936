import { Parser } from 'htmlparser2';
import type { Page } from '../../http/port.ts';
import { MAX_DEPTH } from './html.ts';

/** Text that shells have: a banner, a footer, a hint that the page is loading. */
const MAX_TEXT = 500;

const NO_TEXT: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'title', 'svg']);

/** Data blocks are not executed. */
const EXECUTABLE = /^(?:|module|(?:text|application)\/(?:x-)?(?:java|ecma)script)$/i;

/** Whether a page shows nothing without a browser: it has scripts, and hardly any text. */
export const isShell = ({ status, headers, body }: Page): boolean => {
  if (status !== 200 || !/^\s*(?:$|text\/html|application\/xhtml)/i.test(headers['content-type'] ?? ''))
    return false;
  let hasScript = false;
  let hidden = 0;
  let depth = 0;
  let text = 0;
  const parser = new Parser({
    onopentag(tag, { type = '' }) {
      if (tag === 'script' && EXECUTABLE.test(type.trim())) hasScript = true;
      if (NO_TEXT.has(tag)) hidden += 1;
      if (++depth > MAX_DEPTH) parser.pause();
    },
    onclosetag(tag) {
      if (NO_TEXT.has(tag)) hidden -= 1;
      depth -= 1;
    },
    ontext(part) {
      if (hidden > 0 || text > MAX_TEXT) return;
      text += part.replaceAll(/\s+/g, ' ').trim().length;
      if (text > MAX_TEXT) parser.pause();
    },
  });
  parser.end(body);
  return hasScript && text <= MAX_TEXT;
};
