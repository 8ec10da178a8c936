import type { Platform } from '../kernel/platform.ts';
import { descriptorOf } from '../platforms/index.ts';

const DAY_MS = 86_400_000;
/** What the age of an account was taken from. */
export type AgeBasis = 'profile' | 'id' | 'first_seen';

export interface AccountAge {
  /** Null if only a bound is known. */
  readonly createdMs: number | null;
  readonly ageDays: number;
  /** Whether the account may be older. */
  readonly isLeast: boolean;
  readonly basis: AgeBasis;
}

/** When an ID was made, where it says so; null otherwise, or if that is not before `nowMs`. */
export const timeOfId = (platform: Platform, id: string | null, nowMs: number): number | null => {
  if (id === null || !/^\d{1,20}$/.test(id)) return null;
  const ms = descriptorOf(platform).msOfId?.(BigInt(id)) ?? null;
  return ms !== null && ms <= nowMs ? ms : null;
};

/**
 * How old an account is: by what its profile states, else by the time in its ID, else at least since it was first seen.
 * @param nowMs as of when.
 */
export const accountAgeOf = (
  {
    platform,
    id,
    created_at,
    first_seen_at,
  }: {
    readonly platform: Platform;
    readonly id: string | null;
    readonly created_at: string | null;
    readonly first_seen_at: string;
  },
  nowMs: number,
): AccountAge => {
  const daysSince = (ms: number): number => Math.max(0, Math.floor((nowMs - ms) / DAY_MS));
  const stated = created_at === null ? null : Date.parse(created_at);
  const createdMs = stated ?? timeOfId(platform, id, nowMs);
  if (createdMs === null)
    return {
      createdMs,
      ageDays: daysSince(Date.parse(first_seen_at)),
      isLeast: true,
      basis: 'first_seen',
    };
  return {
    createdMs,
    ageDays: daysSince(createdMs),
    isLeast: false,
    basis: stated === null ? 'id' : 'profile',
  };
};
