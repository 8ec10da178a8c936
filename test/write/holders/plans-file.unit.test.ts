import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../src/kernel/errors.ts';
import { loadPlans } from '../../../src/write/holders/load-plans.ts';
import { parsePlans } from '../../../src/write/holders/plans-file.ts';

const FILE = `# Our own plans
plans:
  - name: solo
    price_usd: "9.90"
    units: 500
    requests_per_minute: 30
    live_per_minute: 5
    keys: 1
    overage_usd: null
    weights: { catalog: 1, live: 10 }
    scopes: [accounts:read, directory:read]
  - name: team
    price_usd: "$49"
    units: 20000
    requests_per_minute: 120
    live_per_minute: 20
    keys: 5
    overage_usd: "0.0035"
    weights:
      catalog: 1
      live: 5
    scopes:
      - accounts:read
      - leads:read
    ip_allowlist: true
    support: by mail
`;

const refusal = (text: string): string => {
  try {
    parsePlans('plans.yaml', text);
  } catch (error) {
    expect(error).toBeInstanceOf(OperatorError);
    return (error as Error).message;
  }
  throw new Error('it was taken');
};

const solo = {
  name: 'solo',
  price_micro_usd: 9_900_000,
  units: 500,
  requests_per_minute: 30,
  live_per_minute: 5,
  keys: 1,
  overage_micro_usd: null,
  weights: { catalog: 1, live: 10 },
  scopes: ['accounts:read', 'directory:read'],
  ip_allowlist: false,
  support: null,
};

