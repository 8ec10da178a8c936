/** Counts as worded by YouTube. */
export type Locale = 'en' | 'en-GB' | 'de' | 'fr';

export const localeOf = (wanted: string): Locale => {
  const lower = wanted.toLowerCase();
  if (lower.startsWith('en-gb')) return 'en-GB';
  return lower.startsWith('de') ? 'de' : lower.startsWith('fr') ? 'fr' : 'en';
};

/** Truncated to three significant digits from a thousand on. */
export const cut = (n: number): number => {
  if (n < 1000) return n;
  const unit = 10 ** (Math.floor(Math.log10(n)) - 2);
  return Math.floor(n / unit) * unit;
};

const SUFFIXES: Readonly<Record<Locale, readonly [string, string, string]>> = {
  en: ['K', 'M', 'B'],
  'en-GB': ['k', 'm', 'bn'],
  de: [' Tsd.', ' Mio.', ' Mrd.'],
  fr: [' k', ' M', ' Md'],
};

const shortCount = (count: number, locale: Locale): string => {
  const n = cut(count);
  if (n < 1000) return String(n);
  const [size, suffix] =
    n >= 1e9
      ? [1e9, SUFFIXES[locale][2]]
      : n >= 1e6
        ? [1e6, SUFFIXES[locale][1]]
        : [1e3, SUFFIXES[locale][0]];
  const text = String(Number((n / size).toPrecision(3)));
  return `${locale === 'de' || locale === 'fr' ? text.replace('.', ',') : text}${suffix}`;
};

const SUBSCRIBERS: Readonly<Record<Locale, readonly [string, string]>> = {
  en: ['subscriber', 'subscribers'],
  'en-GB': ['subscriber', 'subscribers'],
  de: ['Abonnent', 'Abonnenten'],
  fr: ['abonné', 'abonnés'],
};
const VIDEOS: Readonly<Record<Locale, readonly [string, string]>> = {
  en: ['video', 'videos'],
  'en-GB': ['video', 'videos'],
  de: ['Video', 'Videos'],
  fr: ['vidéo', 'vidéos'],
};

const worded = (words: Readonly<Record<Locale, readonly [string, string]>>) => (n: number, locale: Locale) =>
  `${shortCount(n, locale)}${locale === 'fr' && n >= 1e6 ? ' d’' : ' '}${words[locale][n === 1 ? 0 : 1]}`;

export const subscribers = worded(SUBSCRIBERS);
export const videos = worded(VIDEOS);
