import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { overlapOf } from '../../src/analysis/overlap.ts';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import runAudienceOverlap from '../../src/api/endpoints/tools/runAudienceOverlap.ts';
import { compareLists, findList } from '../../src/read/follows.ts';
import { atHour, memberOf, sweep } from '../support/follows.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

let program: TestProgram;
let key: string;

// biome-ignore lint/suspicious/noExplicitAny: each test states what it expects
type Answer = { status: number; headers: any; data: any; meta: any; error: any };

const call = async (body: object): Promise<Answer> => {
  const { status, headers, body: answered } = await program.post('/v2/tools/audience-overlap', body, key);
  const { data } = runAudienceOverlap as Endpoint;
  if (status === 200) expect(z.parse(data, answered.data)).toEqual(answered.data);
  return { status, headers, ...answered };
};

const between = (handle: string, other: string, platform = 'x') =>
  call({ platform, handle, other: { platform, handle: other } });

const members = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => memberOf(from + n));

/** Pages of 100 members. */
const pagesOf = (from: number, to: number) =>
  Array.from({ length: Math.ceil((to - from) / 100) }, (_, n) =>
    members(from + n * 100, Math.min(to, from + (n + 1) * 100)),
  );

const exact = (value: number) => ({ value, low: value, high: value });

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey(['tools:run']);
  for (const [n, handle] of ['ann', 'ben', 'cat', 'dan', 'eve'].entries())
    await program.append(
      'x',
      handle,
      sighted(handle, atHour(1), { id: String(n + 1), followers: handle === 'cat' ? 120 : 300 }),
    );
  for (const [n, handle] of ['big', 'huge'].entries()) {
    const owner = String(n + 10);
    await program.append('x', handle, sighted(handle, atHour(1), { id: owner, followers: 4_650_000 }));
    await sweep(program.log, pagesOf(5_000 * (n + 1), 5_000 * (n + 1) + 500), {
      ...{ platform: 'x', hour: 2, end: 'capped' },
      handle,
      owner,
    } as const);
  }
  await program.append('bluesky', 'fay.test', sighted('fay.test', atHour(1), { id: 'did:plc:fay' }));
  await program.append('bluesky', 'gus.test', sighted('gus.test', atHour(1), { id: 'did:plc:gus' }));
  const list = { platform: 'x', hour: 2 } as const;
  await sweep(program.log, pagesOf(1_000, 1_300), { ...list, handle: 'ann', owner: '1' });
  await sweep(program.log, pagesOf(1_200, 1_400), { ...list, handle: 'ben', owner: '2' });
  await sweep(program.log, pagesOf(1_000, 1_100), { ...list, handle: 'cat', owner: '3', end: 'capped' });
  // A later whole reading lacks some that the first one had.
  await sweep(program.log, pagesOf(1_000, 1_300), { ...list, handle: 'dan', owner: '4' });
  await sweep(program.log, pagesOf(1_250, 1_300), { ...list, handle: 'dan', owner: '4', hour: 40 });
  const fans = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({
      id: `did:plc:m${from + n}`,
      handle: `m${from + n}.test`,
    }));
  await sweep(program.log, [fans(0, 60)], {
    platform: 'bluesky',
    hour: 3,
    handle: 'fay.test',
    owner: 'did:plc:fay',
  });
  await sweep(program.log, [fans(40, 80)], {
    platform: 'bluesky',
    hour: 4,
    handle: 'gus.test',
    owner: 'did:plc:gus',
  });
  await program.project();
});
afterAll(() => program.close());