describe('a file of plans', () => {
  it('has plans from lowest to highest, with exact dollars', () => {
    const plans = parsePlans('plans.yaml', FILE);
    expect(plans.source).toBe('plans.yaml');
    expect(plans.inherited.size).toBe(0);
    expect(plans.default).toEqual(solo);
    expect(plans.find('team')).toMatchObject({
      price_micro_usd: 49_000_000,
      overage_micro_usd: 3_500,
      weights: { catalog: 1, live: 5 },
      scopes: ['accounts:read', 'leads:read'],
      ip_allowlist: true,
      support: 'by mail',
    });
  });

  it('may price the requests to platforms that a live call may send', () => {
    const priced = FILE.replace('live: 10', 'live: 10, upstream: 2');
    expect(parsePlans('plans.yaml', priced).default.weights).toEqual({ catalog: 1, live: 10, upstream: 2 });
  });

  it('may be JSON, with tabs, and repeat lists by alias', () => {
    const { price_micro_usd, overage_micro_usd, ...rest } = solo;
    const entry = { ...rest, price_usd: '9.90', overage_usd: null };
    expect(parsePlans('plans.json', JSON.stringify({ plans: [entry] }, null, '\t')).all).toEqual([solo]);
    const twice = FILE.replace('scopes: [', 'scopes: &low [').replace(
      /scopes:\n( {6}.*\n)+/,
      'scopes: *low\n',
    );
    expect(parsePlans('plans.yaml', twice).find('team')?.scopes).toEqual(solo.scopes);
  });

  it.for([
    [
      'a figure that is none',
      'units: 500',
      'units: many',
      5,
      'plans[0].units is "many"; allowed: a whole number from 0',
    ],
    ['a negative one', 'keys: 5', 'keys: -5', 17, 'plans[1].keys is -5; allowed: a whole number from 1'],
    [
      'dollars as a number',
      '"0.0035"',
      '0.0035',
      18,
      'plans[1].overage_usd is 0.0035; allowed: dollars a unit in quotes',
    ],
    [
      'dollars finer than can be kept',
      '"0.0035"',
      '"0.00000035"',
      18,
      'plans[1].overage_usd is "0.00000035"',
    ],
    ['overage for nothing', '"0.0035"', '"0"', 18, 'plans[1].overage_usd is "0"'],
    ['overage beyond what can be counted', '"0.0035"', '"1001"', 18, 'at most 1000'],
    ['a weight beyond that', 'live: 10', 'live: 1000001', 10, 'a whole number from 0 to 1000000'],
    [
      'a scope that is none',
      '- leads:read',
      '- leads:write',
      24,
      'plans[1].scopes[1] is "leads:write"; allowed: one of accounts:read',
    ],
    ['a scope twice', '- leads:read', '- accounts:read', 22, 'allowed: each scope once'],
    [
      'no scopes',
      '[accounts:read, directory:read]',
      '[]',
      11,
      'plans[0].scopes is []; allowed: a list with at least one',
    ],
    [
      'a name twice',
      'name: team',
      'name: solo',
      12,
      'plans[1].name is "solo"; allowed: a name that no other plan has',
    ],
    [
      'a name that is none',
      'name: team',
      'name: Team 1',
      12,
      'plans[1].name is "Team 1"; allowed: up to 40 lower-case',
    ],
    ['a key that is left out', '    keys: 5\n', '', 12, 'plans[1].keys is missing'],
    [
      'a key that is not known',
      'keys: 5',
      'keys: 5\n    seats: 2',
      18,
      'plans[1].seats is not known; allowed: name, price_usd',
    ],
    [
      'one within weights',
      'live: 5\n    scopes',
      'live: 5\n      tool: 9\n    scopes',
      22,
      'plans[1].weights.tool is not known; allowed: catalog, live',
    ],
    ['a key twice', 'keys: 5', 'keys: 5\n    units: 1', 18, 'plans[1].units is given again; allowed: once'],
    ['an alias of nothing', '[accounts:read, directory:read]', '*low', 11, '*low names nothing'],
    ['what is no YAML', 'units: 20000', 'units: [20000', 15, 'is neither JSON nor YAML here'],
    ['a tag', 'units: 20000', 'units: !money 20000', 14, 'is neither JSON nor YAML here'],
    [
      'a second document',
      '  - name: team',
      '---\n  - name: team',
      12,
      'a second document begins; allowed: one',
    ],
  ] as const)('with %s is refused, naming the line', ([, from, to, line, says]) => {
    const message = refusal(FILE.replace(from, to));
    expect(message).toContain(says);
    expect(message.split('\n').find((one) => one.includes(says))).toMatch(
      new RegExp(`^plans\\.yaml:${line}: `),
    );
  });

  it('is as the operators’ page shows it', async () => {
    const page = await readFile(new URL('../../../docs/plans-and-metering.md', import.meta.url), 'utf8');
    const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    expect(parsePlans('the example', example).all.map(({ name }) => name)).toEqual(['trial', 'team']);
  });

  it('that is empty or something else says what it must contain', () => {
    expect(refusal('')).toBe('plans.yaml:1: the file is null; allowed: plans: and a list of them below');
    expect(refusal('\n\nplans: []\n')).toBe(
      'plans.yaml:3: plans is []; allowed: a list of at least one plan',
    );
    expect(refusal('[1]')).toContain('the file is [1]');
    expect(refusal('plan: 1')).toContain('plans.yaml:1: plan is not known; allowed: plans');
  });

  it('has all its mistakes named at once', () => {
    const message = refusal(FILE.replace('units: 500', 'units: x').replace('keys: 5', 'keys: y'));
    expect(message.split('\n').map((line) => /^plans\.yaml:(\d+)/.exec(line)?.[1])).toEqual(['5', '17']);
  });
});

describe('the active plans', () => {
  it('are the set’s, or the file’s where one is named', async () => {
    expect((await loadPlans({ PLAN_SET: 'A', PLANS_FILE: undefined })).source).toBe('A');
    expect((await loadPlans({ PLAN_SET: 'B', PLANS_FILE: undefined })).source).toBe('B');
    const missing = loadPlans({ PLAN_SET: 'A', PLANS_FILE: '/nowhere/plans.yaml' });
    await expect(missing).rejects.toThrow(OperatorError);
    await expect(missing).rejects.toThrow(/PLANS_FILE is "\/nowhere\/plans\.yaml".*ENOENT/);
  });
});
