import { expect, it } from 'vitest';
import { numberArray, textArray } from '../../../src/kernel/postgres/values.ts';

it('arrays of numbers and texts are written as Postgres reads them', () => {
  expect([numberArray([]), numberArray([1, -2, 30])]).toEqual(['{}', '{1,-2,30}']);
  expect([textArray([]), textArray(['']), textArray(['a', 'null', 'b c,d}'])]).toEqual([
    '{}',
    '{""}',
    '{"a","null","b c,d}"}',
  ]);
});

it('quotes and backslashes of a text are escaped', () => {
  expect(textArray(['a"b', 'c\\d', '\\"'])).toBe(String.raw`{"a\"b","c\\d","\\\""}`);
});
