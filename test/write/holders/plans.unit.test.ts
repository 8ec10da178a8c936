import { describe, expect, it } from 'vitest';
import { parseUsd } from '../../../src/kernel/money.ts';
import {
  NAMED_ONLY,
  type Plan,
  planSchema,
  publishedPlans,
  SCOPES,
  type Scope,
} from '../../../src/write/holders/plans.ts';

/** The published tables, as they are printed: set B states only some columns, overage for 1,000 requests. */
const SET_A = `
  free       0     500     30   5   1   -
  starter    69    20000   120  20  3   0.0070
  growth     249   150000  600  60  10  0.0035
  scale      749   750000  600  60  25  0.0020
  enterprise 1999  5000000 6000 600 100 0.0008`;
const SET_B = `
  free    1000    1  -
  starter 25000   3  2.00
  growth  250000  10 1.50
  scale   1000000 25 1.00`;

const cells = (table: string) =>
  table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
const micro = (text: string | undefined) => Number(parseUsd(text ?? ''));

const figuresOf = ({
  price_micro_usd,
  units,
  requests_per_minute,
  live_per_minute,
  keys,
  overage_micro_usd,
}: Plan) => ({ price_micro_usd, units, requests_per_minute, live_per_minute, keys, overage_micro_usd });

const figuresA = new Map(
  cells(SET_A).map(([name, price, units, burst, live, keys, overage]) => [
    name as string,
    {
      price_micro_usd: micro(price),
      units: Number(units),
      requests_per_minute: Number(burst),
      live_per_minute: Number(live),
      keys: Number(keys),
      overage_micro_usd: overage === '-' ? null : micro(overage),
    },
  ]),
);

const LIVE: readonly Scope[] = ['accounts:live', 'scrape:live', 'verify:live', 'insights:read', 'tools:run'];
const ALL_PLANS: readonly Scope[] = [
  'accounts:read',
  'directory:read',
  'people:read',
  'engines:read',
  'marketplace:read',
];
const sorted = (scopes: Iterable<Scope>) => [...scopes].sort();

describe('plan set A', () => {
  const { all, inherited } = publishedPlans('A');

  it('has every published figure, from the lowest plan to the highest', () => {
    expect(all.map(({ name }) => name)).toEqual([...figuresA.keys()]);
    for (const plan of all) expect(figuresOf(plan), plan.name).toEqual(figuresA.get(plan.name));
    expect(inherited.size).toBe(0);
  });
});

describe('plan set B', () => {
  const { all, inherited } = publishedPlans('B');

  it('has its own figures, and set A’s for the rest', () => {
    expect(all.map(({ name }) => name)).toEqual([...figuresA.keys()]);
    const stated = new Map(cells(SET_B).map(([name, ...row]) => [name as string, row]));
    for (const plan of all) {
      const [units, keys, overage] = stated.get(plan.name) ?? [];
      expect(figuresOf(plan), plan.name).toEqual({
        ...figuresA.get(plan.name),
        ...(units === undefined ? {} : { units: Number(units), keys: Number(keys) }),
        ...(overage === undefined || overage === '-' ? {} : { overage_micro_usd: micro(overage) / 1_000 }),
      });
    }
  });

  it('says which figures are borrowed', () => {
    const always = ['price_micro_usd', 'requests_per_minute', 'live_per_minute'];
    const expected = [
      ...[...figuresA.keys()].flatMap((name) => always.map((figure) => `${name}.${figure}`)),
      'free.overage_micro_usd',
      'enterprise.units',
      'enterprise.keys',
      'enterprise.overage_micro_usd',
    ];
    expect([...inherited].sort()).toEqual(expected.sort());
  });
});

describe.for(['A', 'B'] as const)('the features of plan set %s', (set) => {
  const plans = publishedPlans(set);
  const plan = (name: string) => plans.find(name) as Plan;

  it('increase from plan to plan', () => {
    expect(sorted(plan('free').scopes)).toEqual(sorted(ALL_PLANS));
    expect(sorted(plan('starter').scopes)).toEqual(sorted([...ALL_PLANS, ...LIVE]));
    expect(sorted(plan('growth').scopes)).toEqual(sorted([...ALL_PLANS, ...LIVE, 'research:read']));
    for (const name of ['scale', 'enterprise'])
      expect(sorted(plan(name).scopes), name).toEqual(sorted(SCOPES));
  });

  it('have allowlists and cheaper live calls from growth on', () => {
    expect(plans.all.map(({ ip_allowlist }) => ip_allowlist)).toEqual([false, false, true, true, true]);
    expect(plans.all.map(({ weights }) => weights.live)).toEqual([10, 10, 5, 5, 5]);
    expect(plans.all.map(({ weights }) => weights.catalog)).toEqual([1, 1, 1, 1, 1]);
  });

  it('have priority support where the set says so', () => {
    const first = plans.all.find(({ support }) => support !== null)?.name;
    expect(first).toBe(set === 'A' ? 'enterprise' : 'scale');
  });

  it('name the lowest plan with a scope', () => {
    expect(plans.default.name).toBe('free');
    expect(plans.lowestWith('accounts:read')?.name).toBe('free');
    expect(plans.lowestWith('tools:run')?.name).toBe('starter');
    expect(plans.lowestWith('research:read')?.name).toBe('growth');
    expect(plans.lowestWith('leads:read')?.name).toBe('scale');
    expect([...NAMED_ONLY]).toEqual(['leads:read']);
    expect(plans.find('gold')).toBeNull();
  });

  it('are valid in a file of plans', () => {
    for (const one of plans.all) expect(planSchema.parse(one)).toEqual(one);
  });
});
