import type { Platform } from '../kernel/platform.ts';

/** The account to read: a normalized handle, or a native ID. */
export type Address =
  | { readonly kind: 'handle'; readonly handle: string }
  | { readonly kind: 'id'; readonly id: string };

/**
 * The account that a URL's page or answer is about: `unsaid` for calls that name it in their body, or by a key that is no
 * account's. Null for anything else, as a log-in, a consent page, a post or another site.
 */
export type Subject = Address | 'unsaid' | null;

/** URLs of a platform's posts whose path begins with the account. */
export interface PostUrls {
  /** Patterns of paths, with the post as their group. */
  readonly path: RegExp;
  /** Patterns of paths that name no account. */
  readonly nameless?: RegExp;
  /** Whether the URL has only the end of a post's ID, after a slash. */
  readonly isEndOfId?: true;
}

/** What is known of a platform without reading it: names, IDs, URLs, and what can be asked of it. */
export interface PlatformDescriptor {
  readonly platform: Platform;
  /** The name as people write it. */
  readonly name: string;
  /** A regular expression of normalized handles, for documentation. */
  readonly handlePattern: string;
  /** A URL with the placeholder `{handle}`. */
  readonly profileUrlTemplate: string;
  /** Normalizes a handle, with or without `@`; null if it is invalid. */
  parseHandle(input: string): string | null;
  /** Normalizes a native ID; null if it is invalid. */
  parseId(input: string): string | null;
  /** Whether the text can only be a native ID (a DID, `UC…`). */
  isBareId(input: string): boolean;
  profileUrl(handle: string): string;
  /** The account of a profile URL; null for any other URL. */
  addressOf(url: URL): Address | null;
  /**
   * The account that a URL's page or answer is about.
   * @param parts the parts of its path.
   */
  subjectOf(url: URL, parts: readonly string[]): Subject;
  /** The canonical form of a profile URL whose account only the platform can resolve; null for any other URL. */
  readonly indirectUrl?: (url: URL) => string | null;
  /** Pattern of native IDs that name the streams of accounts without a handle. Absent if all accounts have handles. */
  readonly streamId?: RegExp;
  /** Pattern of normalized handles that can be registered today. Absent if all handles can. */
  readonly registrable?: RegExp;
  /** The form in which a handle is compared across platforms; by default the handle itself. */
  readonly comparable?: (handle: string) => string;
  /** The end that most handles share, so that it distinguishes none. */
  readonly sharedEnd?: string;
  /** Whether `@` and a handle in a text mean an account. Elsewhere it is a person's name. */
  readonly hasMentions: boolean;
  /** Absent if URLs of posts name no account, or write IDs in another way. */
  readonly postUrls?: PostUrls;
  /** Age in hours from which the figures of a post count as final in medians. */
  readonly ripeHours: number;
  /** Number of digits that the platform shows of follower counts from a thousand on. Absent if it shows all. */
  readonly followerDigits?: number;
  /** When a native ID was created, in ms since 1970; null if the ID does not tell. Absent if no ID tells. */
  readonly msOfId?: (id: bigint) => number | null;
  /** Public follower lists. Absent if there are none. */
  readonly follows?: {
    /** Whether native IDs are numbers, which take eight bytes. */
    readonly hasNumericIds: boolean;
  };
  /**
   * Whether accounts may ask not to be shown to strangers. Readings then show that they exist, and nothing that was known before is
   * shown either.
   */
  readonly hasOptOuts?: true;
  /** Whether the platform shows search results to strangers, so that withheld accounts can be detected. */
  readonly isSearchable?: true;
  /**
   * Whether accounts are in the directory and open to everyone who may ask for accounts. Other platforms have endpoints and a scope
   * of their own; elsewhere answers only tell that an account exists.
   */
  readonly isInDirectory: boolean;
}

export const named = (parseHandle: (text: string) => string | null, name: string | null): Subject => {
  const handle = name === null ? null : parseHandle(name);
  return handle === null ? null : { kind: 'handle', handle };
};

/** Tabs of a profile that have an address of their own, as `/videos`. */
export const tabs = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Whether a path is a profile's: `depth` parts that name it, alone or with one of its tabs. */
export const isProfile = (parts: readonly string[], depth: number, names: ReadonlySet<string>): boolean =>
  parts.length === depth || (parts.length === depth + 1 && names.has((parts[depth] ?? '').toLowerCase()));

export const isHost = (url: URL, domain: string): boolean =>
  url.hostname === domain || url.hostname.endsWith(`.${domain}`);

/** A part of a path without percent-escapes; unchanged if they are invalid. */
export const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
