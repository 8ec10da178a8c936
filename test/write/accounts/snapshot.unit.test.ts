import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AccountSnapshot,
  type AccountState,
  noAccount,
  packAccount,
  unpackAccount,
  withSnapshotCache,
} from '../../../src/write/accounts/account.ts';
import { FIELD_NAMES, type Kept, type Profile, perField } from '../../../src/write/accounts/profile.ts';

const text = fc.option(fc.constantFrom('a', 'b', ''));
const instant = fc.constantFrom('2026-11-21T08:00:00.000Z', '2026-11-21T08:00:00.001Z');
const status = fc.constantFrom('active', 'private') as fc.Arbitrary<'active' | 'private'>;

const profile = fc.record({
  id: text,
  handle: fc.constantFrom('ann', 'bob'),
  ...perField(FIELD_NAMES, ({ empty, samples }) => fc.constantFrom(empty, ...samples)),
}) as fc.Arbitrary<Profile>;

const state: fc.Arbitrary<AccountState> = fc.record({
  observedAt: fc.option(instant),
  seen: fc.option(fc.record({ status, profile })),
  seenAt: fc.option(instant),
  kept: fc.constantFrom<Kept>({}, { bio: '2026-11-21T08:00:00.000Z' }, { bio: null, followers: null }),
  gone: fc.option(fc.constantFrom('absent', 'suspended', 'deactivated')) as fc.Arbitrary<
    AccountState['gone']
  >,
  owner: fc.record({ id: text, isSeen: fc.boolean(), isAbsent: fc.boolean() }),
  posts: fc.constant(noAccount.posts),
});

describe('a packed state', () => {
  it('unpacks to the same state, whatever the fields of the profile hold', () => {
    fc.assert(
      fc.property(state, (original) => {
        expect(unpackAccount(packAccount(original))).toEqual(original);
      }),
    );
  });
});

describe('the cache of snapshots', () => {
  const snapshot = (revision: bigint): AccountSnapshot => ({ state: noAccount, revision });

  it('asks its source once, and keeps what was used last within its size', async () => {
    const asked: string[] = [];
    const cache = withSnapshotCache(
      {
        find: async (_platform, handle) => {
          asked.push(handle);
          return handle === 'unknown' ? null : snapshot(1n);
        },
      },
      2,
    );
    for (const handle of ['a', 'b', 'a', 'c', 'a', 'b']) await cache.find('x', handle);
    expect(asked).toEqual(['a', 'b', 'c', 'b']);
    for (let n = 0; n < 2; n++) expect(await cache.find('x', 'unknown')).toBeNull();
    expect(asked.slice(4)).toEqual(['unknown', 'unknown']);
  });

  it('has the state after a decision', async () => {
    const cache = withSnapshotCache({ find: async () => snapshot(1n) });
    await cache.find('x', 'ann');
    cache.remember('x', 'ann', snapshot(5n));
    expect((await cache.find('x', 'ann'))?.revision).toBe(5n);
  });
});
