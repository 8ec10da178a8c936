import { createBatcher } from '../../kernel/batch.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { RAW_TYPES } from '../../kernel/postgres/raw-types.ts';
import type { AccountStatus } from '../../write/accounts/events.ts';
import type { AccountKey } from '../accounts/account-reads.ts';
import type { Builds } from '../active-builds.ts';
import { booleanValue, boundOf, isOneOf, numberValue, suffixOf, timestampValue } from '../row-values.ts';

/** An entry of the directory as returned by the API. */
export interface Entry {
  readonly platform: Platform;
  /** The platform's native ID; null if it has none or never showed it. */
  readonly id: string | null;
  readonly handle: string | null;
  readonly display_name: string | null;
  readonly followers: number | null;
  readonly following: number | null;
  readonly posts: number | null;
  readonly verified: boolean | null;
  readonly created_at: string | null;
  readonly first_seen_at: string;
  readonly last_seen_at: string;
  readonly bio: string | null;
  readonly avatar_url: string | null;
  readonly location: string | null;
  readonly links: readonly string[];
  readonly status: AccountStatus;
  readonly previous_handles: readonly string[];
}

/** An entry with its row position and the time of its last reading. */
export interface FoundEntry {
  readonly entry: Entry;
  readonly key: string;
  readonly observed_at: string;
}

/** Columns of an entry, in the order of `entryOf`. */
const COLUMNS = `entry, observed_at, platform, native_id, handle, display_name, followers, following, posts, verified,
  created_at, first_seen_at, last_seen_at, bio, avatar_url, location, links, status, previous_handles`;

type Raw = readonly (string | null)[];

const list = (text: string | null | undefined): readonly string[] =>
  text === '[]' || text == null ? [] : (JSON.parse(text) as string[]);

const entryOf = (row: Raw): FoundEntry => ({
  key: row[0] as string,
  observed_at: timestampValue(row[1] ?? null) as string,
  entry: {
    platform: row[2] as Platform,
    id: row[3] ?? null,
    handle: row[4] ?? null,
    display_name: row[5] ?? null,
    followers: numberValue(row[6] ?? null),
    following: numberValue(row[7] ?? null),
    posts: numberValue(row[8] ?? null),
    verified: booleanValue(row[9] ?? null),
    created_at: timestampValue(row[10] ?? null),
    first_seen_at: timestampValue(row[11] ?? null) as string,
    last_seen_at: timestampValue(row[12] ?? null) as string,
    bio: row[13] ?? null,
    avatar_url: row[14] ?? null,
    location: row[15] ?? null,
    links: list(row[16]),
    status: row[17] as AccountStatus,
    previous_handles: list(row[18]),
  },
});

/** Look-ups of entries by handle or native ID; those of one tick share a query. */
export const createEntryReads = (
  db: Queryable,
  builds: Builds,
): { find(key: AccountKey): Promise<FoundEntry | null> } => {
  const lookups = new Map<string, (value: string) => Promise<FoundEntry | null>>();
  const create = (platform: Platform, column: 'handle' | 'native_id') =>
    createBatcher<string, FoundEntry | null>(async (values) => {
      const schema = builds.schema('directory');
      const { rows } = await db.query<unknown[]>({
        name: `${schema}.entries_${platform} by ${column}${suffixOf(values)}`,
        text: `select ${COLUMNS} from ${schema}.entries_${platform} where ${column} ${isOneOf(values)}`,
        values: [boundOf(values)],
        rowMode: 'array',
        types: RAW_TYPES,
      } as never);
      const at = column === 'handle' ? 4 : 3;
      const found = new Map(rows.map((row) => [(row as Raw)[at] as string, entryOf(row as Raw)]));
      return values.map((value) => found.get(value) ?? null);
    });
  return {
    find: ({ platform, by, value }) => {
      const name = `${platform} ${by}`;
      let lookup = lookups.get(name);
      if (lookup === undefined) {
        lookup = create(platform, by === 'id' ? 'native_id' : 'handle');
        lookups.set(name, lookup);
      }
      return lookup(value);
    },
  };
};
