import { z } from 'zod';
import { PLATFORMS, platformSchema } from '../../../kernel/platform.ts';
import { ACCOUNT_STATUSES } from '../../../write/accounts/account.ts';
import { valueTimesSchema } from '../../../write/accounts/profile.ts';
import { defineSums } from '../../table/bulk.ts';
import {
  bool,
  createTables,
  defineTable,
  instant,
  int8,
  json,
  name,
  nullable,
  type RowOf,
  text,
} from '../../table/table.ts';

/** The last known state of a handle, as an account check returns it. One row per handle that was ever read. */
export const accountTable = defineTable(
  'accounts',
  {
    platform: name(platformSchema),
    handle: name(),
    native_id: nullable(name()),
    status: text(z.enum(ACCOUNT_STATUSES)),
    display_name: nullable(text()),
    followers: nullable(int8()),
    verified: nullable(bool()),
    created_at: nullable(instant()),
    /** First and last time that a reading found the account; null if none did. */
    first_seen_at: nullable(instant()),
    last_seen_at: nullable(instant()),
    /** Times of values that are older than `last_seen_at`; null if there are none. */
    kept: nullable(json(valueTimesSchema)),
    /** The last reading, conclusive or not. */
    observed_at: instant(),
    /** Revision of the last event that this row reflects, and of the last full profile; -1 if there is none. */
    revision: int8(),
    sighted_revision: int8(),
    /** Revision of the last event about posts only, up to `revision`. */
    posts_revision: int8(),
    /** The state for decisions, as of `revision` (`write/accounts/account.ts`). */
    state: text(),
  },
  { key: ['platform', 'handle'], platforms: PLATFORMS },
);
export type AccountRow = RowOf<typeof accountTable>;

/** Number of accounts that were ever seen, by platform. */
export const totalTable = defineSums(
  'totals',
  { platform: name(), n: int8() },
  { key: ['platform'], sums: ['n'] },
);

export const tables = (schema: string): string => createTables(schema, [accountTable, totalTable]);

export const indexes = (schema: string): string => `
create index on ${schema}.accounts (native_id) where native_id is not null;
create index on ${schema}.accounts (last_seen_at desc nulls last);
`;
