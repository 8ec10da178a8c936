import type { z } from 'zod';
import type { Address, PlatformDescriptor } from '../../platforms/descriptor.ts';
import type { Post, PostOrder } from '../../write/accounts/post.ts';
import type { Measurable, Profile } from '../../write/accounts/profile.ts';
import type { FollowDirection, FollowsMember } from '../../write/follows.ts';
import type { LeadFacts } from '../../write/leads.ts';
import type { Http, HttpRequest, Page } from '../http/port.ts';

/** Why a reading is inconclusive. None of these is ever taken for absence. */
export const UNKNOWN_REASONS = [
  'rate_limited',
  'login_wall',
  'challenge',
  'timeout',
  'http_error',
  'layout_changed',
  /** The address that answered is not the account's: a redirect led elsewhere. */
  'other_address',
  /** An answer that names no account was not repeated by others. */
  'unconfirmed',
  /** The platform says the same of accounts that it removed and of names without an account. */
  'ambiguous',
  'region',
  /** The platform withholds the account from strangers: for the age of its owner or of its readers, or for its content. */
  'restricted',
  'too_large',
  /** All sessions have used up their limits, or rest after the platform rejected them. */
  'session_limited',
  /** No session is accepted by the platform, or can be opened. */
  'session_unusable',
  /** No proxy of the platform can be used at present. */
  'no_proxy',
  /** The call that it was read for has sent as many requests as it may. */
  'no_request_left',
  'not_configured',
  /** It was erased from this installation. No request was sent for it, or what came is not read. */
  'erased',
] as const;

export type UnknownReason = (typeof UNKNOWN_REASONS)[number];

/** Reasons that say something of this installation, and nothing of the platform. */
export const isOfThisInstallation = (reason: UnknownReason): boolean => OF_THIS_INSTALLATION.has(reason);

/** Outcome of a page or a whole read. */
export type Outcome =
  /** `posts` is null if the surface shows none at all, [] if the account has none. */
  | {
      readonly status: 'present' | 'private';
      readonly profile: Profile;
      readonly posts: readonly Post[] | null;
      /** How the surface lists them; `unknown` by default. */
      readonly postOrder?: PostOrder;
      /** The instant from which on no post is missing, null if none is; left out if that is unknown. */
      readonly postsSince?: string | null;
      /** Opaque cursor of the next page of posts; null at the end. Absent if the surface has no pages. */
      readonly postsCursor?: string | null;
      /** IDs of posts that are listed out of order, because their author pinned them. */
      readonly pinned?: ReadonlySet<string>;
      /** IDs of posts that others published together with the account. */
      readonly coauthored?: ReadonlySet<string>;
      /** Fields that the surface shows whenever they are set: empty here means empty on the platform. */
      readonly measured: readonly Measurable[];
      /** Facts that the page shows of a company or person. */
      readonly facts?: LeadFacts;
      readonly unnamed?: true;
      /** The platform states that the account exists, and shows nothing of it. */
      readonly stated?: true;
    }
  /** Proven by a specific mark of the platform in the body. */
  | {
      readonly status: 'suspended' | 'deactivated' | 'absent';
      /** The answer names no account, so that it might be another account's: one alone is no proof. */
      readonly unnamed?: true;
    }
  /** Inconclusive. */
  | {
      readonly status: 'unknown';
      readonly reason: UnknownReason;
      readonly detail: string;
      readonly retryAfterMs?: number;
      /** The platform's own way of showing nothing there: no proof, though it agrees with one. */
      readonly silent?: true;
    };

export type Reading = Outcome & {
  /** The surface that responded. */
  readonly surface: string;
  /** Values that were present but unreadable: for the operator, not for the caller. */
  readonly warnings: readonly string[];
};

export type { Address };

/** A public page or call of a platform that shows an account. Pure. */
export interface Surface {
  readonly name: string;
  readonly format: 'html' | 'json' | 'xml';
  /** Whether this surface serves that URL; used if an operator names no surface. */
  matches(url: URL): boolean;
  /** The request for an account; null if the surface can't serve such an address, or lacks a session. */
  request(address: Address): HttpRequest | null;
  parse(page: Page, address: Address): Reading;
}

