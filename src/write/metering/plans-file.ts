import type { Config } from '../../kernel/config.ts';
import { planSet } from './plan-sets.ts';
import type { Plans } from './plans.ts';

/** The plans in force. */
export const loadPlans = async ({ PLAN_SET }: Pick<Config, 'PLAN_SET' | 'PLANS_FILE'>): Promise<Plans> =>
  planSet(PLAN_SET);
