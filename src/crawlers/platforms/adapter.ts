import type { Platform } from '../../kernel/platform.ts';
import type { Measurable } from '../../write/accounts/merge.ts';
import type { Post, Profile } from '../../write/accounts/reading.ts';
import type { Http, HttpRequest, Page } from '../http/port.ts';

/** Why a reading proves nothing. None of these is ever taken for absence. */
export const UNKNOWN_REASONS = [
  'rate_limited',
  'login_wall',
  'challenge',
  'timeout',
  'http_error',
  'layout_changed',
  'region',
  'too_large',
  'not_configured',
] as const;

export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** What a page, or a whole read, says of an account. */
export type Outcome =
  /** `posts` is null where the surface shows none at all, [] where it shows that there are none. */
  | {
      readonly status: 'present' | 'private';
      readonly profile: Profile;
      readonly posts: readonly Post[] | null;
      /** What the surface shows of every account that has it: where it is empty here, the account has none. */
      readonly measured: readonly Measurable[];
    }
  /** Proven, by a mark of the platform's own in the body. */
  | { readonly status: 'suspended' | 'deactivated' | 'absent' }
  /** No proof of anything. */
  | {
      readonly status: 'unknown';
      readonly reason: UnknownReason;
      readonly detail: string;
      readonly retryAfterMs?: number;
    };

export type Reading = Outcome & {
  /** The surface that answered. */
  readonly surface: string;
  /** What could not be read although it was there: an alarm for the operator, not for the caller. */
  readonly warnings: readonly string[];
};

/** Whom a read is about: a handle in normal form, or a native id. */
export type Address =
  | { readonly kind: 'handle'; readonly handle: string }
  | { readonly kind: 'id'; readonly id: string };

/** One public page or call of a platform that shows an account. Pure. */
export interface Surface {
  readonly name: string;
  readonly format: 'html' | 'json' | 'xml';
  /** Whether this surface is what answers at that address; used where an operator names no surface. */
  matches(url: URL): boolean;
  /** The request that this surface answers; null where it can't be asked for such an address, or lacks a session. */
  request(address: Address): HttpRequest | null;
  parse(page: Page, address: Address): Reading;
}

/** What a read may use. */
export interface ReadOptions {
  readonly http: Http;
  /** Whether posts are wanted, which may cost a further request. */
  readonly posts: boolean;
}

/** Everything Sightline knows of one platform. Pure but for the `http` of `read`. */
export interface PlatformAdapter {
  readonly platform: Platform;
  /** As people write it. */
  readonly name: string;
  /** Whether its accounts are in the directory (six of seven). */
  readonly inDirectory: boolean;
  /** Host names that may be fetched; one that starts with a dot stands for every name below it. */
  readonly hosts: readonly string[];
  /** A regular expression for people: what a handle's normal form looks like. */
  readonly handlePattern: string;
  /** With `{handle}` where the handle goes. */
  readonly profileUrlTemplate: string;
  /** Two or more names that are known to exist, for self-probes. */
  readonly probes: readonly string[];
  /** The normal form of a handle, with or without `@`; null where the grammar refuses it. */
  parseHandle(input: string): string | null;
  /** A native id in normal form; null where it can't be one. */
  parseId(input: string): string | null;
  /** True where the text can be nothing but a native id (a DID, `UC…`). */
  isBareId(input: string): boolean;
  profileUrl(handle: string): string;
  /** Whose profile a web address shows; null where it shows none. */
  addressOf(url: URL): Address | null;
  /** In the order in which they are tried. */
  readonly surfaces: readonly Surface[];
  /** Reads an account through its surfaces. Never throws for what a platform does: that is an outcome. */
  read(address: Address, options: ReadOptions): Promise<Reading>;
}