/** How far to page back in an account's posts. */
export interface PostsWindow {
  /** Pages at most, of as many posts as the surface shows at once. */
  readonly pages: number;
  /** No page is read beyond posts of this instant; null for none. */
  readonly since: string | null;
}

/** The last known status of an account: seen to exist, or proven otherwise. */
export type KnownStatus = 'seen' | 'absent' | 'suspended' | 'deactivated';

/** Options of a read. */
export interface ReadOptions {
  readonly http: Http;
  /** Whether to read posts, which takes further requests on most platforms. */
  readonly posts: boolean;
  /** By default the first page. */
  readonly window?: PostsWindow;
  /** Whether to try the most conclusive surface first, although it takes a session. */
  readonly preferSession?: boolean;
  /**
   * The account's known status. Queried only for a verdict that names no account, since a new verdict needs further
   * answers.
   */
  readonly known?: () => Promise<KnownStatus | null>;
  /** The names that the catalog has for the account; asked only where a surface hides one that is needed. */
  readonly knownNames?: () => Promise<KnownNames | null>;
}

/** A page of a follower list. */
export type FollowsReading = { readonly surface: string } & (
  | {
      readonly status: 'present';
      readonly members: readonly FollowsMember[];
      /** Profiles that the list shows of its members, by ID. Some members may have none. */
      readonly profiles?: ReadonlyMap<string, Profile>;
      /** IDs of members without a picture of their own; left out if the list does not tell. */
      readonly withoutPicture?: ReadonlySet<string>;
      readonly order: 'newest_first' | 'unknown';
      /** Where the next page begins; null after the last one. */
      readonly cursor: string | null;
    }
  /** The account exists, and hides its list, or shows it to followers only. */
  | { readonly status: 'private' }
  /** Proven; only where the list itself says so. */
  | { readonly status: 'suspended' | 'deactivated' | 'absent' }
  | {
      readonly status: 'unknown';
      readonly reason: UnknownReason;
      readonly detail: string;
      readonly retryAfterMs?: number;
    }
);

/** One post with its author. */
export type PostReading = { readonly surface: string; readonly warnings: readonly string[] } & (
  | {
      readonly status: 'present';
      readonly post: Post;
      readonly profile: Profile;
      readonly measured: readonly Measurable[];
      /** Whether the author is private, where the surface shows it. */
      readonly isPrivate: boolean;
    }
  /** Proven: there is no such post, or no longer; its author is suspended, or shows it to followers only. */
  | { readonly status: 'absent' | 'suspended' | 'private' }
  | {
      readonly status: 'unknown';
      readonly reason: UnknownReason;
      readonly detail: string;
      readonly retryAfterMs?: number;
    }
);

/** A page of an account's posts; empty after the last one. */
export type PostsReading =
  | Reading
  | { readonly status: 'empty'; readonly surface: string; readonly warnings: readonly string[] };

/** The result of a surface for strangers, or why it is inconclusive. */
export type ListingReading<Listed> =
  | ({ readonly status: 'present' } & Listed)
  | {
      readonly status: 'unknown';
      readonly reason: UnknownReason;
      readonly detail: string;
      readonly retryAfterMs?: number;
    };

/**
 * A platform's answer about a name to register: reserved if no account can have it, invalid if it breaks
 * the rules for names.
 */
export interface RegistrationAnswer {
  readonly state: 'available' | 'taken' | 'reserved' | 'invalid';
}

/** A platform's form of registration. */
export interface RegistrationForm {
  /** The handle that a name would be, as it is typed into the form; null if it can't be one. */
  parseHandle(text: string): string | null;
  /** Never throws for a platform's behaviour. */
  read(handle: string, http: Http): Promise<ListingReading<RegistrationAnswer>>;
}

/** A post in a list. */
export interface ListedPost {
  readonly id: string;
  /** Native ID of its author, and the handle where the list shows it. */
  readonly author: string;
  readonly handle: string | null;
  /** What the list shows of its author; null where it does not. */
  readonly followers: number | null;
  readonly verified: boolean | null;
  /** ID of the post that it answers. */
  readonly answers: string | null;
}

/** One page of the replies to a post. */
export interface ThreadPage {
  readonly replies: readonly ListedPost[];
  /** Where the next replies begin; null after the last. */
  readonly cursor: string | null;
  /** Cursor of the replies that the platform shows on request only; null without any. */
  readonly hidden: string | null;
}

