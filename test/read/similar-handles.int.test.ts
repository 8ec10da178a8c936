import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteHashes, editDistance, hashOf, skeletonOf } from '../../src/analysis/handles.ts';
import { seededRandom } from '../../src/kernel/random.ts';
import type { AppliedEvent } from '../../src/projections/projection.ts';
import { handles } from '../../src/projections/views/handles/projection.ts';
import { createSimilarHandleReads, type SimilarHandleReads } from '../../src/read/similar-handles.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

const LETTERS = 'abcdeilmnor01_';
const AT = '2026-10-01T00:00:00.000Z';

let program: TestProgram;
let reads: SimilarHandleReads;
/** Followers by handle: four of five have enough to be found by edits. */
const followersOf = new Map<string, number>();

/** Names that are near each other: a few roots, edited up to four times, and others. */
const generated = (): readonly string[] => {
  const random = seededRandom(11);
  const letter = () => LETTERS[random.int(LETTERS.length)] as string;
  const word = (length: number) => Array.from({ length }, letter).join('');
  const roots = Array.from({ length: 150 }, () => word(3 + random.int(13)));
  const edited = (name: string): string => {
    const at = random.int(name.length);
    const [before, after] = [name.slice(0, at), name.slice(at)];
    return (
      [
        before + after.slice(1),
        before + letter() + after,
        before + letter() + after.slice(1),
        before + (after[1] ?? '') + (after[0] ?? '') + after.slice(2),
        name.replace('m', 'rn'),
      ][random.int(5)] ?? name
    );
  };
  const found = new Set(roots);
  while (found.size < 4_000) {
    let name = roots[random.int(roots.length)] as string;
    for (let edits = random.int(5); edits > 0 && name.length > 1; edits--) name = edited(name);
    if (name.length > 0 && name.length < 20) found.add(name);
    found.add(word(4 + random.int(12)));
  }
  return [...found];
};

beforeAll(async () => {
  program = await createTestProgram({ known: [handles] });
  for (const [n, name] of generated().entries()) followersOf.set(name, n % 5 === 0 ? 100 : 1_000 + n);
  const schema = program.builds.schema('handles');
  const fold = handles.open(schema);
  const events = [...followersOf].map(
    ([handle, followers]) =>
      ({ ...sighted(handle, AT, { followers }), stream: `account-x:${handle}` }) as unknown as AppliedEvent,
  );
  await fold.load(program.database.db, events);
  for (const event of events) fold.apply(event);
  await fold.store(program.database.db);
  reads = createSimilarHandleReads(program.database.db, program.builds, { find: async () => null });
});
afterAll(() => program.close());

/** What there is to find, by comparing with every handle. */
const expected = (handle: string): readonly string[] =>
  [...followersOf].flatMap(([other, followers]) => {
    const isNear = followers >= 1_000 && other.length <= 15 && editDistance(handle, other) <= 2;
    return other !== handle && (isNear || skeletonOf(other) === skeletonOf(handle)) ? [other] : [];
  });

describe('similar handles', () => {
  it('are exactly those that a comparison with every handle finds', { tags: 'long' }, async () => {
    const random = seededRandom(5);
    const all = [...followersOf.keys()];
    const asked = [
      ...Array.from({ length: 150 }, () => all[random.int(all.length)] as string),
      ...['a', 'unheard_of', 'paypal', 'aaaaaaaaaaaaaaaaa', 'a_name_that_is_far_too_long'],
    ];
    let total = 0;
    for (const handle of asked) {
      const { matches, isCapped } = await reads.of('x', handle);
      expect(isCapped).toBe(false);
      expect(matches.map((match) => match.handle).toSorted(), handle).toEqual(expected(handle).toSorted());
      total += matches.length;
    }
    expect(total).toBeGreaterThan(500);
  });

  it('come by distance, then by followers, with what each is', async () => {
    const handle = [...followersOf.keys()].find((name) => expected(name).length > 5) as string;
    const { matches } = await reads.of('x', handle);
    const order = matches.map(({ distance, followers }) => distance * 1e9 - (followers ?? 0));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    for (const match of matches)
      expect(match).toEqual({
        handle: match.handle,
        distance: editDistance(handle, match.handle),
        isSkeletonEqual: skeletonOf(handle) === skeletonOf(match.handle),
        followers: followersOf.get(match.handle),
      });
  });

  it('leave out other platforms', async () => {
    expect(await reads.of('telegram', [...followersOf.keys()][0] as string)).toEqual({
      matches: [],
      compared: 0,
      isCapped: false,
    });
  });

  it('are capped where more handles share a skeleton than may be compared', async () => {
    const schema = program.builds.schema('handles');
    const { db } = program.database;
    await db.query(
      `insert into ${schema}.handles (platform, handle, followers, skeleton, has_deletes)
       select 'telegram', 'many' || n, n, 'rnanyllll', false from generate_series(1, 1500) n`,
    );
    const found = await reads.of('telegram', 'many1111');
    expect(found.isCapped).toBe(true);
    expect(found.matches.length).toBeGreaterThan(990);
    expect(found.matches.length).toBeLessThanOrEqual(1_000);
  });

  it('are capped where more handles share a deletion than may be compared', async () => {
    const schema = program.builds.schema('handles');
    const { db } = program.database;
    await db.query(
      `with named as (
         insert into ${schema}.handles (platform, handle, followers, skeleton, has_deletes)
         select 'tiktok', 'zz' || n, n, 'zz' || n, true from generate_series(1, 1500) n returning handle)
       insert into ${schema}.deletes (platform, hash, handle) select 'tiktok', $1, handle from named`,
      [hashOf('zz')],
    );
    const found = await reads.of('tiktok', 'zz');
    expect(found).toMatchObject({ isCapped: true, compared: 1_000 });
    expect(found.matches.every(({ distance }) => distance <= 2)).toBe(true);
  });

  it('are capped where all deletions together have more handles than may be compared', async () => {
    const schema = program.builds.schema('handles');
    await program.database.db.query(
      `insert into ${schema}.deletes (platform, hash, handle)
       select 'youtube', hash, hash || 'n' || n from unnest($1::bigint[]) hash, generate_series(1, 900) n`,
      [deleteHashes('abcdefgh')],
    );
    expect(await reads.of('youtube', 'abcdefgh')).toEqual({ matches: [], compared: 20_000, isCapped: true });
  });
});
