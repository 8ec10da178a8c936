import { describe, expect, it } from 'vitest';
import { type OpenSweep, withPart } from '../../../../src/projections/views/follows/projection.ts';

const part = (id: string, page: number, atS: number, more: { done?: boolean; capped?: boolean } = {}) => ({
  id,
  page,
  atS,
  done: false,
  capped: false,
  ...more,
});

describe('a sweep', () => {
  it('is whole from its start once its last part is known', () => {
    const first = withPart([], part('a', 0, 100));
    const second = withPart(first.open, part('a', 1, 200));
    expect(withPart(second.open, part('a', 2, 300, { done: true }))).toEqual({ open: [], doneSinceS: 100 });
  });

  it('of one part is whole from that part', () => {
    expect(withPart([], part('a', 0, 100, { done: true }))).toEqual({ open: [], doneSinceS: 100 });
  });

  it('that lacks a part, or its start, is inconclusive', () => {
    const first = withPart([], part('a', 0, 100));
    expect(withPart(first.open, part('a', 2, 300, { done: true })).doneSinceS).toBeNull();
    expect(withPart([], part('b', 1, 300, { done: true })).doneSinceS).toBeNull();
  });

  it('that is capped is inconclusive, and ends', () => {
    const first = withPart([], part('a', 0, 100));
    expect(withPart(first.open, part('a', 1, 200, { capped: true }))).toEqual({ open: [], doneSinceS: null });
  });

  it('continues after a repeated part', () => {
    const first = withPart([], part('a', 0, 100));
    const second = withPart(first.open, part('a', 1, 200));
    const again = withPart(second.open, part('a', 0, 100));
    expect(withPart(again.open, part('a', 2, 300, { done: true })).doneSinceS).toBe(100);
  });

  it('is remembered beside others, of which the oldest are forgotten', () => {
    let open: readonly OpenSweep[] = [];
    for (let n = 0; n < 20; n++) open = withPart(open, part(`s${n}`, 0, n)).open;
    expect(open.map(({ id }) => id)).toEqual(['s12', 's13', 's14', 's15', 's16', 's17', 's18', 's19']);
  });
});