/**
 * Surfaces on which a platform shows accounts to people who don't follow them. They never throw for a platform's
 * behaviour.
 */
export interface VisibilitySurfaces {
  /** The newest posts of an account that a search finds, or with null the newest replies of anybody. */
  search(
    handle: string | null,
    http: Http,
  ): Promise<ListingReading<{ readonly posts: readonly ListedPost[] }>>;
  /** Native IDs of accounts that the search box suggests for a name. */
  suggestions(name: string, http: Http): Promise<ListingReading<{ readonly accounts: readonly string[] }>>;
  /** A page of the replies to a post; by default the first one. */
  thread(post: string, cursor: string | null, http: Http): Promise<ListingReading<ThreadPage>>;
}

/** Options of one page of an account's posts. */
export interface PostsOptions {
  readonly http: Http;
  /** Null for the first page. */
  readonly cursor: string | null;
  /** Posts to ask for; a page may have more. */
  readonly limit: number;
  /** The session that read the page before. */
  readonly session?: string | null;
}

export interface FollowsOptions {
  readonly http: Http;
  /** Null for the first page. */
  readonly cursor: string | null;
  /** Members at most; by default as many as the platform sends at once. */
  readonly limit?: number;
  /** The session that read the page before, since some cursors are a session's own. */
  readonly session?: string | null;
}

/** The credentials of a platform's sessions, and how to interpret answers about them. Pure. */
export interface SessionGrammar {
  /** Schema of the credentials that an operator adds. */
  readonly credentials: z.ZodType<Readonly<Record<string, string | undefined>>>;
  /** The headers of a request that the session sends. */
  headersOf(credentials: unknown): Readonly<Record<string, string>>;
  /** Whether an answer rejects the session itself: it is locked, expired or invalid. */
  isRejected(page: Page): boolean;
  /** A request that shows whether a session is accepted. */
  readonly probe: HttpRequest;
}

/** Everything specific to one platform. Pure except for the `http` of `read`. */
export interface PlatformAdapter extends PlatformDescriptor {
  /** Hosts that may be fetched; one that starts with a dot includes all subdomains. */
  readonly hosts: readonly string[];
  /** Two or more existing accounts, for self-probes. */
  readonly probes: readonly string[];
  /** In the order in which they are tried. */
  readonly surfaces: readonly Surface[];
  /** Undefined if the platform is read without sessions. */
  readonly sessions?: SessionGrammar;
  /** Reads an account through its surfaces. Never throws for a platform's behaviour, which is an outcome. */
  read(address: Address, options: ReadOptions): Promise<Reading>;
  /**
   * Reads one page of an account's posts, newest first; undefined if the platform has no such pages.
   * @param owner native ID of the account.
   */
  readonly readPosts?: (owner: string, options: PostsOptions) => Promise<PostsReading>;
  /** Reads one post by its ID; undefined if the platform shows none by itself. */
  readonly readPost?: (id: string, options: { readonly http: Http }) => Promise<PostReading>;
  /**
   * Resolves a profile URL that only the platform can attribute (`indirectUrl`); null is no account. Undefined if there are
   * no such URLs. Never throws for a platform's behaviour.
   */
  readonly resolveUrl?: (
    profileUrl: string,
    http: Http,
  ) => Promise<ListingReading<{ readonly address: Address | null }>>;
  /** Undefined if the platform does not show whether a name could be registered. */
  readonly registration?: RegistrationForm;
  /** Undefined if the platform has no search that can be read. */
  readonly visibility?: VisibilitySurfaces;
  /**
   * Reads one page of a public follower list; undefined if the platform shows none.
   * @param owner native ID of the account whose list it is.
   */
  readonly readFollows?: (
    owner: string,
    direction: FollowDirection,
    options: FollowsOptions,
  ) => Promise<FollowsReading>;
}

const OF_THIS_INSTALLATION: ReadonlySet<UnknownReason> = new Set([
  'not_configured',
  'session_limited',
  'session_unusable',
  'no_proxy',
  'no_request_left',
]);

/** Names of an account, null where unknown. */
interface KnownNames {
  readonly id: string | null;
  readonly handle: string | null;
}
