import type { Platform } from '../simulated-platforms.ts';
import type { Account } from '../world/account.ts';
import type { World } from '../world/world.ts';

/** A request to a platform, with its real host. */
export interface SiteRequest {
  readonly method: string;
  readonly host: string;
  /** Decoded, with its leading slash. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** The time that the response shows. */
  readonly at: number;
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly (string | Buffer)[];
}

/** What a perfect reader can know from one surface; fields as in Sightline's profiles. */
export interface Visible {
  readonly surface: string;
  readonly status: 'present' | 'private' | 'suspended' | 'deactivated' | 'absent' | 'unknown';
  readonly profile: VisibleProfile | null;
}

export interface VisibleProfile {
  readonly id: string | null;
  readonly handle: string;
  readonly display_name: string | null;
  readonly followers: number | null;
  readonly following: number | null;
  readonly posts: number | null;
  readonly verified: boolean | null;
  readonly created_at: string | null;
  readonly bio: string | null;
  readonly avatar_url: string | null;
  readonly location: string | null;
  readonly links: readonly string[];
  readonly pronouns: string | null;
}

/** A platform's public surfaces. */
export interface Site {
  readonly platform: Platform;
  /** An entry that starts with a dot includes all subdomains. */
  readonly hosts: readonly string[];
  serve(world: World, request: SiteRequest): Reply;
  /** In the order in which a reader should try them. */
  visible(account: Account): readonly Visible[];
  /** The same for an unused name. */
  readonly unused: readonly Visible[];
}

/** A surface that shows no account. */
export const nothing = (surface: string, status: Visible['status']): Visible => ({
  surface,
  status,
  profile: null,
});

/** A profile with only the given fields known. */
export const profileOf = (account: Account, known: Partial<VisibleProfile>): VisibleProfile => ({
  id: null,
  handle: account.handle,
  display_name: null,
  followers: null,
  following: null,
  posts: null,
  verified: null,
  created_at: null,
  bio: null,
  avatar_url: null,
  location: null,
  links: [],
  pronouns: null,
  ...known,
});

export const header = (request: SiteRequest, name: string): string => {
  const value = request.headers[name];
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
};
