/** Reads of usage: periods, the ledger, and their reconciliation. */

import type { Queryable } from '../kernel/postgres/pool.ts';
import { ident, raw, sql } from '../kernel/postgres/statement.ts';

/** Sums of usage: units, calls, micro-dollars. */
export interface Usage {
  /** Admitted requests. */
  readonly requests: bigint;
  /** Rejected by a rate limit, the quota, the cap or the wallet. */
  readonly refused: bigint;
  readonly budget_units: bigint;
  readonly overage_units: bigint;
  readonly overage_micro_usd: bigint;
  readonly live_calls: bigint;
}

export interface PeriodUsage extends Usage {
  readonly period: number;
  readonly plan: string;
  readonly started_at: string;
  readonly ends_at: string;
  /** `ended` until its sums are final. */
  readonly state: 'running' | 'ended' | 'settled';
}

/** Live calls in flight: charged, and refunded if they don't finish. */
export interface Reserved {
  readonly calls: bigint;
  readonly units: bigint;
  readonly overage_micro_usd: bigint;
}

/** Dimensions of usage. */
export const USAGE_BY = ['day', 'endpoint', 'key'] as const;
export type UsageBy = (typeof USAGE_BY)[number];

export interface UsageLine extends Usage {
  /** A value per requested dimension: UTC day, operation, key ID. */
  readonly by: readonly string[];
}

const SUMS = [
  'requests',
  'refused',
  'budget_units',
  'overage_units',
  'overage_micro_usd',
  'live_calls',
] as const;

type RawUsage = { readonly [name in (typeof SUMS)[number]]: string };

const usageOf = (row: RawUsage): Usage => ({
  requests: BigInt(row.requests),
  refused: BigInt(row.refused),
  budget_units: BigInt(row.budget_units),
  overage_units: BigInt(row.overage_units),
  overage_micro_usd: BigInt(row.overage_micro_usd),
  live_calls: BigInt(row.live_calls),
});

/** Sum of two usages. */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  requests: a.requests + b.requests,
  refused: a.refused + b.refused,
  budget_units: a.budget_units + b.budget_units,
  overage_units: a.overage_units + b.overage_units,
  overage_micro_usd: a.overage_micro_usd + b.overage_micro_usd,
  live_calls: a.live_calls + b.live_calls,
});

type RawPeriod = RawUsage &
  Pick<PeriodUsage, 'period' | 'plan' | 'state'> & { started_at: string; ends_at: string };

/** A holder's periods, oldest first, the running one last; empty if it never called. */
export const listPeriods = async (db: Queryable, holder: string): Promise<readonly PeriodUsage[]> => {
  const { rows } = await db.query<RawPeriod>(sql`
    select p.*, coalesce(u.refused, 0)::text as refused
    from (
      select period, plan, period_started_at as started_at, period_ends_at as ends_at, 'running' as state,
        requests, budget_units, overage_units, overage_micro_usd, live_calls
      from metering.accounts where holder = ${holder} and period_started_at is not null
      union all
      select period, plan, started_at, ended_at, case when settled_at is null then 'ended' else 'settled' end,
        requests, budget_units, overage_units, overage_micro_usd, live_calls
      from metering.periods where holder = ${holder}
    ) p
    left join (select period, sum(refused) as refused from metering.ledger where holder = ${holder} group by period) u
      using (period)
    order by p.period`);
  return rows.map((row) => ({
    period: row.period,
    plan: row.plan,
    started_at: row.started_at,
    ends_at: row.ends_at,
    state: row.state,
    ...usageOf(row),
  }));
};

/** Total charges of a holder in micro-dollars. */
export const chargedOf = async (db: Queryable, holder: string): Promise<bigint> => {
  const { rows } = await db.query<{ charged: string }>(
    sql`select charged_micro_usd::text as charged from metering.accounts where holder = ${holder}`,
  );
  return BigInt(rows[0]?.charged ?? 0);
};

/** Charges of a holder's live calls in flight. */
export const reservedOf = async (db: Queryable, holder: string): Promise<Reserved> => {
  const { rows } = await db.query<{ calls: string; units: string; paid: string }>(sql`
    select coalesce(sum(live_calls), 0)::text as calls, coalesce(sum(budget_units + overage_units), 0)::text as units,
      coalesce(sum(overage_micro_usd), 0)::text as paid
    from metering.reservations where holder = ${holder}`);
  const { calls = 0, units = 0, paid = 0 } = rows[0] ?? {};
  return { calls: BigInt(calls), units: BigInt(units), overage_micro_usd: BigInt(paid) };
};

const COLUMNS: Readonly<Record<UsageBy, string>> = { day: 'day::text', endpoint: 'operation', key: 'key_id' };

/**
 * A holder's usage grouped by dimensions, in their order.
 * @param period one of its periods; null for all.
 */
