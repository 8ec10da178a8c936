import type { Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { sql } from '../kernel/postgres/statement.ts';
import { VOIDING } from '../write/erasure/subject.ts';
import type { EventDataOf } from '../write/event-types.ts';
import type { AppliedEvent } from './projection.ts';

/** The names of an account that is being erased. */
export interface ErasedAccount {
  readonly platform: Platform;
  /** Null where its platform shows none. */
  readonly native_id: string | null;
  readonly handles: readonly string[];
}

/** Erased accounts by the digest that events have of them. */
export type ErasedAccounts = ReadonlyMap<string, ErasedAccount>;

/**
 * The accounts that events say are erased, by their digests. One that is missing was forgotten before: the log has nothing of it that a
 * build could have.
 */
export const loadErased = async (db: Queryable, events: readonly AppliedEvent[]): Promise<ErasedAccounts> => {
  const subjects = events.flatMap(({ type, data }) =>
    VOIDING.has(type) ? [(data as EventDataOf<'AccountErased'>).subject] : [],
  );
  if (subjects.length === 0) return new Map();
  const { rows } = await db.query<ErasedAccount & { readonly subject: string }>(sql.named('erased_accounts')`
    select subject, platform, native_id, handles from erasure.open where subject = any(${[...new Set(subjects)]})`);
  return new Map(rows.map(({ subject, ...account }) => [subject, account]));
};
