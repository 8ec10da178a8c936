import { PLATFORMS, type Platform } from '../../../kernel/platform.ts';
import type { AccountStatus } from '../../../write/accounts/events.ts';
import type { Table } from '../../engine/bulk-upsert.ts';

/** LinkedIn's people and companies have endpoints of their own instead. */
export const DIRECTORY_PLATFORMS = PLATFORMS.filter((platform) => platform !== 'linkedin');

/** An account of the directory. It keeps its entry through renames. */
export interface EntryRow {
  readonly platform: Platform;
  /** Position of the event that created it: identical in every build. */
  readonly entry: string;
  /** Null if the account has none, or if another account took it over and the new one is unknown. */
  readonly handle: string | null;
  readonly native_id: string | null;
  readonly display_name: string | null;
  readonly followers: number | null;
  readonly following: number | null;
  readonly posts: number | null;
  readonly verified: boolean | null;
  readonly created_at: string | null;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  /** The last reading, conclusive or not. */
  readonly observed_at: string;
  readonly bio: string | null;
  readonly avatar_url: string | null;
  readonly location: string | null;
  readonly links: readonly string[];
  readonly status: AccountStatus;
  readonly previous_handles: readonly string[];
  /** Followers at the last sighting minus those of the newest sample at least 7 or 30 days older. */
  readonly growth_7d: number | null;
  readonly growth_30d: number | null;
  /** Daily follower samples for growth, as comma-separated `day:followers`; days since 1970. */
  readonly growth_samples: string;
}

export const entryTable: Table<EntryRow> = {
  name: 'entries',
  columns: {
    platform: 'text',
    entry: 'bigint',
    handle: 'text',
    native_id: 'text',
    display_name: 'text',
    followers: 'bigint',
    following: 'bigint',
    posts: 'bigint',
    verified: 'boolean',
    created_at: 'timestamptz',
    first_seen_at: 'timestamptz',
    last_seen_at: 'timestamptz',
    observed_at: 'timestamptz',
    bio: 'text',
    avatar_url: 'text',
    location: 'text',
    links: 'jsonb',
    status: 'text',
    previous_handles: 'jsonb',
    growth_7d: 'bigint',
    growth_30d: 'bigint',
    growth_samples: 'text',
  },
  key: ['platform', 'entry'],
};

/** What search and similarity need, apart from the counts, which change often. */
export interface NameRow {
  readonly platform: Platform;
  readonly entry: string;
  readonly handle: string;
  readonly name: string;
}

export const nameTable: Table<NameRow> = {
  name: 'names',
  columns: { platform: 'text', entry: 'bigint', handle: 'text', name: 'text' },
  key: ['platform', 'entry'],
};

export interface LinkRow {
  readonly platform: Platform;
  readonly entry: string;
  /** Host and path in canonical form, so that equal pages compare equal. */
  readonly link: string;
}

export const linkTable: Table<LinkRow> = {
  name: 'links',
  columns: { platform: 'text', entry: 'bigint', link: 'text' },
  key: ['platform', 'entry', 'link'],
};

/** A past state of an account: the first reading of a day, and each that found it changed. */
export interface HistoryRow {
  readonly platform: Platform;
  readonly entry: string;
  readonly at: string;
  readonly followers: number | null;
  readonly following: number | null;
  readonly posts: number | null;
  readonly verified: boolean | null;
  readonly handle: string | null;
  readonly display_name: string | null;
}

export const historyTable: Table<HistoryRow> = {
  name: 'history',
  columns: {
    platform: 'text',
    entry: 'bigint',
    at: 'timestamptz',
    followers: 'bigint',
    following: 'bigint',
    posts: 'bigint',
    verified: 'boolean',
    handle: 'text',
    display_name: 'text',
  },
  key: ['platform', 'entry', 'at'],
};

export const CHANGE_KINDS = [
  'discovered',
  'renamed',
  'verified',
  'unverified',
  'suspended',
  'restored',
  'jumped',
] as const;

/** A change of an account, for those who mirror the directory. */
export interface ChangeRow {
  readonly position: string;
  /** Ordinal within one event's changes. */
  readonly n: number;
  readonly at: string;
  readonly platform: Platform;
  /** Null if unknown. */
  readonly native_id: string | null;
  readonly handle: string | null;
  readonly kind: (typeof CHANGE_KINDS)[number];
  readonly before: string | number | boolean | null;
  readonly after: string | number | boolean | null;
}

export const changeTable: Table<ChangeRow> = {
  name: 'changes',
  columns: {
    position: 'bigint',
    n: 'integer',
    at: 'timestamptz',
    platform: 'text',
    native_id: 'text',
    handle: 'text',
    kind: 'text',
    before: 'jsonb',
    after: 'jsonb',
  },
  key: ['position', 'n'],
};

/** Number of accounts by status and size. */
export interface StatusCountRow {
  readonly platform: Platform;
  readonly status: AccountStatus;
  readonly band: string;
  readonly n: number;
}

export const statusCountTable: Table<StatusCountRow> = {
  name: 'status_counts',
  columns: { platform: 'text', status: 'text', band: 'text', n: 'bigint' },
  key: ['platform', 'status', 'band'],
};

/** Number of accounts by the time of their last reading, in slots of five minutes since 1970. */
export interface FreshnessRow {
  readonly platform: Platform;
  readonly slot: number;
  readonly n: number;
}

export const freshnessTable: Table<FreshnessRow> = {
  name: 'freshness',
  columns: { platform: 'text', slot: 'integer', n: 'bigint' },
  key: ['platform', 'slot'],
};

export const SLOT_MS = 300_000;

/** Size bands by minimum followers, for statistics and the API's documentation. */
const BANDS = [
  ['10m_up', 10_000_000],
  ['1m_10m', 1_000_000],
  ['100k_1m', 100_000],
  ['10k_100k', 10_000],
  ['1k_10k', 1_000],
  ['0_1k', 0],
] as const;

export const bandOf = (followers: number | null): string =>
  followers === null ? 'unknown' : (BANDS.find(([, min]) => followers >= min)?.[0] ?? 'unknown');
