import { describe, expect, it } from 'vitest';
import { allotted } from '../../../src/operations/pools/forecast.ts';

const claim = (pool: string, share: number, wanted: number) => ({ pool, share, wanted });

describe('requests of a platform', () => {
  it('go to pools by share, as far as each wants them', () => {
    expect(allotted([claim('a', 1, 500), claim('b', 3, 500)], 400)).toEqual(
      new Map([
        ['a', 100],
        ['b', 300],
      ]),
    );
  });

  it('go to the other pools by share where one does not want them', () => {
    const given = allotted([claim('a', 2, 50), claim('b', 1, 900), claim('c', 3, 900)], 450);
    expect(given).toEqual(
      new Map([
        ['a', 50],
        ['b', 100],
        ['c', 300],
      ]),
    );
  });

  it('are left over if all pools have what they want', () => {
    expect(allotted([claim('a', 1, 10), claim('b', 1, 20)], 400)).toEqual(
      new Map([
        ['a', 10],
        ['b', 20],
      ]),
    );
    expect(allotted([], 400)).toEqual(new Map());
  });

  it('go to a pool that wants all of them once the others have theirs', () => {
    const given = allotted([claim('a', 1, Number.POSITIVE_INFINITY), claim('b', 9, 30)], 400);
    expect(given.get('a')).toBe(370);
  });
});
