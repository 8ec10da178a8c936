import { isDeepStrictEqual } from 'node:util';
import type { Platform } from '../../kernel/platform.ts';
import { type AccountState, noAccount } from './decide.ts';
import type { AccountStatus } from './events.ts';
import { type Kept, NOTHING_KEPT } from './kept.ts';
import { noPosts } from './known-posts.ts';
import type { Profile } from './reading.ts';
import type { ValueTimes } from './value-ages.ts';

/** The state of an account as of a revision of its stream. */
export interface AccountSnapshot {
  readonly state: AccountState;
  readonly revision: bigint;
}

/**
 * Snapshots of account states, so that a decision need not read the stream. A snapshot may be behind: it is trusted
 * only if the append at its revision succeeds.
 */
export interface AccountSnapshots {
  /** Null if there is none, or if it may be incomplete. */
  find(platform: Platform, handle: string): Promise<AccountSnapshot | null>;
  /** Notes the state after a decision. */
  remember(platform: Platform, handle: string, snapshot: AccountSnapshot): void;
}

/** What the row of an account shows, and its state mostly repeats. */
export interface AccountColumns
  extends Pick<Profile, 'handle' | 'display_name' | 'followers' | 'verified' | 'created_at'> {
  readonly native_id: string | null;
  readonly status: AccountStatus;
  readonly observed_at: string;
  readonly last_seen_at: string | null;
  /** Null if nothing is. */
  readonly kept: ValueTimes | null;
}

/** Fields that no column has. */
const OWN = [
  'following',
  'posts',
  'bio',
  'avatar_url',
  'location',
] as const satisfies readonly (keyof Profile)[];

const SEEN_OWNER = 1;
const ABSENT = 2;
const HAS_PROFILE = 4;

const columnValues = (columns: AccountColumns): readonly unknown[] => [
  columns.observed_at,
  columns.native_id,
  columns.native_id,
  columns.status,
  columns.handle,
  columns.display_name,
  columns.followers,
  columns.verified,
  columns.created_at,
  columns.last_seen_at,
  columns.kept,
];

const keptOrNull = (kept: Kept): Kept | null => (Object.keys(kept).length === 0 ? null : kept);

const stateValues = ({ observedAt, owner, seen, seenAt, kept }: AccountState): readonly unknown[] => [
  observedAt,
  owner.id,
  seen?.profile.id ?? null,
  seen?.status ?? null,
  seen?.profile.handle ?? null,
  seen?.profile.display_name ?? null,
  seen?.profile.followers ?? null,
  seen?.profile.verified ?? null,
  seen?.profile.created_at ?? null,
  seenAt,
  keptOrNull(kept),
];

const isRepeated = (value: unknown, column: unknown): boolean =>
  value === column || (value !== null && typeof value === 'object' && isDeepStrictEqual(value, column));

/**
 * Packs a state without its pool and posts, which are not part of it here: a JSON array of a bit for each value that a
 * column repeats, flags, the other values, and no nulls at its end.
 */
export const packAccount = (state: AccountState, columns: AccountColumns): string => {
  const { gone, owner, seen } = state;
  const repeated = columnValues(columns);
  const values = stateValues(state);
  const bits = values.reduce<number>(
    (all, value, i) => (isRepeated(value, repeated[i]) ? all | (1 << i) : all),
    0,
  );
  const flags =
    (owner.isSeen ? SEEN_OWNER : 0) | (owner.isAbsent ? ABSENT : 0) | (seen === null ? 0 : HAS_PROFILE);
  const row: unknown[] = [bits, flags, ...values.filter((_, i) => (bits & (1 << i)) === 0), gone];
  if (seen !== null) {
    row.push(...OWN.map((field) => seen.profile[field]));
    row.push(seen.profile.links.length === 0 ? null : seen.profile.links);
  }
  while (row.at(-1) === null) row.pop();
  return JSON.stringify(row);
};

/** @param columns those of the row that the state is packed for. */
export const unpackAccount = (packed: string, columns: AccountColumns): AccountState => {
  const [bits, flags, ...rest] = JSON.parse(packed) as [number, number, ...unknown[]];
  let at = 0;
  const next = () => rest[at++] ?? null;
  const [
    observedAt,
    ownerId,
    id,
    status,
    handle,
    display_name,
    followers,
    verified,
    created_at,
    seenAt,
    kept,
  ] = columnValues(columns).map((value, i) => ((bits & (1 << i)) === 0 ? next() : value));
  const gone = next() as AccountState['gone'];
  const own = Object.fromEntries(OWN.map((field) => [field, next()]));
  const links = next() ?? [];
  const profile = { id, handle, display_name, followers, verified, created_at, ...own, links } as Profile;
  return {
    ...noAccount,
    observedAt: observedAt as string | null,
    seenAt: seenAt as string | null,
    kept: (kept as Kept | null) ?? NOTHING_KEPT,
    gone,
    owner: {
      id: ownerId as string | null,
      isSeen: (flags & SEEN_OWNER) !== 0,
      isAbsent: (flags & ABSENT) !== 0,
    },
    seen: (flags & HAS_PROFILE) === 0 ? null : { status: status as 'active' | 'private', profile },
    posts: noPosts,
  };
};

/**
 * Keeps the states that were last used in memory, in front of others.
 * @param max states kept: one with a hundred posts takes about 20 kB.
 */
export const withSnapshotCache = (source: Pick<AccountSnapshots, 'find'>, max = 1_000): AccountSnapshots => {
  // A map lists its keys in the order in which they were set.
  const kept = new Map<string, AccountSnapshot>();
  const nameOf = (platform: Platform, handle: string) => `${platform}:${handle}`;
  const keep = (name: string, snapshot: AccountSnapshot) => {
    kept.delete(name);
    kept.set(name, snapshot);
    const oldest = kept.size > max ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
  };
  return {
    find: async (platform, handle) => {
      const name = nameOf(platform, handle);
      const found = kept.get(name) ?? (await source.find(platform, handle));
      if (found !== null) keep(name, found);
      return found;
    },
    remember: (platform, handle, snapshot) => keep(nameOf(platform, handle), snapshot),
  };
};