describe('runAudienceOverlap', () => {
  it('is exact for lists that were read whole, with each share and the Jaccard index', async () => {
    const { status, data, meta } = await between('ann', 'ben');
    expect(status).toBe(200);
    expect(data).toMatchObject({
      a: { handle: 'ann', indexed: 300, followers: 300, status: 'whole' },
      b: { handle: 'ben', indexed: 200, status: 'whole' },
      shared: exact(100),
      share_of_b: exact(0.5),
      jaccard: exact(0.25),
      capped: false,
      level: 1,
      inputs: [{ input: 'followers', observed_at: atHour(2) }],
    });
    expect(meta).toMatchObject({ source: 'catalog', warnings: [], coverage: { sampled: 500, total: 500 } });
    expect((await between('ben', 'ann')).data.jaccard).toEqual(exact(0.25));
  });

  it('leaves out members that a later whole reading lacked', async () => {
    const { data } = await between('dan', 'ann');
    expect(data).toMatchObject({ a: { indexed: 50 }, shared: exact(50), share_of_a: exact(1) });
  });

  it('bounds the overlap by the unread rest of a list', async () => {
    const { data, meta } = await between('ann', 'cat');
    expect(data).toMatchObject({
      b: { indexed: 100, followers: 120, status: 'capped' },
      shared: { value: 100, low: 100, high: 120 },
      share_of_a: { value: expect.closeTo(1 / 3, 5), low: expect.closeTo(1 / 3, 5), high: 0.4 },
      share_of_b: { value: expect.closeTo(5 / 6, 5), low: expect.closeTo(5 / 6, 5), high: 1 },
      jaccard: { low: 100 / 320, high: 0.4 },
      capped: true,
    });
    expect(meta.warnings).toEqual(['list_not_whole']);
  });

  it('is refused where the bounds are wider than half of the smaller audience', async () => {
    for (const [handle, other] of [
      ['big', 'ann'],
      ['ann', 'big'],
      ['big', 'huge'],
    ] as const) {
      const { status, error, headers } = await between(handle, other);
      expect([status, error.code], `${handle} ${other}`).toEqual([422, 'insufficient_data']);
      expect(error.details.map(({ path }: { path: string }) => path)).toEqual(['a', 'b']);
      expect(JSON.stringify(error.details)).toContain('500 of 4650000 followers were read');
      expect(headers).toMatchObject({ 'x-request-cost': '0' });
    }
  });

  it('works alike for IDs that are not numbers', async () => {
    const { data } = await between('fay.test', 'gus.test', 'bluesky');
    expect(data).toMatchObject({ shared: exact(20), jaccard: exact(0.25) });
  });

  it('is refused for a list that was never read, an unknown account, or different platforms', async () => {
    const unread = await between('ann', 'eve');
    expect([unread.status, unread.error]).toMatchObject([
      422,
      { code: 'insufficient_data', details: [{ path: 'lists', message: 'has 1, needs 2' }] },
    ]);
    expect(unread.headers).toMatchObject({ 'x-request-cost': '0' });
    const unknown = await between('ann', 'zoe');
    expect([unknown.status, unknown.error]).toMatchObject([
      404,
      { details: [{ path: 'body.other.handle' }] },
    ]);
    const mixed = await call({
      platform: 'x',
      handle: 'ann',
      other: { platform: 'bluesky', handle: 'fay.test' },
    });
    expect([mixed.status, mixed.error.details]).toMatchObject([400, [{ path: 'body.other.platform' }]]);
  });
});

describe('a comparison of long lists', () => {
  it('compares members whose hash is in both samples, with exact list sizes', async () => {
    const schema = program.builds.schema('follows');
    const fill = (owner: number, from: number, to: number) =>
      program.database.db.query(
        `insert into ${schema}.x_followers (owner, member, first_seen_s, last_seen_s)
         select $1, 900000000 + n, 1, 300000000 from generate_series($2::int, $3::int) n`,
        [owner, from, to - 1],
      );
    await fill(1, 0, 20_000);
    await fill(2, 15_000, 23_000);
    const lists = program.services.queuedReads.of('tester', 1_000_000);
    const [a, b] = await Promise.all(
      ['1', '2'].map((owner) => findList(lists, program.builds, 'x', 'followers', { owner })),
    );
    if (a == null || b == null) throw new Error('both lists are there');
    const { counts, sample } = await compareLists(lists, program.builds, [a, b], 6_000);
    expect(counts).toMatchObject({ a: 20_300, b: 8_200 });
    // One in four: within five standard deviations.
    expect(Math.abs((sample?.a ?? 0) - 5_075)).toBeLessThan(310);
    const { low, high } = overlapOf(counts, sample).shared;
    expect([low <= 5_100, 5_100 <= high, high - low < 1_000]).toEqual([true, true, true]);
    const whole = await compareLists(lists, program.builds, [a, b]);
    expect(whole).toMatchObject({ counts: { a: 20_300, b: 8_200, shared: 5_100 }, sample: null });
  });
});
