/** Longest key of an industry, which is part of indexes. */
const MAX_CHARS = 200;

/** An industry in a form that is equal however it is written: `IT Services & Consulting` is `it-services-and-consulting`. */
export const industryKey = (industry: string | null): string | null => {
  const key = (industry ?? '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, MAX_CHARS)
    .normalize('NFC');
  return key === '' ? null : key;
};
