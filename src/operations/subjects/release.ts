/**
 * Ends the suppression of an account. It may be read again at once. What the log has of it counts again when read models are made
 * anew; until then they agree with what voids it.
 */

import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { withLease } from '../../kernel/postgres/lease.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { projections } from '../../projections/registry.ts';
import { prune, rebuildProjections } from '../projections/builds.ts';
import {
  type CarryOutOptions,
  type ErasureContext,
  LEASE,
  remakeCopies,
  untilEveryProcessKnows,
} from './erase.ts';
import { enterInLedger, mirrorLedger } from './ledger-file.ts';

/**
 * Releases a suppressed account: from here on it may be read again. What is known of it comes back with `showReleased`.
 * @param subject the digest that names it.
 * @throws {OperatorError} `erasure_open` if it is being erased.
 */
export const releaseSubject = async (
  context: ErasureContext,
  subject: string,
  signal: AbortSignal,
): Promise<void> => {
  // Not while a step of an erasure is under way.
  await withLease(context.url, LEASE, signal, async () => {
    await context.fence.refresh();
    if (context.fence.entryOf(subject)?.isErased === true) {
      throw new OperatorError('erasure_open', 'The account is being erased: that can’t be undone.');
    }
    // The row first: one that is released is never due.
    await context.db.query(sql`
      update erasure.open set released_at = ${isoOf(systemClock.now())} where subject = ${subject} and released_at is null`);
    await enterRelease(context, subject);
  });
};

/** Enters the release in the ledger, unless it is there. */
const enterRelease = async (context: ErasureContext, subject: string): Promise<void> => {
  const { log, fence } = context;
  await fence.refresh();
  if (fence.entryOf(subject) !== null) await enterInLedger(log, 'SubjectReleased', subject);
  await mirrorLedger(context);
  await fence.refresh();
};

/**
 * Makes read models anew with all accounts that were released, if one of them was before a time. What strangers undo costs one
 * rebuild for all of them.
 * @returns how many came back.
 */
export const showReleased = async (
  context: ErasureContext,
  beforeMs: number,
  { signal, onProgress = () => undefined }: CarryOutOptions,
): Promise<number> => {
  const { db } = context;
  const { rows: old } = await db.query(sql`
    select from erasure.open where released_at <= to_timestamp(${beforeMs / 1_000}::float8) limit 1`);
  if (old.length === 0) return 0;
  let shown = 0;
  await withLease(context.url, LEASE, signal, async (held) => {
    const { rows } = await db.query<{ subject: string }>(sql`
      select subject from erasure.open where released_at is not null`);
    if (rows.length === 0) return;
    for (const { subject } of rows) {
      await enterRelease(context, subject);
      await db.query(sql`
        update erasure.open set tenures = '[]' where subject = ${subject} and released_at is not null`);
      await enterInLedger(context.log, 'SubjectShown', subject);
    }
    await mirrorLedger(context);
    await context.fence.refresh();
    await untilEveryProcessKnows(context, held);
    const options = { signal: held, onProgress };
    const again = projections.filter(({ forgets }) => forgets !== 'no accounts').map(({ name }) => name);
    await rebuildProjections(context, again, options);
    await remakeCopies(context, held, onProgress);
    await prune(context);
    const subjects = rows.map(({ subject }) => subject);
    await db.query(
      sql`delete from erasure.open where subject = any(${subjects}) and released_at is not null`,
    );
    shown = subjects.length;
  });
  return shown;
};
