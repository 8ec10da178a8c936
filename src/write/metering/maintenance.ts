/** Periodic work of metering: expired reservations, billing periods, settlements, the usage journal. */

import { realMs } from '../../kernel/clock.ts';
import { errorMessage } from '../../kernel/errors.ts';
import { uuidV5 } from '../../kernel/ids.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { Db, Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import { dropOldAccesses } from '../access-log.ts';
import { holderStream } from '../holders/holder.ts';
import type { Plans } from '../holders/plans.ts';
import { type Append, type EventLog, LogRequestRejectedError, LogUnavailableError } from '../log/port.ts';
import { ENTITLEMENTS, joinEntitlements } from './entitlements.ts';
import { dropExpiredResponses } from './idempotency.ts';

const EVERY_MS = 5_000;
const RUNS_PER_MINUTE = 12;
const RUNS_PER_FOLD = 6;
const MIN_FOLD_ROWS = 100;

/**
 * Refunds expired reservations, folds the usage journal, closes and settles periods, deletes expired responses. Every API process
 * runs it. Holders that another process has locked are skipped.
 * @param options.schema the active build of the holders' read model; null if there is none yet.
 */
export const startMaintenance = (options: {
  readonly db: Db;
  readonly log: EventLog;
  readonly schema: () => string | null;
  readonly plans: Plans;
  readonly logger: Logger;
}): { stop(): Promise<void> } => {
  const { db, log, schema, plans, logger } = options;
  let runs = 0;
  let runsToFold = 0;
  let foldRows = MAX_FOLD_ROWS;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  /** Smaller steps after a failure, which may be a timeout on a busy server. */
  const fold = async (): Promise<void> => {
    try {
      await foldUsage(db, foldRows, () => stopped);
      foldRows = MAX_FOLD_ROWS;
    } catch (error) {
      // The ledger is complete without it, so periods are settled all the same.
      foldRows = Math.max(MIN_FOLD_ROWS, Math.floor(foldRows / 2));
      runsToFold = 0;
      logger.warn({ err: errorMessage(error) }, 'the journal of usage could not be folded');
    }
  };

  const run = async (): Promise<void> => {
    const released = await releaseExpired(db);
    if (released > 0) logger.warn({ released }, 'expired reservations refunded');
    if (runsToFold++ % RUNS_PER_FOLD === 0) await fold();
    const holders = schema();
    if (holders === null || runs++ % RUNS_PER_MINUTE !== 0) return;
    await endIdlePeriods(db, holders, plans);
    const settled = await settlePeriods(db, log);
    if (settled > 0) logger.info({ settled }, 'periods settled');
    await dropExpiredResponses(db);
    await dropOldAccesses(db);
  };

  const again = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = run()
        .catch((error) => {
          // An unavailable log is logged once per process.
          const level = error instanceof LogUnavailableError ? 'debug' : 'warn';
          logger[level]({ err: errorMessage(error) }, 'metering maintenance failed');
        })
        .finally(again);
    }, realMs(EVERY_MS));
    timer.unref();
  };

  again();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
};

const MAX_BATCH = 500;

/** Refunds expired reservations of any process. @returns their number. */
export const releaseExpired = async (db: Queryable, at: string | null = null): Promise<number> => {
  const { rows } = await db.query<{ n: number }>(
    sql`select cardinality(metering.release(null, ${MAX_BATCH}, ${at})) as n`,
  );
  return rows[0]?.n ?? 0;
};

/**
 * Closes the periods of idle holders that are over or whose plan was replaced. The next request of an active holder closes its
 * period. Periods on an inactive plan stay open until the plan is active again.
 * @param schema of the holders' read model.
 * @returns the number of closed periods.
 */
export const endIdlePeriods = async (
  db: Queryable,
  schema: string,
  plans: Plans,
  at: string | null = null,
): Promise<number> => {
  const { rows } = await db.query<{ n: number }>(sql`
    select metering.end_idle(coalesce(array_agg(${raw(ENTITLEMENTS)} order by q.holder), '{}'), ${at}) as n
    from (
      select a.holder, 0 as n from metering.accounts a join ${ident(schema)}.holders t on t.holder = a.holder
      where a.period_started_at is not null and coalesce(t.plan,
        ${plans.default.name}) = any (${plans.all.map(({ name }) => name)})
        and (a.period_ends_at <= coalesce(${at}::timestamptz, clock_timestamp())
          or t.plan_started_at <> a.plan_started_at)
      order by a.holder limit ${raw(MAX_BATCH)}
    ) q
    ${raw(joinEntitlements(schema, plans))}`);
  return rows[0]?.n ?? 0;
};

interface PeriodRow {
  readonly holder: string;
  readonly period: number;
  readonly plan: string;
  readonly started_at: string;
  readonly ended_at: string;
  readonly requests: string;
  readonly budget_units: string;
  readonly overage_units: string;
  readonly overage_micro_usd: string;
  readonly live_calls: string;
  readonly settled_at: string;
}

/** A period is settled this long after it was closed, when none of its requests can be in flight. */
const GRACE = '15 minutes';

