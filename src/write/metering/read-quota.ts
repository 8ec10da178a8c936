import { createBatcher } from '../../kernel/batch.ts';
import type { Queryable } from '../../kernel/postgres/pool.ts';
import { RAW_TYPES } from '../../kernel/postgres/raw-types.ts';
import { numbered } from '../../kernel/postgres/statement.ts';
import type { Plans } from '../holders/plans.ts';
import { joinEntitlements, OUTCOME, outcomeOf } from './entitlements.ts';
import { type QuotaState, quotaStateOf } from './quota-state.ts';

/** Seconds of a window that are left, and all of it if none runs. */
const leftOf = (startedAt: string): string =>
  `case when ${runs(startedAt)} then ceil(date_part('epoch', a.${startedAt} + interval '60 seconds' - c.now)) else 60 end`;

const runs = (startedAt: string): string =>
  `coalesce(c.now >= a.${startedAt} and c.now < a.${startedAt} + interval '60 seconds', false)`;

/** Without a running period, the figures are those that the next request would find. */
const textOf = (schema: string, plans: Plans): string => `
with clock as materialized (select coalesce($2::timestamptz, clock_timestamp()) as now), found as (
  select q.n, p.plan, a.period, (c.now at time zone 'UTC')::date as day,
    replace((case when r.runs then a.period_ends_at else h.plan_started_at + interval '2592000 seconds' *
      (floor(date_part('epoch', c.now - h.plan_started_at) / 2592000) + 1) end)::text, ' ', 'T') as ends_at,
    case when r.runs then a.budget_units else 0 end as budget_units,
    case when r.runs then a.overage_units else 0 end as overage_units,
    case when r.runs then a.live_calls else 0 end as live_calls,
    h.credit_micro_usd - coalesce(a.charged_micro_usd, 0) as balance_micro_usd,
    h.cap_micro_usd - case when r.runs then a.overage_micro_usd else 0 end as cap_left_micro_usd,
    h.overage_on and p.overage_rate is not null as overage_on,
    case when ${runs('window_started_at')} then a.window_requests else 0 end as window_requests,
    ${leftOf('window_started_at')} as window_left_s,
    case when ${runs('live_started_at')} then a.live_requests else 0 end as live_requests,
    ${leftOf('live_started_at')} as live_left_s
  from clock c, unnest($1::text[]) with ordinality as q(holder, n)
  ${joinEntitlements(schema, plans)}
  left join metering.accounts a on a.holder = q.holder
  cross join lateral (
    select coalesce(a.plan_started_at = h.plan_started_at and c.now < a.period_ends_at, false) as runs
  ) r
)
select ${OUTCOME} from found`;

/** Reads a holder's quota without a request of it: null if it has no plan that is active. */
export type ReadQuota = (holder: string) => Promise<QuotaState | null>;

/**
 * @param schema the active build of the holders' read model.
 * @param at clock for tests; null uses the database's.
 */
export const createReadQuota = (
  db: Queryable,
  schema: () => string,
  plans: Plans,
  at: () => string | null = () => null,
): ReadQuota =>
  createBatcher(async (holders) => {
    const name = schema();
    const { rows } = await db.query<unknown[]>(
      numbered(textOf(name, plans), [holders, at()], {
        name: `${name} read quota`,
        rowMode: 'array',
        types: RAW_TYPES,
      }),
    );
    const found: (QuotaState | null)[] = holders.map(() => null);
    for (const row of rows as (string | null)[][]) {
      found[Number(row[0]) - 1] = quotaStateOf(outcomeOf(row, plans));
    }
    return found;
  });
