import { isoOf, systemClock } from '../../kernel/clock.ts';
import type { Config } from '../../kernel/config.ts';
import { holders } from '../../projections/views/holders/projection.ts';
import {
  choosePlan,
  type HolderDecision,
  type HolderEvent,
  holderDecider,
  holderStream,
} from '../../write/holders/holder.ts';
import { loadPlans } from '../../write/holders/load-plans.ts';
import type { Plans } from '../../write/holders/plans.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { OperationsContext } from '../context.ts';
import { waitForProjection } from '../projections/read-model.ts';

/**
 * Carries out a command on a holder. When it returns, the change is visible to every reader.
 * @param onAppended called as soon as the events are in the log. A key that can be shown only once must not wait for the
 * read model, which might be stalled.
 * @returns the events; none if nothing had to change.
 * @throws {OperatorError} if the command is refused.
 */
export const changeHolder = async (
  context: OperationsContext,
  holder: string,
  decisionAt: (at: string) => HolderDecision,
  onAppended: () => void = () => undefined,
): Promise<readonly HolderEvent[]> => {
  const nowMs = systemClock.now();
  const { events, outcome } = await handleCommand(
    context.log,
    holderDecider,
    holderStream(holder),
    decisionAt(isoOf(nowMs)),
    { nowMs },
  );
  if (outcome === null) return events;
  onAppended();
  await waitForProjection(context, holders, outcome.position);
  return events;
};

export { type Plan, type Plans, SCOPES } from '../../write/holders/plans.ts';

/**
 * The active plans: a published set, or those of PLANS_FILE.
 * @throws {OperatorError} `plans_invalid`
 */
export const activePlans = (config: Pick<Config, 'PLAN_SET' | 'PLANS_FILE'>): Promise<Plans> =>
  loadPlans(config);

export interface PlanChange {
  /** Null if the holder was on the plan already. */
  readonly chosen: { readonly plan: string; readonly at: string } | null;
  /** IDs of keys that were revoked because the plan allows fewer. */
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
