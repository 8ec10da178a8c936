import { describe, expect, it } from 'vitest';
import {
  areaOf,
  fitDefaultOfX,
  heldOutOf,
  labelledOfX,
  measureRealAudits,
} from '../../../infra/calibrate/real/audit.ts';
import { measureNames } from '../../../infra/calibrate/real/names.ts';
import { DEFAULT_MODELS } from '../../../src/analysis/audit/default-models.ts';
import { type AuditModel, classOf, isFamiliar } from '../../../src/analysis/audit/model.ts';

/** Numbers of a value, by their path. */
const numbersIn = (value: unknown, path = ''): readonly [string, number][] =>
  typeof value === 'number'
    ? [[path, value]]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, one]) => numbersIn(one, `${path}/${name}`))
      : [];

describe('the default model of X', () => {
  const committed = DEFAULT_MODELS.get('x') as AuditModel;

  it('is the one that is fitted to the labelled accounts', () => {
    const [found, expected] = [numbersIn(committed), numbersIn(fitDefaultOfX())];
    expect(found.map(([path]) => path)).toEqual(expected.map(([path]) => path));
    for (const [n, [path, value]] of found.entries())
      expect(value, path).toBeCloseTo(expected[n]?.[1] as number, 4);
  });

  it('separates accounts that it was not fitted to, small ones as well', () => {
    const heldOut = heldOutOf(labelledOfX);
    expect(areaOf(committed, heldOut)).toBeGreaterThan(0.95);
    const small = heldOut.filter(({ followers }) => (followers ?? 0) < 5_000);
    expect(areaOf(committed, small)).toBeGreaterThan(0.93);
  });

  it('has intervals that hold the share in accounts of the other half, narrower than with 500 labels', {
    tags: ['long'],
  }, () => {
    for (const { share, coverage, width, widthOfLabels } of measureRealAudits(12, 7).shares) {
      expect(coverage, String(share)).toBeGreaterThan(0.93);
      expect(width, String(share)).toBeLessThan(widthOfLabels);
    }
  });

  it('knows the accounts that were labelled, and not those that are all young', () => {
    expect(isFamiliar(committed, labelledOfX)).toBe(true);
    expect(
      isFamiliar(
        committed,
        labelledOfX.map((one) => ({ ...one, ageDays: 30 })),
      ),
    ).toBe(false);
  });

  it('takes an account for one in the middle where it knows nothing', () => {
    const unknown = {
      ageDays: null,
      followers: null,
      following: null,
      posts: null,
      hasAvatar: null,
      hasBio: null,
    };
    expect(classOf(committed, unknown)).toBe(classOf(committed, unknown, false));
  });
});

describe('names and handles of real persons', () => {
  it('agree for most of one, and for hardly any two', { tags: ['long'] }, () => {
    const shares = new Map(measureNames().map(({ what, hits, n }) => [what, hits / n]));
    expect(shares.get('handles of one person')).toBeGreaterThan(0.78);
    expect(shares.get('handles of two persons')).toBeLessThan(0.002);
    expect(shares.get('names of one person')).toBeGreaterThan(0.9);
    expect(shares.get('names of two persons')).toBeLessThan(0.005);
  });
});
