/** The account to read: a normalized handle, or a native ID. */
export type Address =
  | { readonly kind: 'handle'; readonly handle: string }
  | { readonly kind: 'id'; readonly id: string };

/** How a platform writes handles, native IDs and profile URLs. */
export interface AccountGrammar {
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
  /** A profile URL that names its account in a way that only the platform can resolve, in one form; null for any other URL. */
  readonly indirectUrl?: (url: URL) => string | null;
}
