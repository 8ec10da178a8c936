/** Plans and their scopes, and the two published sets. */

import { z } from 'zod';

/** Scopes of a key. */
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

/** Scopes that a key has only if they are requested by name. */
export const NAMED_ONLY: ReadonlySet<Scope> = new Set(['leads:read']);

const count = z.int().nonnegative();
const atLeastOne = z.int().positive();

/** A plan: which operations a holder may call, how often, and at what price. */
export const planSchema = z.strictObject({
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/, 'lower-case letters, digits and -, as growth'),
  /** Micro-dollars for 30 days. */
  price_micro_usd: count,
  /** Units per period of 30 days. */
  units: count,
  /** Request rate limit, per minute. */
  requests_per_minute: atLeastOne,
  /** Live-call rate limit, per minute. */
  live_per_minute: count,
  /** Maximum keys in use. */
  keys: atLeastOne,
  /** Micro-dollars per unit beyond the quota; null if the plan has no overage. */
  overage_micro_usd: atLeastOne.nullable(),
  /**
   * Units per catalog read, per live call, and per request to platforms that a live call may send; these are free by default.
   */
  weights: z.strictObject({ catalog: count, live: count, upstream: count.optional() }),
  scopes: z.array(scopeSchema).min(1),
  /** Whether keys can have an IP allowlist. */
  ip_allowlist: z.boolean(),
  support: z.string().nullable(),
});

export type Plan = z.infer<typeof planSchema>;

/** Calls that are charged for: catalog reads, live calls, and the requests to platforms that each live call may send. */
export interface Calls {
  readonly catalog: number;
  readonly live: number;
  readonly upstream?: number | undefined;
}

/** Units of calls on a plan. `metering.admit` computes the same. */
export const unitsOfCalls = (
  { weights }: Pick<Plan, 'weights'>,
  { catalog, live, upstream = 0 }: Calls,
): number => catalog * weights.catalog + live * (weights.live + upstream * (weights.upstream ?? 0));

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
  /** Values that the source does not state and inherits from another set, as `plan.field`: `starter.requests_per_minute`. */
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

const FREE: readonly Scope[] = [
  'accounts:read',
  'directory:read',
  'people:read',
  'engines:read',
  'marketplace:read',
];
const STARTER: readonly Scope[] = [
  ...FREE,
  'accounts:live',
  'scrape:live',
  'verify:live',
  'insights:read',
  'tools:run',
];
const GROWTH: readonly Scope[] = [...STARTER, 'research:read'];

const LOW = { catalog: 1, live: 10 };
const HIGH = { catalog: 1, live: 5 };

const plan = (
  name: string,
  scopes: readonly Scope[],
  weights: Plan['weights'],
  figures: Omit<Plan, 'name' | 'scopes' | 'weights' | 'ip_allowlist' | 'support'>,
  more: Partial<Pick<Plan, 'ip_allowlist' | 'support'>> = {},
): Plan => ({ name, scopes: [...scopes], weights, ip_allowlist: false, support: null, ...figures, ...more });

const usd = (dollars: number): number => dollars * 1_000_000;

/** The complete set. */
const SET_A: readonly Plan[] = [
  plan('free', FREE, LOW, {
    price_micro_usd: 0,
    units: 500,
    requests_per_minute: 30,
    live_per_minute: 5,
    keys: 1,
    overage_micro_usd: null,
  }),
  plan('starter', STARTER, LOW, {
    price_micro_usd: usd(69),
    units: 20_000,
    requests_per_minute: 120,
    live_per_minute: 20,
    keys: 3,
    overage_micro_usd: 7_000,
  }),
  plan(
    'growth',
    GROWTH,
    HIGH,
    {
      price_micro_usd: usd(249),
      units: 150_000,
      requests_per_minute: 600,
      live_per_minute: 60,
      keys: 10,
      overage_micro_usd: 3_500,
    },
    { ip_allowlist: true },
  ),
  plan(
    'scale',
    SCOPES,
    HIGH,
    {
      price_micro_usd: usd(749),
      units: 750_000,
      requests_per_minute: 600,
      live_per_minute: 60,
      keys: 25,
      overage_micro_usd: 2_000,
    },
    { ip_allowlist: true },
  ),
  plan(
    'enterprise',
    SCOPES,
    HIGH,
    {
      price_micro_usd: usd(1_999),
      units: 5_000_000,
      requests_per_minute: 6_000,
      live_per_minute: 600,
      keys: 100,
      overage_micro_usd: 800,
    },
    { ip_allowlist: true, support: 'priority, with a response commitment' },
  ),
];

/** The values that set B states. It inherits everything else from set A. */
const SET_B: Readonly<Record<string, Partial<Plan>>> = {
  free: { units: 1_000, keys: 1 },
  starter: { units: 25_000, keys: 3, overage_micro_usd: 2_000 },
  growth: { units: 250_000, keys: 10, overage_micro_usd: 1_500 },
  scale: {
    units: 1_000_000,
    keys: 25,
    overage_micro_usd: 1_000,
    support: 'priority, with a response commitment',
  },
};

/** The values that a set states. Features are the same in both sets. */
const FIGURES = [
  'price_micro_usd',
  'units',
  'requests_per_minute',
  'live_per_minute',
  'keys',
  'overage_micro_usd',
] as const;

const setB = (): Plans => {
  const inherited = SET_A.flatMap(({ name }) =>
    FIGURES.filter((figure) => SET_B[name]?.[figure] === undefined).map((figure) => `${name}.${figure}`),
  );
  return plansOf(
    'B',
    SET_A.map((base) => ({ ...base, ...SET_B[base.name] })),
    new Set(inherited),
  );
};

/** The two published sets. */
export const publishedPlans = (name: 'A' | 'B'): Plans => (name === 'A' ? plansOf('A', SET_A) : setB());