const settledEvent = (row: PeriodRow): Append => ({
  stream: holderStream(row.holder),
  expected: 'any',
  events: [
    {
      id: uuidV5(`settled ${row.holder} ${row.period}`),
      type: 'UsageSettled',
      data: {
        at: row.settled_at,
        period: row.period,
        plan: row.plan,
        started_at: row.started_at,
        ended_at: row.ended_at,
        requests: Number(row.requests),
        budget_units: Number(row.budget_units),
        overage_units: Number(row.overage_units),
        overage_micro_usd: row.overage_micro_usd,
        live_calls: Number(row.live_calls),
      },
    },
  ],
});

const otherFigures = (holder: string, period: string | number): string =>
  `period ${period} of ${holder} can't be settled: the log has other figures of it, as after the database was restored. Compare them with \`sightline usage audit\`.`;

/**
 * Appends settlements. If the log rejects the batch, they are appended one by one, so that a rejected one does not block the
 * others.
 * @returns the published settlements, and the errors of the others: rejected by the log, or recorded there with other figures.
 * @throws any other error of the log. The outcome is then unknown.
 */
const publish = async (
  log: EventLog,
  rows: readonly PeriodRow[],
): Promise<{ readonly published: readonly PeriodRow[]; readonly refused: readonly Error[] }> => {
  try {
    const outcomes = await log.appendMany(rows.map(settledEvent));
    const isPublished = (_: PeriodRow, i: number) => outcomes[i]?.status === 'appended';
    const others = rows.filter((row, i) => !isPublished(row, i));
    return {
      published: rows.filter(isPublished),
      refused: others.map(({ holder, period }) => new Error(otherFigures(holder, period))),
    };
  } catch (error) {
    const [row, ...others] = rows;
    if (!(error instanceof LogRequestRejectedError) || row === undefined) throw error;
    if (others.length === 0) {
      const problem = `period ${row.period} of ${row.holder} can't be settled: ${errorMessage(error)}`;
      return { published: [], refused: [new Error(problem, { cause: error })] };
    }
    const each = [];
    for (const one of rows) each.push(await publish(log, [one]));
    return { published: each.flatMap((one) => one.published), refused: each.flatMap((one) => one.refused) };
  }
};

/**
 * Publishes the final figures of each closed period that has no requests in flight. The event's ID is derived from holder and
 * period, so settling again appends nothing.
 * @returns the number of settled periods.
 * @throws the log's rejections, after all other periods were settled.
 */
export const settlePeriods = async (
  db: Queryable,
  log: EventLog,
  at: string | null = null,
): Promise<number> => {
  // Settled first, so that no refund comes between the figures and the event. After a crash in between, the next call finds the row
  // settled and unpublished.
  const { rows } = await db.query<PeriodRow>(sql`
    with due as materialized (
      select q.holder, q.period from metering.periods q
      where q.published_at is null and q.closed_at < coalesce(${at}::timestamptz,
        clock_timestamp()) - interval '${raw(GRACE)}'
        and not exists (select from metering.reservations r where r.holder = q.holder and r.period = q.period)
      order by q.closed_at, q.holder, q.period limit ${raw(MAX_BATCH)} for update skip locked
    ), settled as (
      update metering.periods p set settled_at = coalesce(p.settled_at, coalesce(${at}::timestamptz,
        clock_timestamp()))
      from due where p.holder = due.holder and p.period = due.period
      returning p.*
    )
    select holder, period, plan, started_at, ended_at, requests, budget_units, overage_units, overage_micro_usd,
      live_calls, settled_at
    from settled order by holder, period`);
  if (rows.length === 0) return 0;
  const { published, refused } = await publish(log, rows);
  await db.query(sql`
    update metering.periods p set published_at = clock_timestamp()
    from unnest(${published.map((row) => row.holder)}::text[],
      ${published.map((row) => row.period)}::int[]) as v(holder, period)
    where p.holder = v.holder and p.period = v.period and p.published_at is null`);
  if (refused.length > 0) throw new AggregateError(refused, refused.map(errorMessage).join('; '));
  return published.length;
};

/** Maximum rows of each journal that one statement folds: many, since most lines of a holder are then one update. */
const MAX_FOLD_ROWS = 4_000;

/**
 * Folds the usage journal into ledger entries. Charges and refunds only append to the journal. `metering.ledger` combines both, so
 * readers see no difference. Does nothing while another process folds.
 * @param rows maximum rows of each journal that one statement folds.
 * @param isStopped ends it early; the next call folds the rest.
 * @returns the number of folded rows.
 */
export const foldUsage = async (
  db: Queryable,
  rows = MAX_FOLD_ROWS,
  isStopped: () => boolean = () => false,
): Promise<number> => {
  let folded = 0;
  for (;;) {
    const { rows: results } = await db.query<{ n: number }>(sql`select metering.fold_usage(${rows}) as n`);
    const n = results[0]?.n ?? 0;
    folded += n;
    if (n < rows || isStopped()) return folded;
  }
};
