import type { Post } from '../../../write/accounts/post.ts';
import { emptyProfile, isEmpty, type Measurable, type Profile } from '../../../write/accounts/profile.ts';
import type { Reading, UnknownReason } from '../adapter.ts';
import type { Fields } from './field-reader.ts';

/** A parser's result: a reading without the surface's name. */
export type Parsed = Reading extends infer R ? (R extends Reading ? Omit<R, 'surface'> : never) : never;

/** What a surface says of how its posts are listed, and facts beyond the profile. */
type Further = Pick<
  Extract<Reading, { readonly profile: unknown }>,
  'postOrder' | 'postsSince' | 'postsCursor' | 'pinned' | 'coauthored' | 'facts'
>;

/**
 * An account shown by the surface. Data that only repeats the requested name is not accepted: errors contain that
 * too.
 */
export const present = (
  profile: Profile,
  posts: readonly Post[] | null,
  fields: Fields,
  measured: readonly Measurable[],
  isPrivate = false,
  further: Further = {},
): Parsed =>
  isEmpty(profile) && (posts === null || posts.length === 0)
    ? layoutChanged('The data repeats the name and says nothing of the account')
    : {
        status: isPrivate ? 'private' : 'present',
        profile,
        // What a private account lists for strangers is no list.
        posts: isPrivate && posts?.length === 0 ? null : posts,
        ...further,
        measured: measured.filter((field) => !fields.unreadable.has(field)),
        warnings: fields.warnings,
      };

/** The platform confirms that the account exists, and shows nothing else. */
export const existence = (
  handle: string,
  status: 'present' | 'private',
  measured: readonly Measurable[],
  posts: readonly Post[] | null = null,
): Parsed => ({ status, profile: emptyProfile(handle), posts, measured, warnings: [], stated: true });

/** What an answer proves that may be any account's: it names no account. */
export const unnamed = (parsed: Parsed): Parsed =>
  parsed.status === 'unknown' ? parsed : { ...parsed, unnamed: true };

/** A verdict without data. Most such answers name no account. */
export const proven = (status: 'absent' | 'suspended' | 'deactivated'): Parsed => ({
  status,
  unnamed: true,
  warnings: [],
});

/** A verdict of an answer that names the account. */
export const provenByName = (status: 'absent' | 'suspended' | 'deactivated'): Parsed => ({
  status,
  warnings: [],
});

/** An inconclusive answer in which the platform shows, in its own way, that there is nothing. */
export const silent = (parsed: Parsed): Parsed =>
  parsed.status === 'unknown' ? { ...parsed, silent: true } : parsed;

export const unknown = (reason: UnknownReason, detail: string, retryAfterMs?: number | null): Parsed => ({
  status: 'unknown',
  reason,
  detail,
  ...(retryAfterMs == null ? {} : { retryAfterMs }),
  warnings: [],
});

export const layoutChanged = (detail: string): Parsed => unknown('layout_changed', detail);
