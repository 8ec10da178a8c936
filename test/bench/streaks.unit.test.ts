import { describe, expect, it } from 'vitest';
import { coverageOf, FAMILIES } from '../../bench/streaks/simulate.ts';

describe('intervals of medians where posts come in streaks', () => {
  it.each(FAMILIES.filter(({ isJudged }) => isJudged))('hold the median of accounts with $name', (family) => {
    const { accounts, held } = coverageOf(family, 120, 150, 1);
    expect(held / accounts).toBeGreaterThan(0.87);
  });

  it('are warned of where the posts are few', () => {
    const [family] = FAMILIES;
    if (family === undefined) throw new Error('no family');
    expect(coverageOf(family, 20, 20, 1)).toMatchObject({ warned: 20, wrong: 0 });
    expect(coverageOf(family, 120, 20, 1)).toMatchObject({ warned: 0 });
  });
});
