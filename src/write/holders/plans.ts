import { z } from 'zod';
import { type Scope, scopeSchema } from './events.ts';

const count = z.int().nonnegative();
const atLeastOne = z.int().positive();

/** A plan: what a holder may call, how often, and at what price. */
export const planSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'lower-case letters, digits and -, as growth'),
  /** Micro-dollars for 30 days. */
  price_micro_usd: count,
  /** Units in a period of 30 days. */
  units: count,
  /** Requests a minute. */
  burst_per_minute: atLeastOne,
  /** Live calls a minute. */
  live_per_minute: count,
  /** Keys that may be in use at once. */
  keys: atLeastOne,
  /** Micro-dollars a unit past the budget; null where there is no overage. */
  overage_micro_usd: atLeastOne.nullable(),
  /** Units of one catalog read, and of one live call. */
  weights: z.strictObject({ catalog: count, live: count }),
  scopes: z.array(scopeSchema).min(1),
  /** Whether keys can be pinned to addresses. */
  ip_allowlist: z.boolean(),
  support: z.string().nullable(),
});

export type Plan = z.infer<typeof planSchema>;

/** The plans that holders can be on, from the lowest to the highest. */
export interface Plans {
  /** Where they come from: `A`, `B`, or the path of a file. */
  readonly source: string;
  readonly all: readonly Plan[];
  /** The plan of a holder that none was chosen for. */
  readonly default: Plan;
  /** The plan of that name; null where the plans in force have none. */
  find(name: string): Plan | null;
  /** The lowest plan that includes a scope; null where none does. */
  lowestWith(scope: Scope): Plan | null;
  /** Figures that the source does not state and another set lends: `plan.field`, as `starter.burst_per_minute`. */
  readonly inherited: ReadonlySet<string>;
}

/** @throws where there is no plan. */
export const plansOf = (
  source: string,
  all: readonly Plan[],
  inherited: ReadonlySet<string> = new Set(),
): Plans => {
  const [lowest] = all;
  if (lowest === undefined) throw new Error('there must be at least one plan');
  const byName = new Map(all.map((plan) => [plan.name, plan]));
  return {
    source,
    all,
    default: lowest,
    find: (name) => byName.get(name) ?? null,
    lowestWith: (scope) => all.find((plan) => plan.scopes.includes(scope)) ?? null,
    inherited,
  };
};
