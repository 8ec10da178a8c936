import type { Platform } from '../kernel/platform.ts';

/** The account to read: a normalized handle, or a native ID. */
export type Address =
  | { readonly kind: 'handle'; readonly handle: string }
  | { readonly kind: 'id'; readonly id: string };

/**
 * Whose page or answer a URL is: an account's; `unsaid` for calls that say it in their body, or by a key that is no
 * account's; null for anything else, as a log-in, a consent page, a post or another site.
 */
export type Subject = Address | 'unsaid' | null;

/** URLs of a platform's posts, whose path begins with the account. */
export interface PostUrls {
  /** Of paths, with the post as its group. */
  readonly path: RegExp;
  /** Of paths that name no account. */
  readonly nameless?: RegExp;
  /** Whether IDs of posts only end with what the URL has, behind a slash. */
  readonly isEndOfId?: true;
}

/** What a platform is, as far as it is known without reading it: names, IDs and URLs, and what can be asked of it. */
export interface PlatformDescriptor {
  readonly platform: Platform;
  /** As people write it. */
  readonly name: string;
  /** A regular expression of normalized handles, for documentation. */
  readonly handlePattern: string;
  /** With `{handle}` as placeholder. */
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
  /** Whose page or answer a URL of the web is. @param parts of its path. */
  subjectOf(url: URL, parts: readonly string[]): Subject;
  /** A profile URL that names its account in a way that only the platform can resolve, in one form; null for any other URL. */
  readonly indirectUrl?: (url: URL) => string | null;
  /** Of native IDs that name the streams of accounts without a handle; left out where all accounts have handles. */
  readonly streamId?: RegExp;
  /** Of normalized handles that can be registered today, where that is less than what the platform shows. */
  readonly registrable?: RegExp;
  /** A handle as it is compared across platforms; the handle itself by default. */
  readonly comparable?: (handle: string) => string;
  /** The end of handles that most accounts share, so that it distinguishes none. */
  readonly sharedEnd?: string;
  /** Whether `@` and a handle in a text mean an account; elsewhere people's names. */
  readonly hasMentions: boolean;
  /** Left out where URLs of posts name no account, or write IDs in another way. */
  readonly postUrls?: PostUrls;
  /** Age in hours from which the figures of a post are final, as far as medians are concerned. */
  readonly ripeHours: number;
  /** Digits that are shown of followers from a thousand on; left out where all are. */
  readonly followerDigits?: number;
  /** When a native ID was made, ms since 1970; null if it does not say. Left out where no ID says it. */
  readonly msOfId?: (id: bigint) => number | null;
  /** Public follower lists; left out where there are none. */
  readonly follows?: {
    /** Whether native IDs are numbers, which take eight bytes. */
    readonly hasNumericIds: boolean;
  };
  /** Whether it shows strangers what they search for, so that it can be seen what it withholds from them. */
  readonly isSearchable?: true;
  /**
   * Whether its accounts are in the directory and what they show is for everyone who may ask for accounts; others have
   * endpoints and a scope of their own, and elsewhere only that they exist is shown.
   */
  readonly isInDirectory: boolean;
}

export const named = (parseHandle: (text: string) => string | null, name: string | null): Subject => {
  const handle = name === null ? null : parseHandle(name);
  return handle === null ? null : { kind: 'handle', handle };
};

/** Parts of a profile that platforms show at an address of their own, as `/videos`. */
export const tabs = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Whether a path is a profile's, after `depth` parts that name it: bare, or with one of its tabs. */
export const isProfile = (parts: readonly string[], depth: number, names: ReadonlySet<string>): boolean =>
  parts.length === depth || (parts.length === depth + 1 && names.has((parts[depth] ?? '').toLowerCase()));

export const isHost = (url: URL, domain: string): boolean =>
  url.hostname === domain || url.hostname.endsWith(`.${domain}`);

/** A part of a path without its escapes; the part itself if they are none. */
export const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};
