import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/kernel/random.ts';
import { memberOf, sweep } from '../support/follows.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

let program: TestProgram;
let key: string;

const random = seededRandom(8);
const drawn = (n: number) => [...new Set(Array.from({ length: n }, () => 1 + random.int(2_000)))];
/** Followers of each account, by its handle. */
const LISTS: Readonly<Record<string, readonly number[]>> = {
  first: drawn(900),
  second: drawn(400),
  apart: [9_001, 9_002],
  empty: [],
  hollow: [],
};

beforeAll(async () => {
  program = await createTestProgram();
  const at = '2026-10-02T00:00:00.000Z';
  for (const [n, [handle, members]] of Object.entries(LISTS).entries()) {
    const owner = String(90_000 + n);
    await program.append('x', handle, sighted(handle, at, { id: owner }));
    await sweep(program.log, [members.map(memberOf)], { owner, handle, hour: 1 });
  }
  await program.append('x', 'partly', sighted('partly', at, { id: '80000' }));
  await sweep(program.log, [[1, 2, 3].map(memberOf)], {
    owner: '80000',
    handle: 'partly',
    hour: 1,
    end: 'capped',
  });
  await program.append('x', 'unread', sighted('unread', at, { id: '80001' }));
  // The second sweep no longer has two members of the first.
  await program.append('x', 'left', sighted('left', at, { id: '80002' }));
  await sweep(program.log, [[1, 2, 3, 4].map(memberOf)], { owner: '80002', handle: 'left', hour: 1 });
  await sweep(program.log, [[1, 2].map(memberOf)], { owner: '80002', handle: 'left', hour: 5 });
  key = await program.issueKey(['tools:run']);
  await program.project();
});
afterAll(() => program.close());

const overlap = async (handle: string, other: string, platform = 'x') => {
  const body = { platform: 'x', handle, other: { platform, handle: other } };
  const { status, body: answered } = await program.post('/v2/tools/audience-overlap', body, key);
  return { status, ...answered };
};

describe('runAudienceOverlap: followers that two accounts share', () => {
  it('counts what both lists have, as a comparison of every member does', async () => {
    const names = Object.keys(LISTS);
    for (const a of names)
      for (const b of names) {
        const [own, other] = [new Set(LISTS[a]), new Set(LISTS[b])];
        const shared = [...own].filter((member) => other.has(member)).length;
        const union = new Set([...own, ...other]).size;
        const { status, data, meta } = await overlap(a, b);
        expect(status).toBe(200);
        expect(data, `${a} ${b}`).toMatchObject({
          shared_n: shared,
          indexed_a: own.size,
          indexed_b: other.size,
          capped: false,
          confidence: 1,
        });
        if (union === 0) expect(data.jaccard).toBeNull();
        else expect(data.jaccard).toBeCloseTo(shared / union, 5);
        expect(meta).toMatchObject({
          warnings: [],
          coverage: { sampled: union, total: union, capped: false },
        });
      }
  });

  it('says that more may be shared where a list was not read whole', async () => {
    const { data, meta } = await overlap('partly', 'left');
    expect(data).toMatchObject({ shared_n: 2, indexed_a: 3, indexed_b: 2, capped: true });
    expect(meta).toMatchObject({ warnings: ['list_not_whole'], coverage: { capped: true, total: null } });
  });

  it('is refused where a list was never read, for an unknown account, and across platforms', async () => {
    const unread = await overlap('first', 'unread');
    expect([unread.status, unread.error.code]).toEqual([422, 'insufficient_data']);
    expect(unread.error.details).toEqual([{ path: 'lists', message: 'has 1, needs 2' }]);
    expect((await overlap('unread', 'unread')).error.details[0].message).toBe('has 0, needs 2');
    expect((await overlap('first', 'nobody_there')).error).toMatchObject({
      code: 'not_found',
      details: [{ path: 'body.other.handle' }],
    });
    expect((await overlap('first', 'second', 'bluesky')).error).toMatchObject({
      code: 'invalid_request',
      details: [{ path: 'body.other.platform' }],
    });
  });
});
