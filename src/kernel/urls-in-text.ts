const URL_IN_TEXT = /\bhttps?:\/\/[^\s<>"'`{}|\\^，。、）】」]+/gi;
const TRAILING = '.,;:!?…*_~]';

/** Without punctuation after it, and without brackets that it does not open; one pass from the end. */
const withoutTrailing = (url: string): string => {
  const opens = url.indexOf('(');
  let end = url.length;
  while (end > 0) {
    const last = url.charAt(end - 1);
    const isStray = last === ')' && (opens === -1 || opens >= end);
    if (!isStray && !TRAILING.includes(last)) break;
    end -= 1;
  }
  return url.slice(0, end);
};

/** URLs with a scheme in a text, without trailing punctuation. */
export const urlsIn = (text: string | null): string[] => {
  if (text === null || !text.includes('://')) return [];
  return (text.match(URL_IN_TEXT) ?? []).map(withoutTrailing);
};
