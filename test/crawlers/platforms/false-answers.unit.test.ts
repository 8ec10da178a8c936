import { describe, expect, it } from 'vitest';
import { FalseAnswers } from '../../../src/crawlers/platforms/shared/false-answers.ts';
import { seededRandom } from '../../../src/kernel/random.ts';

/** Answers about accounts that exist, a share of them false, until one is true. */
const answered = (share: number, readings = 500): FalseAnswers => {
  const random = seededRandom(5);
  const answers = new FalseAnswers();
  for (let n = 0; n < readings; n++) {
    let untrue = 0;
    while (random.next() < share) untrue += 1;
    if (untrue === 0) answers.addTrue();
    else answers.addFalse(untrue, 'page');
  }
  return answers;
};

describe('the answers that a verdict needs', () => {
  it('are more before any account was read, and fewer with each that was shown', () => {
    const answers = new FalseAnswers();
    expect(answers.needed('page')).toBe(9);
    for (let n = 0; n < 20; n++) answers.addTrue();
    expect(answers.needed('page')).toBeLessThanOrEqual(5);
  });

  it.for([0.05, 0.2, 0.35, 0.6])(
    'are so many that one verdict in a million is false, if a share of %d is',
    (share) => {
      const needed = answered(share).needed('page');
      expect(share ** needed).toBeLessThan(1e-5);
      expect(share ** (needed * 0.6)).toBeGreaterThan(1e-6);
    },
  );

  it('are more for a surface whose verdicts were overturned, although other surfaces show most accounts', () => {
    const answers = new FalseAnswers();
    for (let n = 0; n < 20; n++) {
      for (let m = 0; m < 20; m++) answers.addTrue();
      answers.addFalse(2, 'call');
    }
    expect(answers.needed('page')).toBeLessThan(10);
    expect(answers.needed('call')).toBeGreaterThan(15);
  });

  it('are fewer again once the platform has long been in order', () => {
    const answers = answered(0.35);
    const before = answers.needed('other');
    for (let n = 0; n < 2_000; n++) answers.addTrue();
    expect(answers.needed('other')).toBeLessThan(before / 2);
  });
});
