import { describe, expect, it } from 'vitest';
import { coverageOf, FAMILIES } from '../../bench/streaks/simulate.ts';

describe('intervals of medians where posts come in streaks', () => {
  const judged = FAMILIES.filter(({ isJudged }) => isJudged);

  it.each(judged.filter(({ kinds }) => kinds === 1))('hold the median of accounts with $name', (family) => {
    const { accounts, held } = coverageOf(family, 120, 150, 1);
    expect(held / accounts).toBeGreaterThan(0.87);
  });

  // So many posts seldom show both kinds in their shares: the page of insights states how often these are missed.
  it.each(judged.filter(({ kinds }) => kinds === 2))(
    'hold that of posts of two kinds less often: $name',
    (family) => {
      const { accounts, held } = coverageOf(family, 120, 150, 1);
      expect(held / accounts).toBeGreaterThan(0.75);
    },
  );

  it('are warned of where the posts are few', () => {
    const [family] = FAMILIES;
    if (family === undefined) throw new Error('no family');
    expect(coverageOf(family, 20, 20, 1)).toMatchObject({ warned: 20, wrong: 0 });
    expect(coverageOf(family, 120, 20, 1)).toMatchObject({ warned: 0 });
  });
});
