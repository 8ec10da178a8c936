import type { Config } from '../../kernel/config.ts';
import { choosePlan } from '../../write/holders/holder.ts';
import { loadPlans } from '../../write/holders/load-plans.ts';
import type { Plans } from '../../write/holders/plans.ts';
import type { OperationsContext } from '../context.ts';
import { changeHolder } from './change-holder.ts';

export type { Plan, Plans } from '../../write/holders/plans.ts';
export { SCOPES } from '../../write/holders/plans.ts';

/**
 * The active plans: a published set, or those of PLANS_FILE.
 * @throws {OperatorError} `plans_invalid`
 */
export const activePlans = (config: Pick<Config, 'PLAN_SET' | 'PLANS_FILE'>): Promise<Plans> =>
  loadPlans(config);

export interface PlanChange {
  /** Null where the holder was on the plan already. */
  readonly chosen: { readonly plan: string; readonly at: string } | null;
  /** Ids of keys that were revoked since the plan allows fewer. */
  readonly revokedKeys: readonly string[];
}

/**
 * Puts a holder on a plan; a new period begins at once.
 * @throws {OperatorError} `holder_unknown`, `plan_unknown`, `plan_key_limit`
 */
export const setPlan = async (
  context: OperationsContext,
  change: { readonly holder: string; readonly plan: string; readonly revokeSurplus: boolean },
): Promise<PlanChange> => {
  const { holder, plan, revokeSurplus } = change;
  const plans = await activePlans(context.config);
  const events = await changeHolder(context, holder, (at) =>
    choosePlan(holder, plan, plans, at, { revokeSurplus }),
  );
  const chosen = events.find((event) => event.type === 'PlanChosen')?.data ?? null;
  return {
    chosen: chosen === null ? null : { plan: chosen.plan, at: chosen.at },
    revokedKeys: events.flatMap((event) => (event.type === 'KeyRevoked' ? [event.data.key_id] : [])),
  };
};
