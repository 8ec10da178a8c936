import type { Platform } from '../../kernel/platform.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { handleIn, isInDirectory } from '../../platforms/index.ts';
import { columnsExcept } from '../../projections/table/table.ts';
import { type AccountRow, accountTable } from '../../projections/views/accounts/tables.ts';
import { entryTable } from '../../projections/views/directory/tables.ts';
import type { Builds } from '../active-builds.ts';
import { type AccountKey, createLookups } from './lookups.ts';

/** What decisions need of an account, which is not shown. */
const INTERNAL = ['revision', 'sighted_revision', 'posts_revision', 'state'] as const;

/** An account as known from its readings. */
export interface KnownAccount extends Omit<AccountRow, (typeof INTERNAL)[number] | 'handle'> {
  /** Name of its stream and page: the handle, or the native ID of an account without one; null if it has none. */
  readonly name: string | null;
  readonly handle: string | null;
}

interface PlatformTotal {
  readonly platform: Platform;
  readonly accounts: number;
  readonly newest_sighting_at: string | null;
}

export interface AccountReads {
  /** An account by its present handle or its native ID. */
  find(key: AccountKey): Promise<KnownAccount | null>;
  /** What readings of a name have proven that no account is known to have, as that none has it. */
  verdict(key: AccountKey): Promise<KnownAccount | null>;
  totals(): Promise<readonly PlatformTotal[]>;
}

/** Columns that an entry of the directory has as well: it is the account through renames, a row of `accounts` is of one handle. */
const ENTRY_COLUMNS = [
  'platform',
  'handle',
  'native_id',
  'status',
  'display_name',
  'followers',
  'verified',
  'created_at',
  'first_seen_at',
  'last_seen_at',
  'observed_at',
  'kept',
] as const;

const nameOf = (platform: Platform, handle: string | null, id: string | null): string | null =>
  handle ?? (id !== null && handleIn(platform, id) === null ? id : null);

const createFinds = (db: Queryable, builds: Builds): Pick<AccountReads, 'find' | 'verdict'> => {
  const names = createLookups(db, {
    table: accountTable,
    columns: columnsExcept(accountTable, INTERNAL),
    partition: (platform) => `${builds.schema('accounts')}.accounts_${platform}`,
    latestBy: 'observed_at',
    found: (row): KnownAccount => ({
      ...row,
      name: row.handle,
      handle: handleIn(row.platform, row.handle),
    }),
  });
  const entries = createLookups(db, {
    table: entryTable,
    columns: ENTRY_COLUMNS,
    partition: (platform) => `${builds.schema('directory')}.entries_${platform}`,
    part: ' checked',
    found: (row): KnownAccount => ({ ...row, name: nameOf(row.platform, row.handle, row.native_id) }),
  });
  return {
    find: (key) => (isInDirectory(key.platform) ? entries : names).find(key),
    verdict: async ({ platform, by, value }) =>
      by === 'id' && handleIn(platform, value) !== null
        ? null
        : names.find({ platform, by: 'handle', value }),
  };
};

export const createAccountReads = (db: Queryable, builds: Builds): AccountReads => ({
  ...createFinds(db, builds),
  totals: async () => {
    const schema = builds.schema('accounts');
    const { rows } = await db.query<{ platform: Platform; n: string; newest: string | null }>(sql`
      select platform, n, (select max(last_seen_at) from ${ident(schema)}.accounts a
        where a.platform = t.platform) as newest
      from ${ident(schema)}.totals t`);
    return rows.map((row) => ({
      platform: row.platform,
      accounts: Number(row.n),
      newest_sighting_at: row.newest,
    }));
  },
});
