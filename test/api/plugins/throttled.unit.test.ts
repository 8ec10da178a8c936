import { beforeEach, describe, expect, it } from 'vitest';
import { throttled } from '../../../src/api/plugins/throttle.ts';

let now: number;
let made: number;

beforeEach(() => {
  now = 0;
  made = 0;
});

const counting = () =>
  throttled(
    async () => {
      made += 1;
      return made;
    },
    1,
    2,
    () => now,
  );

describe('a throttled result', () => {
  it('is computed again for infrequent requests', async () => {
    const ask = counting();
    for (let i = 1; i <= 5; i++) {
      now = i * 1_000;
      expect(await ask()).toBe(i);
    }
  });

  it('is the last one for frequent requests', async () => {
    const ask = counting();
    for (let i = 0; i < 1_000; i++) {
      now = i;
      await ask();
    }
    expect(made).toBe(2);
    now = 1_001;
    expect(await ask()).toBe(3);
  });

  it('is computed once for simultaneous requests', async () => {
    const ask = counting();
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  });

  it('never repeats an earlier failure', async () => {
    let fails = true;
    const ask = throttled(
      async () => {
        if (fails) throw new Error('away');
        return 'back';
      },
      1,
      1,
      () => now,
    );
    await expect(ask()).rejects.toThrow('away');
    fails = false;
    expect(await ask()).toBe('back');
  });
});
