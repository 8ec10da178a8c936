import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../../src/kernel/postgres/pool.ts';
import { seededRandom } from '../../../../src/kernel/random.ts';
import type { AppliedEvent } from '../../../../src/projections/projection.ts';
import { directory } from '../../../../src/projections/views/directory/projection.ts';
import { LAST_TENURE } from '../../../../src/projections/views/people/tables.ts';
import { differences, sizes } from '../../../support/compare.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';
import {
  applyPeople,
  batchesOf,
  buildPeople,
  createPeople,
  pageRead,
  personsIn,
  sightedAt,
} from '../../../support/people-fold.ts';
import { historiesOf, interleaved } from '../../../support/people-histories.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Folds events into a schema of its own, in batches of random sizes. */
const fold = async (schema: string, events: readonly AppliedEvent[], batch: () => number): Promise<void> => {
  await createPeople(database.db, schema);
  await applyPeople(database.db, schema, batchesOf(events, batch));
};

/** Who has each handle, and under which handle each native ID is, in a view that has rows of both. */
const ownersIn = async (rows: string): Promise<readonly string[]> => {
  const { rows: found } = await database.db.query<{ owner: string }>(rows);
  return found.map(({ owner }) => owner);
};

describe('the view of people', () => {
  it('has the directory’s owners of handles, through renames, takeovers and late IDs', {
    tags: 'long',
  }, async () => {
    const histories = historiesOf(12, 40, 3);
    const events = interleaved(
      new Map([...histories].filter(([stream]) => /^account-(?!linkedin)/.test(stream))),
      1,
    ).toSorted((a, b) =>
      (a.data as { observed_at: string }).observed_at < (b.data as { observed_at: string }).observed_at
        ? -1
        : 1,
    );
    await fold('owned', events, () => 50);
    const { db } = database;
    await db.query(`create schema listed; ${directory.tables('listed')}`);
    const writer = directory.open('listed');
    await inTransaction(db, async (client) => {
      const placed = events.map((event, n) => ({ ...event, position: BigInt(n + 1) }));
      await writer.load(client, placed);
      for (const event of placed) writer.apply(event);
      await writer.store(client);
    });
    const listed = await ownersIn(
      `select platform || ' ' || handle || ' ' || coalesce(native_id, '') as owner from listed.entries
       where handle is not null and native_id is not null order by 1`,
    );
    expect(listed.length).toBeGreaterThan(150);
    // Of an account that has left a handle that no other has taken, the row of that handle is a former one.
    const own = await ownersIn(
      `select distinct on (a.account) a.platform || ' ' || a.name || ' ' || a.native_id as owner from owned.accounts a
       where a.native_id <> '' order by a.account, ${LAST_TENURE}`,
    );
    const known = new Set(own);
    expect(listed.filter((owner) => !known.has(owner))).toEqual([]);
  });

  it('merges no clique of strangers that link each other, and keeps the person that they link to', async () => {
    const name = { display_name: 'Nora Quill Hess' };
    const clique = Array.from({ length: 120 }, (_, n) => {
      const others = Array.from({ length: 12 }, (_, k) => `https://t.me/clique${(n + k + 1) % 120}`);
      const back = Array.from({ length: 6 }, (_, k) => `https://t.me/clique${(n + 119 - k) % 120}`);
      const platform = n % 2 === 0 ? 'telegram' : 'tiktok';
      const links = [...others, ...back].map((url, k) =>
        k % 2 === n % 2 ? url : url.replace('https://t.me/', 'https://www.tiktok.com/@'),
      );
      return sightedAt(platform, `clique${n}`, { ...name, links: ['https://x.com/noraquill77', ...links] });
    });
    const own = [
      sightedAt('x', 'noraquill77', { ...name, links: ['https://www.instagram.com/noraquill77/'] }),
      sightedAt('instagram', 'noraquill77', { ...name, links: ['https://x.com/noraquill77'] }),
    ];
    await fold('hostile', [...own, ...clique], () => 30);
    expect(await personsIn(database.db, 'hostile')).toEqual([['instagram:noraquill77', 'x:noraquill77']]);
    await fold('hostile_at_once', [...clique, ...own], () => 1_000);
    expect(await differences(database.db, 'hostile', 'hostile_at_once')).toEqual([]);
  });

  const sameRows = async (seeds: readonly number[]) => {
    const histories = historiesOf(11, 40, 3);
    const all = interleaved(histories, 0);
    const whole = `whole_${seeds.length}`;
    await fold(whole, all, () => all.length);
    const { accounts = 0, pages = 0, people: persons = 0 } = await sizes(database.db, whole);
    expect(accounts).toBeGreaterThan(300);
    expect(pages).toBeGreaterThan(20);
    expect(persons).toBeLessThan(accounts - 80);
    for (const seed of seeds) {
      const random = seededRandom(seed);
      const [schema, built] = [`interleaved_${seed}`, `built_${seed}`];
      const pages = [...batchesOf(interleaved(histories, seed), () => 1 + Math.floor(random.next() * 40))];
      for (const each of [schema, built]) await createPeople(database.db, each);
      await applyPeople(database.db, schema, pages);
      await buildPeople(database.db, built, pages);
      for (const each of [schema, built])
        expect(await differences(database.db, whole, each), each).toEqual([]);
    }
  };

  it(
    'has the same rows for interleaved streams and any batches, through renames and takeovers',
    { tags: 'long' },
    () => sameRows([1]),
  );

  it('has the same rows for other interleavings as well', { tags: 'long' }, () => sameRows([2, 3, 4, 5]));

  /** Owners of three accounts each, who answer one another more and more, then less, and their pages. Names of some are alike. */
  const crowdOf = (seed: number): readonly AppliedEvent[] => {
    const random = seededRandom(seed);
    const below = (n: number) => Math.floor(random.next() * n);
    const sites = ['https://x.com/', 'https://www.instagram.com/', 'https://t.me/'];
    const handleOf = (owner: number) =>
      owner < 20 ? `who_${owner}` : String.fromCharCode(77 + owner).repeat(7);
    const platforms = ['x', 'instagram', 'telegram'] as const;
    const linked = new Map<string, Set<string>>();
    const linksOf = (owner: number, site: number) =>
      linked.getOrInsertComputed(`${site} ${owner}`, () => new Set());
    const shown = (owner: number, site: number): AppliedEvent =>
      sightedAt(platforms[site] as (typeof platforms)[number], handleOf(owner), {
        display_name: `${handleOf(owner)} Hess`,
        links: [...linksOf(owner, site), ...(below(5) === 0 ? [`https://linktr.ee/${handleOf(owner)}`] : [])],
      });
    return Array.from({ length: 560 }, (_, step) => {
      const [owner, site, roll] = [below(40), below(3), random.next()];
      const [other, there] = [
        below(2) === 0 ? owner : (owner + 1 + below(3)) % 40,
        (site + 1 + below(2)) % 3,
      ];
      if (roll < (step > 300 && step < 400 ? 0.1 : 0.6)) {
        linksOf(owner, site).add(`${sites[there]}${handleOf(other)}`);
        linksOf(other, there).add(`${sites[site]}${handleOf(owner)}`);
        return [shown(owner, site), shown(other, there)];
      }
      if (roll < 0.7) {
        const links = sites
          .filter(() => below(3) > 0)
          .map((each) => `${each}${handleOf(below(4) > 0 ? owner : other)}`);
        return [pageRead(`linktr.ee/${handleOf(owner)}`, links)];
      }
      for (const first of [...linksOf(owner, site)].slice(0, 1)) linksOf(owner, site).delete(first);
      return [shown(owner, site)];
    }).flat();
  };

  it('has the same rows in any batches where accounts become too many to compare, and fewer again', {
    tags: 'long',
    timeout: 120_000,
  }, async () => {
    const crowded = new Set<number>();
    const { db } = database;
    for (const seed of [1, 2]) {
      const random = seededRandom(seed);
      const events = crowdOf(seed);
      const live = `crowd_live_${seed}`;
      await createPeople(db, live);
      for (let from = 0; from < events.length; from += 80) {
        const until = events.slice(0, from + 80);
        const whole = `crowd_${seed}_${from}`;
        await fold(whole, until, () => until.length);
        await applyPeople(
          db,
          live,
          batchesOf(until.slice(from), () => 1 + Math.floor(random.next() * 12)),
        );
        expect(await differences(db, whole, live), whole).toEqual([]);
        const { rows } = await db.query<{ crowding: number }>(
          `select distinct crowding from ${whole}.members`,
        );
        for (const { crowding } of rows) crowded.add(crowding);
      }
    }
    expect([...crowded].toSorted()).toEqual([0, 1, 2, 3]);
  });
});
