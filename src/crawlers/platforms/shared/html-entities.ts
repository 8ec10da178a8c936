import { Parser } from 'htmlparser2';

/** Decodes HTML entities. */
export const decodeEntities = (text: string): string => {
  if (!text.includes('&')) return text;
  let out = '';
  const parser = new Parser({ ontext: (part) => (out += part) }, { decodeEntities: true });
  // The input has no markup: angle brackets are literal.
  parser.end(text.replaceAll('<', '&lt;'));
  return out;
};
