import { beforeAll, describe, expect, it } from 'vitest';
import { type AuditedPlatform, labelledSample } from '../../../infra/calibrate/audit/labels.ts';
import { measureAudits } from '../../../infra/calibrate/audit/measure.ts';
import { type AuditSummary, auditSummaryOf } from '../../../infra/calibrate/audit/summary.ts';
import { AT } from '../../../infra/calibrate/observed.ts';
import { drawParameters } from '../../../infra/simulator/world/draw.ts';
import { DEFAULT_PARAMETERS, type Parameters } from '../../../infra/simulator/world/parameters.ts';
import { createWorld } from '../../../infra/simulator/world/world.ts';

const worldOf = (parameters: Parameters) =>
  createWorld({ seed: 5_001, size: 400_000, parameters, clock: { now: () => AT } });

const summaryOf = (parameters: Parameters, platform: AuditedPlatform): AuditSummary =>
  auditSummaryOf(
    measureAudits(worldOf(parameters), { platform, accounts: 240, samples: 6, size: 400, surging: 40 }),
    parameters === DEFAULT_PARAMETERS,
  );

describe('audits of followers with known truth', { tags: 'long' }, () => {
  let summaries: readonly AuditSummary[];

  beforeAll(() => {
    summaries = [
      summaryOf(DEFAULT_PARAMETERS, 'x'),
      summaryOf(DEFAULT_PARAMETERS, 'bluesky'),
      summaryOf(drawParameters(109), 'x'),
    ];
  });

  it('meet their bars in the default world and in a drawn one', () => {
    for (const { missed, platform, accounts } of summaries) {
      expect(missed, platform).toEqual([]);
      expect(accounts).toBe(240);
    }
    expect(summaries[0]?.auc).toBeGreaterThan(0.9);
  });

  it('name most blocks of bought followers, and mistake no organic surge for one', () => {
    expect(summaries[0]?.named).toBeGreaterThan(0.8);
    for (const { surges, false_alarms } of summaries) {
      expect(surges).toBeGreaterThan(30);
      expect(false_alarms).toBeLessThanOrEqual(0.05);
    }
  });

  it('are fitted to labels of other accounts than those judged', () => {
    const world = worldOf(DEFAULT_PARAMETERS);
    const { labelled, next } = labelledSample(world, 'x', world.size / 2);
    expect(Math.min(...labelled.map(({ list }) => Number(list)))).toBeGreaterThanOrEqual(world.size / 2);
    expect(next).toBeLessThan(world.size);
    expect(new Set(labelled.map(({ list }) => list)).size).toBe(100);
  });
});
