import type { Queryable } from '../../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../../kernel/postgres/statement.ts';
import type { Figures, LedgerHolder, LedgerPeriod, LedgerReservation } from './reconciliation.ts';

/** Rows of the metering and of the holders' read model, for reconciliation. */
export interface LedgerRows {
  readonly holders: readonly LedgerHolder[];
  readonly periods: readonly LedgerPeriod[];
  readonly reservations: readonly LedgerReservation[];
}

const SUMS = ['requests', 'budget_units', 'overage_units', 'overage_micro_usd', 'live_calls'] as const;

/** Sums as Postgres returns them, prefixed; null if there is no row. */
type Raw<Prefix extends string> = { readonly [name in `${Prefix}_${(typeof SUMS)[number]}`]: string | null };

const figuresOf = <Prefix extends string>(row: Raw<Prefix>, prefix: Prefix): Figures | null => {
  const of = (name: (typeof SUMS)[number]): bigint => BigInt(row[`${prefix}_${name}`] ?? 0);
  return row[`${prefix}_budget_units`] === null
    ? null
    : {
        // Reservations have no number of requests.
        requests: of('requests'),
        budget_units: of('budget_units'),
        overage_units: of('overage_units'),
        overage_micro_usd: of('overage_micro_usd'),
        live_calls: of('live_calls'),
      };
};

const columns = (table: string, prefix: string): string =>
  SUMS.map((name) => `${table}.${name}::text as ${prefix}_${name}`).join(', ');

const sums = SUMS.map((name) => `sum(${name}) as ${name}`).join(', ');

const readHolders = async (db: Queryable, schema: string, holder: string | null) => {
  const { rows } = await db.query<{ holder: string; credited: string | null; charged: string | null }>(sql`
    select holder, h.credit_micro_usd::text as credited, a.charged_micro_usd::text as charged
    from (select * from ${ident(schema)}.holders where ${holder}::text is null or holder = ${holder}) h
    full join (select * from metering.accounts where ${holder}::text is null or holder = ${holder}) a using (holder)
    order by holder`);
  return rows.map(
    (row): LedgerHolder => ({
      holder: row.holder,
      credited: row.credited === null ? null : BigInt(row.credited),
      charged: row.charged === null ? null : BigInt(row.charged),
    }),
  );
};

type RawPeriod = Raw<'recorded'> &
  Raw<'summed'> & {
    readonly holder: string;
    readonly period: number;
    readonly state: LedgerPeriod['state'];
    readonly plan: string | null;
    readonly started_at: string | null;
    readonly ended_at: string | null;
    readonly lines: number | null;
  };

const readPeriods = async (db: Queryable, holder: string | null) => {
  const { rows } = await db.query<RawPeriod>(sql`
    select holder, period, p.state, p.plan, p.started_at, p.ended_at, u.lines,
      ${raw(columns('p', 'recorded'))}, ${raw(columns('u', 'summed'))}
    from (
      select holder, period, 'running' as state, plan, period_started_at as started_at, period_ends_at as ended_at,
        ${raw(SUMS.join(', '))}
      from metering.accounts where period_started_at is not null and (${holder}::text is null or holder = ${holder})
      union all
      select holder, period,
        case when published_at is not null then 'published' when settled_at is not null then 'settled' else 'ended' end,
        plan, started_at, ended_at, ${raw(SUMS.join(', '))}
      from metering.periods where ${holder}::text is null or holder = ${holder}
    ) p
    full join (
      select holder, period, count(*)::int as lines, ${raw(sums)}
      from metering.ledger where ${holder}::text is null or holder = ${holder} group by holder, period
    ) u using (holder, period)
    order by holder, period`);
  return rows.map(
    (row): LedgerPeriod => ({
      holder: row.holder,
      period: row.period,
      state: row.state,
      plan: row.plan,
      started_at: row.started_at,
      ended_at: row.ended_at,
      recorded: figuresOf(row, 'recorded'),
      summed: figuresOf(row, 'summed'),
      lines: row.lines ?? 0,
    }),
  );
};

type RawReservation = Raw<'reserved'> &
  Raw<'used'> & { readonly holder: string; readonly period: number; readonly line: string };

const readReservations = async (db: Queryable, holder: string | null) => {
  const { rows } = await db.query<RawReservation>(sql`
    select v.holder, v.period, concat_ws(' ', v.day, v.key_id, v.operation) as line,
      ${raw(columns('v', 'reserved'))}, ${raw(columns('u', 'used'))}
    from (
      select holder, period, day, key_id, operation, 0 as requests, sum(budget_units) as budget_units,
        sum(overage_units) as overage_units, sum(overage_micro_usd) as overage_micro_usd,
          sum(live_calls) as live_calls
      from metering.reservations where ${holder}::text is null or holder = ${holder} group by 1, 2, 3, 4, 5
    ) v
    left join metering.ledger u using (holder, period, day, key_id, operation)
    order by v.holder, v.period, line`);
  return rows.map(
    (row): LedgerReservation => ({
      holder: row.holder,
      period: row.period,
      line: row.line,
      reserved: figuresOf(row, 'reserved') as Figures,
      used: figuresOf(row, 'used'),
    }),
  );
};

/**
 * Rows of one holder or of all, aggregated in the database. Call it within one snapshot.
 * @param schema of the holders' read model.
 */
export const readLedger = async (
  db: Queryable,
  schema: string,
  holder: string | null,
): Promise<LedgerRows> => ({
  holders: await readHolders(db, schema, holder),
  periods: await readPeriods(db, holder),
  reservations: await readReservations(db, holder),
});
