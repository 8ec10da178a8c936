import { describe, expect, it } from 'vitest';
import { agedBody, agedData } from '../../../src/api/pipeline/aged.ts';

const AT = '2026-11-21T08:00:00.000Z';
const later = (ms: number) => Date.parse(AT) + ms;
const item = (stale_s: number | null) => ({ handle: 'ann', stale_s, followers: 60 });
const bodyOf = (cache_age_s: number | null, ...stale: (number | null)[]) =>
  JSON.stringify({ data: { items: stale.map(item) }, meta: { generated_at: AT, cache_age_s } });

describe('an answer that is sent again', () => {
  it('is as much older as the time that passed, wherever it has an age', () => {
    expect(agedBody(bodyOf(5, 5, 3, null), later(86_399_999))).toBe(bodyOf(86_404, 86_404, 86_402, null));
    expect(agedBody(bodyOf(null), later(5_000))).toBe(bodyOf(null));
  });

  it('is the same to the letter within the second, and on a clock that went back', () => {
    for (const ms of [0, 999, -5_000]) expect(agedBody(bodyOf(5, 5), later(ms))).toBe(bodyOf(5, 5));
  });
});

it('data that waited to be sent is never younger than it was read', () => {
  const data = JSON.stringify([item(0), item(7)]);
  expect(agedData(data, 999)).toBe(data);
  expect(agedData(data, 4_200)).toBe(JSON.stringify([item(5), item(12)]));
  expect(agedData('{"a":1}', 60_000)).toBe('{"a":1}');
});
