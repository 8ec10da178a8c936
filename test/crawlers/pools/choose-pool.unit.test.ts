import { describe, expect, it } from 'vitest';
import { type Find, poolsFor } from '../../../src/crawlers/pools/choose-pool.ts';

type Pool = Parameters<typeof poolsFor>[1][number];

const pool = (name: string, more: Partial<Pool> = {}): Pool => ({
  pool: name,
  platform: 'x',
  rule: 'mention',
  sources: [],
  depth: null,
  min_holders: 2,
  ...more,
});
const find = (more: Partial<Find> = {}): Find => ({
  platform: 'x',
  handle: 'nasa',
  via: 'mention',
  from: 'account-x:esa',
  source: 'press',
  depth: 1,
  ...more,
});
const seed = pool('seed-x', { rule: 'seed' });

describe('the pool for a find', () => {
  it('is one whose rule names how it was found, by name', () => {
    const pools = [seed, pool('b'), pool('a'), pool('links', { rule: 'link' })];
    expect(poolsFor(find(), pools)).toEqual(['a', 'b']);
    expect(poolsFor(find({ via: 'link' }), pools)).toEqual(['links']);
  });

  it('is of the platform of the account that was found', () => {
    expect(poolsFor(find({ platform: 'bluesky' }), [pool('a'), seed])).toEqual([]);
    expect(poolsFor(find({ platform: 'bluesky' }), [pool('a', { platform: 'bluesky' })])).toEqual(['a']);
  });

  it('takes what accounts of its source pools name, and nothing of others', () => {
    const pools = [pool('a', { sources: ['press', 'other'] }), pool('b', { sources: ['other'] })];
    expect(poolsFor(find(), pools)).toEqual(['a']);
    expect(poolsFor(find({ source: null }), pools)).toEqual([]);
  });

  it('takes what is within its depth, and nothing whose depth is unknown', () => {
    const pools = [pool('a', { depth: 2 })];
    expect(poolsFor(find({ depth: 2 }), pools)).toEqual(['a']);
    expect(poolsFor(find({ depth: 3 }), pools)).toEqual([]);
    expect(poolsFor(find({ depth: null }), pools)).toEqual([]);
  });

  it('is the seed pool for what readings name if no rule takes it, as long as that recruits', () => {
    expect(poolsFor(find(), [seed, pool('links', { rule: 'link' })])).toEqual(['seed-x']);
    expect(poolsFor(find(), [pool('links', { rule: 'link' })])).toEqual([]);
    expect(poolsFor(find({ via: 'demand' }), [seed])).toEqual([]);
    expect(poolsFor(find({ via: 'follow' }), [seed])).toEqual([]);
  });

  it('is the one that has the account under another name', () => {
    expect(poolsFor(find({ isRenamed: true, source: 'night' }), [seed, pool('a')])).toEqual(['night']);
  });
});
