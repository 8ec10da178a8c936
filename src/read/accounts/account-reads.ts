import { createBatcher } from '../../kernel/batch.ts';
import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { RAW_TYPES } from '../../kernel/postgres/raw-types.ts';
import type { AccountStatus } from '../../write/accounts/events.ts';
import { handleIn } from '../../write/accounts/handle.ts';
import type { Builds } from '../active-builds.ts';
import { booleanValue, boundOf, isOneOf, numberValue, suffixOf, timestampValue } from '../row-values.ts';

/** Key of an account look-up. */
export interface AccountKey {
  readonly platform: Platform;
  readonly by: 'handle' | 'id';
  readonly value: string;
}

/** An account as known from its readings. */
export interface KnownAccount {
  /** Name of its stream and page: the handle, or the native ID of an account without one. */
  readonly name: string;
  readonly handle: string | null;
  readonly status: AccountStatus;
  readonly display_name: string | null;
  readonly followers: number | null;
  readonly verified: boolean | null;
  readonly created_at: string | null;
  readonly first_seen_at: string | null;
  readonly last_seen_at: string | null;
  readonly observed_at: string;
}

interface PlatformTotal {
  readonly platform: Platform;
  readonly accounts: number;
  readonly newest_sighting_at: string | null;
}

export interface AccountReads {
  find(key: AccountKey): Promise<KnownAccount | null>;
  totals(): Promise<readonly PlatformTotal[]>;
}

const COLUMNS =
  'handle, status, display_name, followers, verified, created_at, first_seen_at, last_seen_at, observed_at';

type Raw = readonly (string | null)[];

const accountOf = (platform: Platform, row: Raw): KnownAccount => ({
  name: row[0] as string,
  handle: handleIn(platform, row[0] as string),
  status: row[1] as AccountStatus,
  display_name: row[2] ?? null,
  followers: numberValue(row[3] ?? null),
  verified: booleanValue(row[4] ?? null),
  created_at: timestampValue(row[5] ?? null),
  first_seen_at: timestampValue(row[6] ?? null),
  last_seen_at: timestampValue(row[7] ?? null),
  observed_at: timestampValue(row[8] ?? null) as string,
});

export const createAccountReads = (db: Queryable, builds: Builds): AccountReads => {
  const byColumn = (platform: Platform, column: 'handle' | 'native_id') =>
    createBatcher<string, KnownAccount | null>(async (values) => {
      const schema = builds.schema('accounts');
      const { rows } = await db.query<unknown[]>({
        name: `${schema}.accounts_${platform} by ${column}${suffixOf(values)}`,
        // A renamed account has a row per former handle: an ID means the most recent one.
        text: `select ${COLUMNS}, ${column} from ${schema}.accounts_${platform} where ${column} ${isOneOf(values)}
               ${column === 'native_id' ? 'order by observed_at' : ''}`,
        values: [boundOf(values)],
        rowMode: 'array',
        types: RAW_TYPES,
      } as never);
      const found = new Map(rows.map((row) => [(row as Raw)[9] as string, accountOf(platform, row as Raw)]));
      return values.map((value) => found.get(value) ?? null);
    });
  const lookups = new Map<string, (value: string) => Promise<KnownAccount | null>>();
  return {
    find: ({ platform, by, value }) => {
      const name = `${platform} ${by}`;
      let lookup = lookups.get(name);
      if (lookup === undefined) {
        lookup = byColumn(platform, by === 'id' ? 'native_id' : 'handle');
        lookups.set(name, lookup);
      }
      return lookup(value);
    },
    totals: async () => {
      const schema = builds.schema('accounts');
      const { rows } = await db.query<{ platform: Platform; n: string; newest: Date | null }>(
        `select platform, n, (select max(last_seen_at) from ${schema}.accounts a where a.platform = t.platform) as newest
         from ${schema}.totals t`,
      );
      return rows.map((row) => ({
        platform: row.platform,
        accounts: Number(row.n),
        newest_sighting_at: row.newest?.toISOString() ?? null,
      }));
    },
  };
};