export const listUsage = async (
  db: Queryable,
  holder: string,
  period: number | null,
  by: readonly UsageBy[],
): Promise<readonly UsageLine[]> => {
  const columns = by.map((each) => COLUMNS[each]).join(', ');
  const { rows } = await db.query<RawUsage & { readonly by: readonly string[] }>(sql`
    select array[${raw(columns)}]::text[] as by,
      ${raw(SUMS.map((name) => `sum(${name})::text as ${name}`).join(', '))}
    from metering.ledger where holder = ${holder} and (${period}::int is null or period = ${period})
    group by ${raw(columns)} order by ${raw(columns)}`);
  return rows.map((row) => ({ by: row.by, ...usageOf(row) }));
};

/** Rows of the metering and of the holders' read model, for reconciliation. */
export interface LedgerRows {
  readonly holders: readonly LedgerHolder[];
  readonly periods: readonly LedgerPeriod[];
  readonly reservations: readonly LedgerReservation[];
}

const LEDGER_SUMS = ['requests', 'budget_units', 'overage_units', 'overage_micro_usd', 'live_calls'] as const;

/** Sums as Postgres returns them, prefixed; null if there is no row. */
type Raw<Prefix extends string> = {
  readonly [name in `${Prefix}_${(typeof LEDGER_SUMS)[number]}`]: string | null;
};

