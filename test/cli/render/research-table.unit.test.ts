import { describe, expect, it } from 'vitest';
import { explanationText } from '../../../src/cli/render/research-table.ts';
import type { Explanation } from '../../../src/operations/research/findings.ts';
import { DEFAULT_LIMITS } from '../../../src/write/research/policy.ts';

const AT = '2026-11-22T06:39:30.000Z';

const explained = (finding: Partial<NonNullable<Explanation['finding']>>): Explanation => {
  const found = {
    ...{ at: AT, finding: 'f-1', kind: 'pool_yield' as const, subject: 'press' },
    ...{ summary: 'press discovers much', metrics: { count: 40, platform_mean: null } },
    ...{ confidence: 0.99, decision: null, evidence: ['e-1', 'e-2'] },
    ...finding,
  };
  const started = {
    ...{
      at: AT,
      run: 'r-1',
      trigger: 'schedule' as const,
      seed: 7,
      policy: 'policy-1',
      as_of: null,
      builds: {},
    },
    ...{ limits: { ...DEFAULT_LIMITS }, pools: ['press', 'fans'], observe_only: true, limits_set: null },
  };
  const state = {
    started,
    pools: [],
    found: [found],
    decided: [],
    ended: 'completed' as const,
    reviews: new Map(),
  };
  return { run: 'r-1', state, finding: found };
};

const linesOf = (explanation: Explanation) =>
  explanationText(explanation)
    .split('\n')
    .map((line) => line.trim().replaceAll(/\s{2,}/g, '  '));

describe('the explanation of a finding', () => {
  it('has its summary, figures, events and the limits of its run', () => {
    const lines = linesOf(explained({}));
    expect(lines).toEqual(
      expect.arrayContaining([
        'pool_yield: press',
        'summary  press discovers much',
        'confidence  0.99',
        'count  40',
        'platform_mean  unknown',
        'decision  none',
        'evidence  e-1 e-2',
        'run r-1',
        'pools it may change  press, fans',
        'carries out  nothing: it observes only',
      ]),
    );
  });

  it('names the decision that follows from it, and says so if it rests on no event', () => {
    const lines = linesOf(explained({ decision: 'd-1', evidence: [] }));
    expect(lines).toContain('decision  d-1');
    expect(lines).toContain('evidence  none');
  });
});
