import type { Parameters } from '../../infra/simulator/world/parameters.ts';
import { type Finding, findingsOf } from '../../src/write/research/findings.ts';
import type { FindingKind } from '../../src/write/research/research.ts';
import { drawScenario, FINDING_KINDS, type Scenario } from './scenarios.ts';

const DAY = 24;
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

/** Whether what a finding says of a pool's yield is true of the rates that its counts were drawn from. */
const isTrueOfYield = ({ kind, subject }: Finding, { counts, truths }: Scenario): boolean => {
  const expectedOf = (pool: string): readonly number[] => truths.get(pool)?.expected ?? [];
  const own = expectedOf(subject);
  const recent = sum(own.slice(-DAY));
  if (kind === 'pool_exhausted') {
    const days = Array.from({ length: own.length / DAY }, (_, day) =>
      sum(own.slice(day * DAY, (day + 1) * DAY)),
    );
    return sum(own.slice(-2 * DAY)) / 2 < 0.1 * Math.max(...days);
  }
  const { platform } = counts.pools.find(({ pool }) => pool === subject) ?? {};
  const peers = counts.pools.filter((each) => each.platform === platform && each.pool !== subject);
  return recent > 2 * (sum(peers.map(({ pool }) => sum(expectedOf(pool).slice(-DAY)))) / peers.length);
};

/** Findings that are not so: of what nothing was set off, and of yields that are others. */
const falseOf = (scenario: Scenario, found: readonly Finding[]): readonly Finding[] =>
  found.filter((finding) => {
    const { caused } = scenario;
    if (finding.kind === caused?.kind && finding.subject === caused.subject) return false;
    const isOfYield = finding.kind === 'pool_yield' || finding.kind === 'pool_exhausted';
    return !isOfYield || !isTrueOfYield(finding, scenario);
  });

export interface Recall {
  readonly kind: FindingKind;
  readonly scenarios: number;
  readonly found: number;
}

/** Of how many scenarios of each kind the rules find what was set off, by default as strong as the kind's scenarios are. */
export const recallOf = (
  parameters: Parameters,
  seeds: readonly number[],
  kinds: readonly FindingKind[] = FINDING_KINDS,
  strength?: number,
): readonly Recall[] =>
  kinds.map((kind) => {
    const found = seeds.filter((seed) => {
      const options = strength === undefined ? {} : { strength };
      const { counts, caused } = drawScenario(parameters, seed, kind, options);
      return findingsOf(counts).some((each) => each.kind === kind && each.subject === caused?.subject);
    });
    return { kind, scenarios: seeds.length, found: found.length };
  });

/** False findings of quiet runs, a list a run. */
export const falseAlarms = (
  parameters: Parameters,
  seeds: readonly number[],
  isClustered = false,
): readonly (readonly Finding[])[] =>
  seeds.map((seed) => {
    const scenario = drawScenario(parameters, seed, null, { isClustered });
    return falseOf(scenario, findingsOf(scenario.counts));
  });
