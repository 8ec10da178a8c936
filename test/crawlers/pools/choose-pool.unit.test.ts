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
  it('is one whose rule matches how it was found, by name', () => {
    const pools = [seed, pool('b'), pool('a'), pool('links', { rule: 'link' })];
    expect(poolsFor(find(), pools)).toEqual(['a', 'b']);
    expect(poolsFor(find({ via: 'link' }), pools)).toEqual(['links']);
  });

  it('belongs to the platform of the found account', () => {
    expect(poolsFor(find({ platform: 'bluesky' }), [pool('a'), seed])).toEqual([]);
    expect(poolsFor(find({ platform: 'bluesky' }), [pool('a', { platform: 'bluesky' })])).toEqual(['a']);
  });

  it('takes only what accounts of its source pools name', () => {
    const pools = [pool('a', { sources: ['press', 'other'] }), pool('b', { sources: ['other'] })];
    expect(poolsFor(find(), pools)).toEqual(['a']);
    expect(poolsFor(find({ source: null }), pools)).toEqual([]);
  });

  it('takes only what is within its depth, never an unknown depth', () => {
    const pools = [pool('a', { depth: 2 })];
    expect(poolsFor(find({ depth: 2 }), pools)).toEqual(['a']);
    expect(poolsFor(find({ depth: 3 }), pools)).toEqual([]);
    expect(poolsFor(find({ depth: null }), pools)).toEqual([]);
  });

  it('is the seed pool for named accounts that no rule takes, as long as it recruits', () => {
    expect(poolsFor(find(), [seed, pool('links', { rule: 'link' })])).toEqual(['seed-x']);
    expect(poolsFor(find(), [pool('links', { rule: 'link' })])).toEqual([]);
    expect(poolsFor(find({ via: 'demand' }), [seed])).toEqual([]);
    expect(poolsFor(find({ via: 'follow' }), [seed])).toEqual([]);
  });

  it('is the one that has the account under another name', () => {
    expect(poolsFor(find({ isRenamed: true, source: 'night' }), [seed, pool('a')])).toEqual(['night']);
  });
});
