import { describe, expect, it } from 'vitest';
import { type TrustFacts, trustOf } from '../../src/analysis/account-scores.ts';

const GOOD: TrustFacts = {
  isShown: true,
  suspicious: { low: 0.02, high: 0.12 },
  blocks: { bought: 0, undecided: 0 },
  age: { days: 900, isLeast: false },
  largerLookAlikes: 0,
  score: 70,
};
const NOTHING: TrustFacts = {
  isShown: false,
  suspicious: null,
  blocks: null,
  age: null,
  largerLookAlikes: null,
  score: null,
};

const concernOf = (rule: string, facts: Partial<TrustFacts>) =>
  trustOf({ ...GOOD, ...facts }).rules.find((one) => one.rule === rule)?.concern;

describe('the rules of trust', () => {
  it.each([
    ['audience', { suspicious: { low: 0.6, high: 0.8 } }, 'serious'],
    ['audience', { suspicious: { low: 0.3, high: 0.8 } }, 'some'],
    ['audience', { suspicious: { low: 0.1, high: 0.2 } }, 'none'],
    // The interval holds both sides of the threshold.
    ['audience', { suspicious: { low: 0.1, high: 0.4 } }, 'unknown'],
    ['bought_followers', { blocks: { bought: 1, undecided: 0 } }, 'some'],
    ['bought_followers', { blocks: { bought: 0, undecided: 1 } }, 'unknown'],
    ['bought_followers', { blocks: { bought: 0, undecided: 0 } }, 'none'],
    ['age', { age: { days: 29, isLeast: false } }, 'serious'],
    ['age', { age: { days: 30, isLeast: false } }, 'some'],
    ['age', { age: { days: 180, isLeast: false } }, 'none'],
    // First seen a while ago: it may be much older.
    ['age', { age: { days: 29, isLeast: true } }, 'unknown'],
    ['age', { age: { days: 180, isLeast: true } }, 'none'],
    ['look_alike', { largerLookAlikes: 1 }, 'some'],
    ['score', { score: 34 }, 'some'],
    ['score', { score: 35 }, 'none'],
  ] as const)('%s of %j is of concern: %s', (rule, facts, concern) => {
    expect(concernOf(rule, facts)).toBe(concern);
  });

  it('keep what is unknown unknown', () => {
    expect(new Set(trustOf(NOTHING).rules.map(({ concern }) => concern))).toEqual(new Set(['unknown']));
  });
});

describe('the verdict', () => {
  it('is the gravest concern of what nobody else can cause, or none if that is known', () => {
    expect(trustOf(GOOD).verdict).toBe('no_concerns');
    expect(trustOf({ ...GOOD, age: { days: 90, isLeast: false } }).verdict).toBe('some_concerns');
    expect(trustOf({ ...GOOD, age: { days: 3, isLeast: false } }).verdict).toBe('serious_concerns');
    expect(trustOf({ ...GOOD, age: null }).verdict).toBe('unknown');
    expect(trustOf({ ...NOTHING, isShown: true, age: GOOD.age }).verdict).toBe('no_concerns');
  });

  it('is unknown for an account that its platform does not show, unless there is a concern', () => {
    expect(trustOf({ ...GOOD, isShown: false }).verdict).toBe('unknown');
    expect(trustOf({ ...GOOD, isShown: false, age: { days: 90, isLeast: false } }).verdict).toBe(
      'some_concerns',
    );
  });
});
