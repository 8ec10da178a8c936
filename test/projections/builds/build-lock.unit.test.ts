import { describe, expect, it } from 'vitest';
import { type Db, onConnection } from '../../../src/kernel/postgres/pool.ts';
import { withBuildLock } from '../../../src/projections/builds/builds.ts';

/** A pool of one connection, whose queries come to what is given. */
const poolOf = (query: () => Promise<unknown>) => {
  const released: (Error | undefined)[] = [];
  const client = { query, release: (error?: Error) => released.push(error) };
  return { db: { connect: async () => client, options: { max: 1 } } as unknown as Db, released };
};

const lost = new Error('the connection was lost');

it('build locks leave half of a pool’s connections to the work under them', async () => {
  let taken = 0;
  let most = 0;
  const connect = async () => {
    taken += 1;
    most = Math.max(most, taken);
    const release = () => {
      taken -= 1;
    };
    return { query: async () => ({ rows: [{ held: true }] }), release };
  };
  const db = { connect, options: { max: 5 } } as unknown as Db;
  const names = Array.from({ length: 12 }, (_, n) => `projection ${n}`);
  const done = await Promise.all(names.map((name) => withBuildLock(db, { name }, async () => name)));
  expect(done).toEqual(names);
  expect([most, taken]).toEqual([2, 0]);
});

describe('a connection that holds a build lock', () => {
  it('is closed if requesting the lock fails, since it may hold it', async () => {
    const { db, released } = poolOf(() => Promise.reject(lost));
    await expect(withBuildLock(db, { name: 'accounts' }, async () => 'done')).rejects.toBe(lost);
    expect(released).toEqual([lost]);
  });

  it('returns to the pool if another session holds the lock', async () => {
    const { db, released } = poolOf(async () => ({ rows: [{ held: false }] }));
    expect(
      await withBuildLock(
        db,
        { name: 'accounts' },
        async () => 'done',
        () => 'busy',
      ),
    ).toBe('busy');
    expect(released).toEqual([undefined]);
  });

  it('is closed if its work fails, and otherwise returned', async () => {
    const { db, released } = poolOf(async () => ({ rows: [] }));
    expect(await onConnection(db, async () => 'done')).toBe('done');
    await expect(onConnection(db, () => Promise.reject(lost))).rejects.toBe(lost);
    expect(released).toEqual([undefined, lost]);
  });
});
