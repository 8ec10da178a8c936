import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type FollowsData,
  type FollowsPart,
  MEMBERS_BOUNDS,
  recordFollows,
} from '../../../src/write/follows.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
});
afterAll(() => program.close());

const member = (n: number) => ({ id: `did:plc:${n}`, handle: `fan${n}.example` });
const part = (sweep: string, count: number, more: Partial<FollowsPart> = {}): FollowsPart => ({
  observed_at: '2026-11-22T08:00:00.000Z',
  source: 'crawler',
  surface: 'getFollowers',
  direction: 'followers',
  owner: 'did:plc:owner',
  sweep,
  members: Array.from({ length: count }, (_, n) => member(n)),
  order: 'newest_first',
  done: false,
  capped: false,
  ...more,
});
const recorded = async (handle: string): Promise<FollowsData[]> =>
  (await program.log.readStream(`follows-bluesky:${handle}`)).map(({ data }) => data as FollowsData);

it('the recorder of a list splits a page into events that fit, and ends the sweep with the last', async () => {
  const sweep = randomUUID();
  const next = await recordFollows(
    program.log,
    'bluesky',
    'big.example',
    part(sweep, 1_234, { done: true }),
    0,
    randomUUID,
  );
  const events = await recorded('big.example');
  expect(events.map(({ members }) => members.length)).toEqual([MEMBERS_BOUNDS.max, MEMBERS_BOUNDS.max, 234]);
  expect(events.map(({ page, done }) => [page, done])).toEqual([
    [0, false],
    [1, false],
    [2, true],
  ]);
  expect(next).toEqual({ sweep, first: 0, pages: 3 });
  expect(events.flatMap(({ members }) => members)).toEqual(part(sweep, 1_234).members);
});

it('the recorder of a list records the end of a list without members', async () => {
  await recordFollows(
    program.log,
    'bluesky',
    'nobody.example',
    part(randomUUID(), 0, { done: true }),
    0,
    randomUUID,
  );
  expect(await recorded('nobody.example')).toMatchObject([{ members: [], done: true }]);
});

it('the recorder of a list appends a page once, however often it is recorded', async () => {
  const page = part(randomUUID(), 3, { capped: true });
  for (let n = 0; n < 3; n++)
    await recordFollows(program.log, 'bluesky', 'again.example', page, 0, randomUUID);
  expect(await recorded('again.example')).toHaveLength(1);
});

it('the recorder of a list treats the same members at their position as a repetition', async () => {
  const record = (page: FollowsPart) =>
    recordFollows(program.log, 'bluesky', 'later.example', page, 0, randomUUID);
  const page = part(randomUUID(), 700);
  const first = await record(page);
  expect(await record({ ...page, observed_at: '2026-11-22T09:00:00.000Z', source: 'live' })).toEqual(first);
  expect(await recorded('later.example')).toHaveLength(2);
});

it('the recorder of a list breaks off a sweep with other members at the position, and loses neither', async () => {
  const sweep = randomUUID();
  const record = (page: FollowsPart, first: number) =>
    recordFollows(program.log, 'bluesky', 'torn.example', page, first, randomUUID);
  await record(part(sweep, 1), 0);
  const torn = await record(part(sweep, 40), 0);
  expect(torn).toMatchObject({ first: 1, pages: 2 });
  expect(torn.sweep).not.toBe(sweep);
  // What follows is part of a sweep without a beginning, whose end proves nothing.
  await record(part(torn.sweep, 2, { done: true }), torn.pages);
  const pages = (await recorded('torn.example')).map(({ sweep: id, page, members }) => [
    id,
    page,
    members.length,
  ]);
  expect(pages).toEqual([
    [sweep, 0, 1],
    [torn.sweep, 1, 40],
    [torn.sweep, 2, 2],
  ]);
});
