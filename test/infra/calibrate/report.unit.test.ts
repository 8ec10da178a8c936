import { beforeAll, describe, expect, it } from 'vitest';
import { calibrate } from '../../../infra/calibrate/calibrate.ts';
import type { CalibrationReport } from '../../../infra/calibrate/messages.ts';
import { calibrationText } from '../../../src/cli/render/calibration.ts';

const OPTIONS = {
  platform: 'x' as const,
  world: null,
  draw: null,
  draws: 1,
  seeds: 1,
  firstSeed: 4_001,
  accounts: 120,
  engaged: 10,
  windowDays: 30,
  tools: false,
  impersonation: false,
  audits: 0,
  auditLabels: null,
  svg: null,
};

describe('a calibration', { tags: 'long' }, () => {
  let report: CalibrationReport;
  const progress: number[] = [];

  beforeAll(async () => {
    report = await calibrate(OPTIONS, (done, total) => progress.push(done / total));
  });

  it('names method, seeds and documents, and marks those that no method was tuned on', () => {
    expect(report).toMatchObject({ method_version: '2', seeds: [4_001] });
    expect(report.worlds.map(({ held_back, options }) => [held_back, options])).toEqual([
      [false, ''],
      [true, '--draw 101'],
    ]);
    expect(report.worlds[0]?.hash).toMatch(/^[0-9a-f]{16}$/);
  });

  it('reports progress that ends at the whole', () => {
    expect(progress.at(-1)).toBe(1);
    expect(progress.every((share) => share >= 0 && share <= 1)).toBe(true);
  });

  it('gives the same figures for the same seeds', async () => {
    const [again] = (await calibrate({ ...OPTIONS, draws: 0 }, () => undefined)).worlds;
    expect(again).toEqual(report.worlds[0]);
  });

  it('prints how to repeat each world, and what was missed', () => {
    const text = calibrationText(report);
    expect(text).toContain('sightline calibrate --draw 101 --seeds 1 --first-seed 4001');
    expect(text).toContain('engagement_rate_followers');
    const [first] = report.worlds;
    if (first === undefined) throw new Error('no world');
    const missed = { ...report, worlds: [{ ...first, missed: ['likes: coverage below 93 %'] }] };
    expect(calibrationText(missed)).toContain(`Missed in world ${first.hash}: likes: coverage below 93 %`);
  });
});
