import { SCOPES, type Scope } from './plans.ts';
import { type Plan, type Plans, plansOf } from './plans.ts';

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

/** What set B states; it inherits everything else from set A. */
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

/** The values that a set has to state; features are the same in both. */
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
