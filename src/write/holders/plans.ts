import { z } from 'zod';

/** Scopes of a key. `leads:read` is only granted by name. */
export const SCOPES = [
  'accounts:read',
  'accounts:live',
  'directory:read',
  'people:read',
  'scrape:live',
  'verify:live',
  'insights:read',
  'research:read',
  'engines:read',
  'marketplace:read',
  'tools:run',
  'leads:read',
] as const;

export const scopeSchema = z.enum(SCOPES);
export type Scope = z.infer<typeof scopeSchema>;

/** Scopes that a key only has if they are requested by name. */
export const NAMED_ONLY: ReadonlySet<Scope> = new Set(['leads:read']);

const count = z.int().nonnegative();
const atLeastOne = z.int().positive();

/** A plan: what a holder may call, how often, and at what price. */
export const planSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'lower-case letters, digits and -, as growth'),
  /** Micro-dollars for 30 days. */
  price_micro_usd: count,
  /** Units in a period of 30 days. */
  units: count,
  /** Request rate limit, per minute. */
  requests_per_minute: atLeastOne,
  /** Live-call rate limit, per minute. */
  live_per_minute: count,
  /** Maximum keys in use. */
  keys: atLeastOne,
  /** Micro-dollars per unit beyond the quota; null if the plan has no overage. */
  overage_micro_usd: atLeastOne.nullable(),
  /** Units of a catalog read, and of a live call. */
  weights: z.strictObject({ catalog: count, live: count }),
  scopes: z.array(scopeSchema).min(1),
  /** Whether keys can have an IP allowlist. */
  ip_allowlist: z.boolean(),
  support: z.string().nullable(),
});

export type Plan = z.infer<typeof planSchema>;

/** The plans that holders can be on, from the lowest to the highest. */
export interface Plans {
  /** Their source: `A`, `B`, or the path of a file. */
  readonly source: string;
  readonly all: readonly Plan[];
  /** The default plan, for holders without a chosen one. */
  readonly default: Plan;
  /** The active plan of that name, or null. */
  find(name: string): Plan | null;
  /** The lowest plan that includes a scope, or null. */
  lowestWith(scope: Scope): Plan | null;
  /**
   * Values that the source does not state and inherits from another set: `plan.field`, as
   * `starter.requests_per_minute`.
   */
  readonly inherited: ReadonlySet<string>;
}

/** @throws if the list is empty. */
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
