import { describe, expect, it } from 'vitest';
import { drawYields } from '../../../src/write/research/policy.ts';
import { gamma, philox, uniformsOf } from '../../../src/write/research/random-draws.ts';

describe('the counter-based generator', () => {
  // Known answers of the authors' library, Random123: kat_vectors, philox2x32 with 10 rounds.
  it.each([
    { key: 0x00000000, counter: [0x00000000, 0x00000000], gives: [0xff1dae59, 0x6cd10df2] },
    { key: 0xffffffff, counter: [0xffffffff, 0xffffffff], gives: [0x2c3f628b, 0xab4fd7ad] },
    { key: 0x13198a2e, counter: [0x243f6a88, 0x85a308d3], gives: [0xdd7ce038, 0xf62a4c12] },
  ] as const)('gives its authors’ numbers under the key $key', ({ key, counter, gives }) => {
    expect(philox(key, counter)).toEqual(gives);
  });

  it('gives each name its own numbers under a seed, reproducibly', () => {
    const some = (seed: number, name: string) => {
      const uniform = uniformsOf(seed, name);
      return Array.from({ length: 5 }, uniform);
    };
    expect(some(7, 'press')).toEqual(some(7, 'press'));
    expect(some(7, 'press')).not.toEqual(some(7, 'seed-x'));
    expect(some(7, 'press')).not.toEqual(some(8, 'press'));
  });
});

describe('numbers of the Gamma distribution', () => {
  it.each([{ shape: 1 }, { shape: 3.5 }, { shape: 400 }])(
    'have the mean and variance of the shape $shape',
    ({ shape }) => {
      const uniform = uniformsOf(3, `shape ${shape}`);
      const n = 20_000;
      const drawn = Array.from({ length: n }, () => gamma(shape, uniform));
      const mean = drawn.reduce((a, b) => a + b, 0) / n;
      const variance = drawn.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (n - 1);
      // Four standard errors; that of the variance from the fourth moment of the distribution.
      expect(Math.abs(mean - shape)).toBeLessThan(4 * Math.sqrt(shape / n));
      expect(Math.abs(variance - shape)).toBeLessThan(4 * Math.sqrt((2 * shape ** 2 + 6 * shape) / n));
    },
  );
});

describe('drawn yields of a pool', () => {
  it('scatter around its yield, the closer the more requests there were', () => {
    const spread = (requests: number) => {
      const drawn = drawYields(
        5,
        'press',
        { requests, discovered: requests / 10, namers: requests / 10 },
        40,
        500,
      );
      const sorted = drawn.toSorted((a, b) => a - b);
      return { median: sorted[250] as number, width: (sorted[475] as number) - (sorted[25] as number) };
    };
    const [few, many] = [spread(200), spread(20_000)];
    expect(Math.abs(many.median - 100)).toBeLessThan(3);
    expect(many.width).toBeLessThan(few.width / 5);
  });

  it('rest on as many observations as accounts named what was found', () => {
    const spread = (namers: number) => {
      const drawn = drawYields(5, 'press', { requests: 1_000, discovered: 400, namers }, 40, 500);
      const sorted = drawn.toSorted((a, b) => a - b);
      return { least: sorted[0] as number, width: (sorted[475] as number) - (sorted[25] as number) };
    };
    const [one, many] = [spread(1), spread(400)];
    expect(many.least).toBeGreaterThan(300);
    expect(one.least).toBeLessThan(40);
    expect(one.width).toBeGreaterThan(2 * many.width);
  });

  it('are frozen: a recorded run gives them again under the same policy', () => {
    expect(
      drawYields(1_979_339_339, 'seed-x', { requests: 118, discovered: 14, namers: 14 }, 40, 4),
    ).toMatchInlineSnapshot(`
      [
        76.3997,
        123.49,
        89.3815,
        90.4978,
      ]
    `);
  });
});
