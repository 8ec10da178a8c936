import { type Address, decoded, type PlatformDescriptor, type Subject, tabs } from './descriptor.ts';

/**
 * Letters, digits and pictographs, and the characters that join and color pictographs. Characters of other scripts are
 * percent-decoded.
 */
const CHARACTERS = String.raw`\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{So}\u200d_-`;

/** A person's slug, or `company:` and a company's slug. */
const HANDLE = new RegExp(`^(?:company:)?[${CHARACTERS}]{3,100}$`, 'u');

const COMPANY = 'company:';

/** Company slugs may be shorter and contain more characters than personal ones. */
const COMPANY_SLUG = new RegExp(`^[.&'${CHARACTERS}]{1,100}$`, 'u');
const PERSON_SLUG = new RegExp(`^[${CHARACTERS}]{3,100}$`, 'u');

/** LinkedIn redirects the company pages of schools and brands to paths of their own. */
const COMPANY_PATHS: ReadonlySet<string> = new Set(['company', 'school', 'showcase']);

const parseHandle = (input: string): string | null => {
  const bare = decoded(input.startsWith('@') ? input.slice(1) : input)
    .toLowerCase()
    .normalize('NFC');
  if (bare.startsWith(COMPANY)) return COMPANY_SLUG.test(bare.slice(COMPANY.length)) ? bare : null;
  return PERSON_SLUG.test(bare) ? bare : null;
};

/** The slug of a company's handle; null for a person's handle. */
export const companySlug = (handle: string): string | null =>
  handle.startsWith(COMPANY) ? handle.slice(COMPANY.length) : null;

export const profileUrl = (handle: string): string => {
  const company = companySlug(handle);
  return company === null
    ? `https://www.linkedin.com/in/${encodeURIComponent(handle)}`
    : `https://www.linkedin.com/company/${encodeURIComponent(company)}`;
};

export const addressOf = (url: URL): Address | null => {
  if (!/^(?:[a-z]{1,3}\.)?linkedin\.com$/.test(url.hostname)) return null;
  const [, path = '', slug = ''] = url.pathname.split('/');
  const kind = path.toLowerCase();
  const handle =
    kind === 'in'
      ? parseHandle(slug)
      : COMPANY_PATHS.has(kind)
        ? parseHandle(`${COMPANY}${decoded(slug)}`)
        : null;
  return handle === null || (kind === 'in' && companySlug(handle) !== null)
    ? null
    : { kind: 'handle', handle };
};

/** The handle of a URL in a page's data; null if it is not a profile URL. */
export const handleOfUrl = (text: string | null): string | null => {
  if (text === null || !URL.canParse(text, 'https://www.linkedin.com')) return null;
  const address = addressOf(new URL(text, 'https://www.linkedin.com'));
  return address?.kind === 'handle' ? address.handle : null;
};

const KINDS = tabs('in company school showcase');
const TABS = /^(?:about|[a-z]{2}(?:[-_][a-z]{2})?)$/i;

const subjectOf = (url: URL, parts: readonly string[]): Subject => {
  const [kind = '', , tab] = parts;
  if (!KINDS.has(kind.toLowerCase()) || parts.length < 2 || parts.length > 3) return null;
  return tab === undefined || TABS.test(tab) ? addressOf(url) : null;
};

export const linkedin: PlatformDescriptor = {
  platform: 'linkedin',
  name: 'LinkedIn',
  handlePattern: HANDLE.source,
  profileUrlTemplate: 'https://www.linkedin.com/in/{handle}',
  parseHandle,
  // Public pages show no native IDs.
  parseId: () => null,
  isBareId: () => false,
  profileUrl,
  addressOf,
  subjectOf,
  registrable: /^(?:company:.*|[\p{L}\p{M}\p{N}-]{3,100})$/u,
  comparable: (handle) => companySlug(handle) ?? handle,
  // Ten half-lives of 24 hours, rounded up (Graffius, "Lifespan (half-life) of social media posts", 2018 to 2022).
  ripeHours: 336,
  hasMentions: false,
  isInDirectory: false,
};
