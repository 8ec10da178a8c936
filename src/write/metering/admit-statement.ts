import type { Queryable } from '../../kernel/postgres/pool.ts';
import type { Plan, Plans } from './plans.ts';

/** What a request asks for, before it is decided whether it may have it. */
export interface Ask {
  readonly holder: string;
  readonly keyId: string;
  /** The endpoint, for the record of usage. */
  readonly operation: string;
  /** Catalog reads that it makes: 0 where they are free. */
  readonly catalog: number;
  /** Live calls that it makes. */
  readonly live: number;
}

/** Equal requests of one holder that follow each other. */
export interface Line {
  readonly ask: Ask;
  readonly count: number;
  /** Names the reservation of a live call; null for all else. */
  readonly reservation: string | null;
}

/** The lines of one holder, in the order in which its requests came. */
export interface HolderLines {
  readonly holder: string;
  readonly lines: readonly Line[];
}

/** What a holder stood at before its lines, and what they came to. */
export interface HolderOutcome {
  readonly plan: Plan;
  readonly period: number;
  /** UTC day that the lines are recorded under. */
  readonly day: string;
  /** When the period ends, ISO 8601 UTC. */
  readonly endsAt: string;
  readonly budgetUnits: number;
  readonly overageUnits: number;
  readonly liveCalls: number;
  /** Micro-dollars; what the wallet holds. */
  readonly balanceMicroUsd: number;
  /** Micro-dollars of overage that the cap leaves; null where there is none. */
  readonly capLeftMicroUsd: number | null;
  /** Whether overage is on, and on the plan. */
  readonly overageOn: boolean;
  readonly windowRequests: number;
  readonly windowLeftS: number;
  readonly liveRequests: number;
  readonly liveLeftS: number;
  /** Of each line: how many were let in, how many did not fit the burst, why (see `REASONS`); null where all were. */
  readonly lines: {
    readonly granted: readonly number[];
    readonly over: readonly number[];
    readonly reason: readonly number[];
  } | null;
}

/** Why requests of a line were turned away, by the number that the database gives. */
export const REASONS = ['none', 'burst', 'live_burst', 'budget', 'cap', 'wallet'] as const;
export type Reason = Exclude<(typeof REASONS)[number], 'none'>;

/** `busy` and `stale`: not decided, to be asked again; `unknown`: no such holder, or its plan is not in force. */
export type HolderAnswer = HolderOutcome | 'busy' | 'stale' | 'unknown';

/** Seconds until the refund of a live call that nobody finishes: more than any may take. */
const RESERVE_S = 300;

const RAW = { getTypeParser: () => (value: string) => value } as const;

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** The plans in force as rows of a statement: they never change while the process runs. */
const planRows = (plans: Plans): string =>
  plans.all
    .map(
      (p) =>
        `(${literal(p.name)}, ${p.units}::bigint, ${p.burst_per_minute}::bigint, ${p.live_per_minute}::bigint, ${p.weights.catalog}::bigint, ${p.weights.live}::bigint, ${p.overage_micro_usd ?? 'null'}::bigint)`,
    )
    .join(', ');

const textOf = (schema: string, plans: Plans): string => `
select a.*, t.overage_rate is not null as overage_on
from (
  select array_agg(row(q.n, q.holder, h.changed, p.plan, h.plan_started_at, p.units, p.burst, p.live_burst, p.catalog,
    p.live, case when h.overage_on then p.overage_rate end, h.cap_micro_usd, h.credit_micro_usd)::metering.terms) as terms
  from unnest($1::text[]) with ordinality as q(holder, n)
  join ${schema}.holders h on h.holder = q.holder
  join (values ${planRows(plans)}) as p(plan, units, burst, live_burst, catalog, live, overage_rate)
    on p.plan = coalesce(h.plan, ${literal(plans.lowest.name)})
) asked
cross join lateral metering.admit(coalesce(asked.terms, '{}'), $2, $3, $4, $5, $6, $7, $8, $9, ${RESERVE_S}, $10,
  $11) a
cross join lateral (select u.overage_rate from unnest(asked.terms) u where u.n = a.n) t`;

const numbers = (literalArray: string): number[] =>
  literalArray === '{}' ? [] : literalArray.slice(1, -1).split(',').map(Number);

type Raw = readonly (string | null)[];

const outcomeOf = (row: Raw, plans: Plans): HolderAnswer => {
  if (row[1] === 'busy' || row[1] === 'stale') return row[1];
  const [, , plan, period, day, endsAt, budget, overage, live, balance, cap] = row as readonly string[];
  const found = plans.find(plan as string);
  if (found === null) return 'unknown';
  return {
    plan: found,
    period: Number(period),
    day: day as string,
    endsAt: `${(endsAt as string).slice(0, 10)}T${(endsAt as string).slice(11, 19)}Z`,
    budgetUnits: Number(budget),
    overageUnits: Number(overage),
    liveCalls: Number(live),
    balanceMicroUsd: Number(balance),
    capLeftMicroUsd: cap === null ? null : Number(cap),
    overageOn: row[18] === 't',
    windowRequests: Number(row[11]),
    windowLeftS: Number(row[12]),
    liveRequests: Number(row[13]),
    liveLeftS: Number(row[14]),
    lines:
      row[15] == null
        ? null
        : {
            granted: numbers(row[15]),
            over: numbers(row[16] as string),
            reason: numbers(row[17] as string),
          },
  };
};

/**
 * Decides and charges the requests of many holders in one statement, which is one transaction.
 * @param patient waits for holders that another process has in hand; else those come back `busy`.
 * @param at the time, for tests; the database's own where null.
 * @returns an answer a holder, in their order.
 */
export const admitMany = async (
  db: Queryable,
  schema: string,
  plans: Plans,
  asked: readonly HolderLines[],
  patient: boolean,
  at: string | null,
): Promise<readonly HolderAnswer[]> => {
  const holders: string[] = [];
  const first: number[] = [];
  const keys: string[] = [];
  const operations: string[] = [];
  const counts: number[] = [];
  const catalog: number[] = [];
  const live: number[] = [];
  const reservations: (string | null)[] = [];
  let costs = false;
  for (const { holder, lines } of asked) {
    holders.push(holder);
    first.push(keys.length + 1);
    for (const { ask, count, reservation } of lines) {
      keys.push(ask.keyId);
      operations.push(ask.operation);
      counts.push(count);
      catalog.push(ask.catalog);
      live.push(ask.live);
      reservations.push(reservation);
      costs ||= ask.catalog > 0 || ask.live > 0;
    }
  }
  first.push(keys.length + 1);
  const { rows } = await db.query<unknown[]>({
    name: `${schema} admit`,
    text: textOf(schema, plans),
    values: [holders, first, keys, operations, counts, catalog, live, reservations, patient, at, costs],
    rowMode: 'array',
    types: RAW,
  } as never);
  const answers: HolderAnswer[] = holders.map(() => 'unknown');
  for (const row of rows) answers[Number((row as Raw)[0]) - 1] = outcomeOf(row as Raw, plans);
  return answers;
};