const figuresOf = <Prefix extends string>(row: Raw<Prefix>, prefix: Prefix): Figures | null => {
  const of = (name: (typeof LEDGER_SUMS)[number]): bigint => BigInt(row[`${prefix}_${name}`] ?? 0);
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
  LEDGER_SUMS.map((name) => `${table}.${name}::text as ${prefix}_${name}`).join(', ');

const sums = LEDGER_SUMS.map((name) => `sum(${name}) as ${name}`).join(', ');

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

type RawLedgerPeriod = Raw<'recorded'> &
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
  const { rows } = await db.query<RawLedgerPeriod>(sql`
    select holder, period, p.state, p.plan, p.started_at, p.ended_at, u.lines,
      ${raw(columns('p', 'recorded'))}, ${raw(columns('u', 'summed'))}
    from (
      select holder, period, 'running' as state, plan, period_started_at as started_at, period_ends_at as ended_at,
        ${raw(LEDGER_SUMS.join(', '))}
      from metering.accounts where period_started_at is not null and (${holder}::text is null or holder = ${holder})
      union all
      select holder, period,
        case when published_at is not null then 'published' when settled_at is not null then 'settled' else 'ended' end,
        plan, started_at, ended_at, ${raw(LEDGER_SUMS.join(', '))}
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

/** Sums of requests and charges. */
export interface Figures {
  readonly requests: bigint;
  readonly budget_units: bigint;
  readonly overage_units: bigint;
  readonly overage_micro_usd: bigint;
  readonly live_calls: bigint;
}

export interface LedgerHolder {
  readonly holder: string;
  /** Credits in the read model in micro-dollars; null if the holder is missing there. */
  readonly credited: bigint | null;
  /** Null if the holder never called. */
  readonly charged: bigint | null;
}

export interface LedgerPeriod {
  readonly holder: string;
  readonly period: number;
  /** `settled`: final; `published`: in the log as well. Null if ledger entries refer to an unrecorded period. */
  readonly state: 'running' | 'ended' | 'settled' | 'published' | null;
  readonly plan: string | null;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  /** As recorded in the holder's account or ended period. */
  readonly recorded: Figures | null;
  /** Sum of the ledger entries; null if there are none. */
  readonly summed: Figures | null;
  readonly lines: number;
}

/** Live calls in flight of one ledger entry. */
export interface LedgerReservation {
  readonly holder: string;
  readonly period: number;
  /** Day, key and endpoint. */
  readonly line: string;
  readonly reserved: Figures;
  readonly used: Figures | null;
}

/** A `UsageSettled` event of the log. */
export interface SettledEvent {
  readonly holder: string;
  readonly period: number;
  readonly position: bigint;
  readonly plan: string;
  readonly started_at: string;
  readonly ended_at: string;
  readonly figures: Figures;
}

export interface Ledger {
  readonly holders: readonly LedgerHolder[];
  readonly periods: readonly LedgerPeriod[];
  readonly reservations: readonly LedgerReservation[];
  /** Sums of credits in the log, up to the read model's checkpoint. */
  readonly credits: ReadonlyMap<string, bigint>;
  readonly settled: readonly SettledEvent[];
  /** Head of the log before the rows were read: later events may be missing in them. */
  readonly head: bigint;
}

export interface LedgerDifference {
  readonly holder: string;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

const NONE: Figures = {
  requests: 0n,
  budget_units: 0n,
  overage_units: 0n,
  overage_micro_usd: 0n,
  live_calls: 0n,
};
const NAMES = Object.keys(NONE) as readonly (keyof Figures)[];

const figureDifferences = (
  holder: string,
  where: string,
  expected: Figures,
  found: Figures,
): readonly LedgerDifference[] =>
  NAMES.filter((name) => expected[name] !== found[name]).map((name) => ({
    holder,
    what: `${where}: ${name}`,
    expected: String(expected[name]),
    found: String(found[name]),
  }));

const idOf = ({ holder, period }: { readonly holder: string; readonly period: number }): string =>
  `${holder} ${period}`;

/** A period's recorded sums against its ledger entries. */
const periodDifferences = ({ holder, period, state, recorded, summed }: LedgerPeriod) => {
  if (recorded === null)
    return [{ holder, what: `period ${period}`, expected: 'a running or ended period', found: 'none' }];
  const name = state === 'running' ? `running period ${period}` : `ended period ${period}`;
  return figureDifferences(holder, `${name}, against its ledger entries`, summed ?? NONE, recorded);
};

/** A period against its settlement in the log. */
const publicationDifferences = (
  row: LedgerPeriod,
  events: readonly SettledEvent[],
): readonly LedgerDifference[] => {
  const { holder, period, state } = row;
  const what = `UsageSettled of period ${period}`;
  if (state === 'published' && events.length === 0)
    return [{ holder, what, expected: '1 event', found: 'none' }];
  if (events.length > 1) return [{ holder, what, expected: '1 event', found: `${events.length} events` }];
  const [event] = events;
  if (event === undefined) return [];
  const words = (['plan', 'started_at', 'ended_at'] as const)
    .filter((name) => row[name] !== event[name])
    .map((name) => ({
      holder,
      what: `${what}: ${name}`,
      expected: row[name] ?? 'none',
      found: event[name],
    }));
  return [...words, ...figureDifferences(holder, what, row.recorded ?? NONE, event.figures)];
};

const moneyDifferences = (
  { holder, credited, charged }: LedgerHolder,
  overage: bigint,
  inLog: bigint,
): readonly LedgerDifference[] => {
  const found: LedgerDifference[] = [];
  if ((charged ?? 0n) !== overage)
    found.push({
      holder,
      what: 'charged_micro_usd, against all ledger entries',
      expected: String(overage),
      found: String(charged ?? 'none'),
    });
  if (credited === null || credited !== inLog)
    found.push({
      holder,
      what: 'credit_micro_usd, against the log',
      expected: String(inLog),
      found: String(credited ?? 'no holder'),
    });
  const balance = (credited ?? 0n) - (charged ?? 0n);
  if (balance < 0n)
    found.push({ holder, what: 'balance, micro-dollars', expected: '0 or more', found: String(balance) });
  return found;
};

const reservationDifferences = ({ holder, period, line, reserved, used }: LedgerReservation) =>
  NAMES.filter((name) => reserved[name] > (used ?? NONE)[name]).map((name) => ({
    holder,
    what: `reserved in period ${period}, ${line}: ${name}`,
    expected: `at most ${(used ?? NONE)[name]}`,
    found: String(reserved[name]),
  }));

const grouped = <T>(all: readonly T[], key: (each: T) => string): ReadonlyMap<string, readonly T[]> => {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(key(each));
    if (group === undefined) groups.set(key(each), [each]);
    else group.push(each);
  }
  return groups;
};

/** All inconsistencies of a ledger. */
export const differencesOf = (ledger: Ledger): readonly LedgerDifference[] => {
  const { holders, periods, reservations, credits, settled, head } = ledger;
  const events = grouped(settled, idOf);
  const recorded = new Map(periods.map((row) => [idOf(row), row]));
  const overage = new Map<string, bigint>();
  for (const { holder, summed } of periods)
    overage.set(holder, (overage.get(holder) ?? 0n) + (summed?.overage_micro_usd ?? 0n));
  const known = new Set(holders.map(({ holder }) => holder));
  const orphans = [...new Set([...credits.keys(), ...overage.keys()])]
    .filter((holder) => !known.has(holder))
    .map((holder) => ({ holder, credited: null, charged: null }));
  return [
    ...periods.flatMap(periodDifferences),
    ...[...holders, ...orphans].flatMap((row) =>
      moneyDifferences(row, overage.get(row.holder) ?? 0n, credits.get(row.holder) ?? 0n),
    ),
    ...periods
      .filter(({ state }) => state === 'settled' || state === 'published')
      .flatMap((row) => publicationDifferences(row, events.get(idOf(row)) ?? [])),
    ...settled
      .filter(({ position }) => position <= head)
      .filter((event) => {
        const state = recorded.get(idOf(event))?.state;
        return state !== 'settled' && state !== 'published';
      })
      .map(({ holder, period, position }) => ({
        holder,
        what: `UsageSettled of period ${period} at position ${position}`,
        expected: 'a settled period',
        found: recorded.get(idOf({ holder, period }))?.state ?? 'none',
      })),
    ...reservations.flatMap(reservationDifferences),
  ].sort((a, b) => (a.holder < b.holder ? -1 : a.holder > b.holder ? 1 : 0));
};
