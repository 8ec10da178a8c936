import { describe, expect, it } from 'vitest';
import { murmur2, partitionFor, TOPICS } from '../../../src/write/messaging/message.ts';

describe('a stream’s place', () => {
  // The vectors of Kafka's own test, UtilsTest.testMurmur2.
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('is hashed for %s as Kafka does', (text, hash) => {
    expect(murmur2(text)).toBe(hash);
  });

  it('is in a topic for every category except holders', () => {
    expect(partitionFor('account-x:nasa')).toMatchObject({ topic: { topic: 'sightline.accounts' } });
    expect(partitionFor('decisionmaker-jane')?.topic.name).toBe('leads');
    expect(partitionFor('holder-demo')).toBeNull();
    expect(partitionFor('projection-accounts')).toBeNull();
  });

  it('spreads over all partitions of its topic', () => {
    const [accounts] = TOPICS;
    const seen = new Set(Array.from({ length: 2_000 }, (_, i) => partitionFor(`account-x:n${i}`)?.partition));
    expect(seen.size).toBe(accounts?.partitions);
  });
});
