import { Parser } from 'htmlparser2';

/** Text with its HTML entities decoded. */
export const decodeEntities = (text: string): string => {
  if (!text.includes('&')) return text;
  let out = '';
  const parser = new Parser({ ontext: (part) => (out += part) }, { decodeEntities: true });
  // There is no markup in what comes here: every angle bracket is meant as one.
  parser.end(text.replaceAll('<', '&lt;'));
  return out;
};
