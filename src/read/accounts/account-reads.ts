import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { textReader } from '../../projections/table/rows.ts';
import { columnsExcept } from '../../projections/table/table.ts';
import { type AccountRow, accountTable } from '../../projections/views/accounts/tables.ts';
import { handleIn } from '../../write/accounts/handle.ts';
import type { Builds } from '../active-builds.ts';
import { type AccountKey, createLookups } from './lookups.ts';

/** What decisions need of an account, which is not shown. */
const INTERNAL = ['revision', 'sighted_revision', 'posts_revision', 'state'] as const;

/** An account as known from its readings. */
export interface KnownAccount extends Omit<AccountRow, (typeof INTERNAL)[number] | 'handle'> {
  /** Name of its stream and page: the handle, or the native ID of an account without one. */
  readonly name: string;
  readonly handle: string | null;
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

const reader = textReader(accountTable, columnsExcept(accountTable, INTERNAL));

export const createAccountReads = (db: Queryable, builds: Builds): AccountReads => ({
  ...createLookups(db, {
    table: (platform) => `${builds.schema('accounts')}.accounts_${platform}`,
    reader,
    latestBy: 'observed_at',
    found: (row): KnownAccount => ({
      ...row,
      name: row.handle,
      handle: handleIn(row.platform, row.handle),
    }),
  }),
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
});
