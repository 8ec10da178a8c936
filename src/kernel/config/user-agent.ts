import type { Config } from './settings.ts';

const VERSION = '0.1.0';

/** The user agent of all crawling, with the operator's contact. */
export const userAgentOf = ({ CRAWLER_CONTACT }: Pick<Config, 'CRAWLER_CONTACT'>): string =>
  `Sightline/${VERSION} (+${CRAWLER_CONTACT})`;
