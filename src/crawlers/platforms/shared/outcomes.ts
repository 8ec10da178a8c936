import type { Post, Profile } from '../../../write/accounts/reading.ts';
import type { Reading, UnknownReason } from '../adapter.ts';
import type { Fields } from './fields.ts';

/** What a parser gives: a reading but for the surface's name, which the surface adds. */
export type Parsed = Reading extends infer R ? (R extends Reading ? Omit<R, 'surface'> : never) : never;

export const present = (
  profile: Profile,
  posts: readonly Post[] | null,
  fields: Fields,
  isPrivate = false,
): Parsed => ({ status: isPrivate ? 'private' : 'present', profile, posts, warnings: fields.warnings });

export const proven = (status: 'absent' | 'suspended' | 'deactivated'): Parsed => ({ status, warnings: [] });

export const unknown = (reason: UnknownReason, detail: string, retryAfterMs?: number | null): Parsed => ({
  status: 'unknown',
  reason,
  detail,
  ...(retryAfterMs == null ? {} : { retryAfterMs }),
  warnings: [],
});

export const layoutChanged = (detail: string): Parsed => unknown('layout_changed', detail);
