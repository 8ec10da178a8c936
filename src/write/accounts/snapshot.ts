import type { Platform } from '../../kernel/platform.ts';
import type { AccountState } from './decide.ts';
import { noPosts } from './known-posts.ts';

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

/** A state without its posts, which the digest of posts has. */
export const packAccount = ({ posts: _, ...state }: AccountState): string => JSON.stringify(state);

export const unpackAccount = (packed: string): AccountState => ({ ...JSON.parse(packed), posts: noPosts });

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
