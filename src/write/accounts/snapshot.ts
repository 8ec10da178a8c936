import type { Platform } from '../../kernel/platform.ts';
import { type AccountState, noAccount } from './decide.ts';
import { noPosts } from './known-posts.ts';
import { PROFILE_FIELDS } from './merge.ts';
import type { Profile } from './reading.ts';

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

const FIELDS = ['handle', ...PROFILE_FIELDS] as const satisfies readonly (keyof Profile)[];

/**
 * Packs a state without its pool and posts, which are not part of it here, as a JSON array without the nulls at its
 * end.
 */
export const packAccount = ({ observedAt, gone, owner, seen }: AccountState): string => {
  const row: unknown[] = [observedAt, gone, owner.id, owner.isSeen ? 1 : 0, owner.isAbsent ? 1 : 0];
  if (seen !== null) row.push(seen.status, ...FIELDS.map((field) => seen.profile[field]));
  while (row.at(-1) === null) row.pop();
  return JSON.stringify(row);
};

export const unpackAccount = (packed: string): AccountState => {
  const [observedAt = null, gone = null, id = null, isSeen, isAbsent, status, ...values] = JSON.parse(
    packed,
  ) as [
    string | null,
    AccountState['gone'],
    string | null,
    number,
    number,
    'active' | 'private' | undefined,
    ...unknown[],
  ];
  const profile = Object.fromEntries(
    FIELDS.map((field, i) => [field, values[i] ?? null]),
  ) as unknown as Profile;
  return {
    ...noAccount,
    exists: true,
    observedAt,
    gone,
    owner: { id, isSeen: isSeen === 1, isAbsent: isAbsent === 1 },
    seen: status === undefined ? null : { status, profile },
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
