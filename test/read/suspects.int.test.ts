import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examplesOf } from '../../infra/calibrate/impersonation/examples.ts';
import {
  AT,
  type Labelled,
  type Population,
  populationOf,
  profileOf,
} from '../../infra/calibrate/people/population.ts';
import { listedOn } from '../../infra/simulator/sites/link-pages.ts';
import { DEFAULT_PARAMETERS } from '../../infra/simulator/world/parameters.ts';
import type { Builds } from '../../src/read/active-builds.ts';
import { createSuspectReads, type SuspectReads } from '../../src/read/people/suspects.ts';
import { linkPageIn, MAX_SHARERS } from '../../src/write/people/account.ts';
import { impersonationLogOdds, MAX_NAMESAKES, verdictOf } from '../../src/write/people/impersonation.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { applyPeople, batchesOf, createPeople, pageRead, sightedAt } from '../support/people-fold.ts';

let database: TestDatabase;
let reads: SuspectReads;
let population: Population;

const readsOf = (schema: string): SuspectReads =>
  createSuspectReads(database.db, { schema: () => schema } as unknown as Builds);

/** Readings of the population's own accounts; who took a name over is left out. */
const readings = () =>
  population.accounts.flatMap(({ ref }) => {
    const account = ref === null ? null : population.world.account(ref.platform, ref.index, AT);
    const profile = account === null ? null : profileOf(account);
    return account === null || profile === null ? [] : [sightedAt(account.platform, profile.handle, profile)];
  });

/** Readings of the link pages that these accounts link to. */
const pages = () => {
  const targets = new Set(population.accounts.flatMap(({ candidate }) => candidate.targets));
  return [...targets].flatMap((target) => {
    const page = linkPageIn(target);
    return page === null
      ? []
      : [pageRead(page, listedOn(population.world, page.split('/')[1] as string, AT))];
  });
};

beforeAll(async () => {
  database = await createTestDatabase();
  await createPeople(database.db, 'suspected');
  population = populationOf(DEFAULT_PARAMETERS, 77, 220);
  await applyPeople(
    database.db,
    'suspected',
    batchesOf([...readings(), ...pages()], () => 200),
  );
  reads = readsOf('suspected');
});
afterAll(() => database.drop());

describe('suspects of an account', () => {
  it('are the same in the view of people and where the method is measured', async () => {
    const { examples } = await examplesOf({
      ...population,
      accounts: population.accounts.filter(({ ref }) => ref !== null),
    });
    const bySubject = Map.groupBy(
      examples.filter(({ relation }) => relation !== 'taker'),
      ({ subject }) => subject,
    );
    let [named, agreed, compared, counted] = [0, 0, 0, 0];
    for (const [key, suspects] of bySubject) {
      const { candidate } = population.byKey.get(key) as Labelled;
      if (candidate.handle === null) continue;
      const found = await reads.of(candidate.platform, candidate.handle);
      const expected = suspects.filter(
        ({ parts, isUnconfirmed }) => isUnconfirmed || verdictOf(impersonationLogOdds(parts)) !== null,
      );
      const alike = [...(found?.suspects ?? []), ...(found?.originals ?? [])];
      named += Math.max(expected.length, alike.length);
      const odds = expected.map(({ parts }) => impersonationLogOdds(parts));
      agreed += alike.filter(({ logOdds }) => odds.some((one) => Math.abs(one - logOdds) < 1e-9)).length;
      compared += found?.compared ?? 0;
      counted += suspects.length;
    }
    expect(named).toBeGreaterThan(20);
    // A link means who had the name when it was made, which the measure takes for who has it now.
    expect(agreed / named).toBeGreaterThan(0.98);
    expect(compared / counted).toBeGreaterThan(0.98);
    expect(compared / counted).toBeLessThan(1.02);
  });

  it('are bounded by the number of bearers that are compared', async () => {
    const common = Array.from({ length: MAX_NAMESAKES + 20 }, (_, n) =>
      sightedAt('telegram', `common_name${n}`, { display_name: 'Zita Quorn' }),
    );
    await applyPeople(database.db, 'suspected', [
      common,
      [sightedAt('x', 'zitaquorn', { display_name: 'Zita Quorn' })],
    ]);
    const found = await reads.of('x', 'zitaquorn');
    expect(found?.isCapped).toBe(true);
    expect(found?.compared).toBeLessThanOrEqual(MAX_NAMESAKES + 1);
    expect((await reads.of('telegram', 'common_name7'))?.isCapped).toBe(true);
  });

  it('are null for a name that no account has', async () => {
    expect(await reads.of('x', 'no_such_name')).toBeNull();
  });
});

describe('suspects among a few accounts', () => {
  let few: SuspectReads;
  const see = (...readings: ReturnType<typeof sightedAt>[]) =>
    applyPeople(
      database.db,
      'few',
      readings.map((reading) => [reading]),
    );
  const namesIn = (found: Awaited<ReturnType<SuspectReads['of']>>) =>
    found?.suspects.map(({ platform, handle }) => `${platform}:${handle}`);

  beforeAll(async () => {
    await createPeople(database.db, 'few');
    few = readsOf('few');
  });

  it('have the handle elsewhere, and no other one', async () => {
    await see(
      sightedAt('x', 'quillmark', {}),
      sightedAt('telegram', 'quillmark', {}),
      sightedAt('youtube', 'quillmark', {}),
      sightedAt('bluesky', 'quillmark.bsky.social', {}),
      sightedAt('bluesky', 'quillmark.example', {}),
      sightedAt('youtube', 'quillmark.bsky.social', {}),
      sightedAt('tiktok', 'quillmark2', {}),
      sightedAt('linkedin', 'quillmark', {}),
    );
    expect((await few.of('x', 'quillmark'))?.compared).toBe(3);
    expect((await few.of('bluesky', 'quillmark.bsky.social'))?.compared).toBe(3);
    expect((await few.of('tiktok', 'quillmark2'))?.compared).toBe(0);
  });

  it('share a link, unless too many accounts have it', async () => {
    const linking = (page: string, n: number) =>
      sightedAt('telegram', `${page}_reader${n}`, { links: [`https://${page}.example/`] });
    const readers = (page: string, count: number) =>
      Array.from({ length: count }, (_, n) => linking(page, n));
    await see(
      sightedAt('x', 'subject_of_few', { links: ['https://rare.example/'] }),
      ...readers('rare', MAX_SHARERS - 1),
      sightedAt('x', 'subject_of_many', { links: ['https://common.example/'] }),
      ...readers('common', MAX_SHARERS),
    );
    expect((await few.of('x', 'subject_of_few'))?.compared).toBe(MAX_SHARERS - 1);
    expect((await few.of('x', 'subject_of_many'))?.compared).toBe(0);
  });

  it('have taken a handle that the account left, on its own platform', async () => {
    const shown = { display_name: 'Gracehop', bio: 'compiles since 1952' };
    await see(
      sightedAt('x', 'hop_before', { ...shown, id: '501' }),
      sightedAt('x', 'hop_now', { ...shown, id: '501' }),
      sightedAt('x', 'hop_before', { ...shown, id: '502' }),
      sightedAt('telegram', 'hop_before', shown),
    );
    const found = await few.of('x', 'hop_now');
    expect(found).toMatchObject({ compared: 1, suspects: [{ handle: 'hop_before', id: '502' }] });
    expect(found?.suspects[0]?.parts).toContainEqual(
      expect.objectContaining({ part: 'former_handle', value: 1 }),
    );
    // Who has taken it has left none.
    const taker = await few.of('x', 'hop_before');
    expect(taker?.suspects.flatMap(({ parts }) => parts.map(({ part }) => part))).not.toContain(
      'former_handle',
    );
  });

  it.each([195_000, 400_000, 1_100_000])(
    'name no original of %i followers beside its copier',
    async (followers) => {
      const name = `original${followers}`;
      const shown = { display_name: `Ida Quillfeather ${followers}`, bio: 'maps the far side of the moon' };
      const own = [`https://www.youtube.com/@${name}y`, `https://www.tiktok.com/@${name}t`];
      await see(
        sightedAt('x', name, { ...shown, followers, links: own }),
        sightedAt('telegram', `${name}c`, {
          ...shown,
          followers: 1_200,
          links: own,
        }),
      );
      const [ofCopier, ofOriginal] = [await few.of('telegram', `${name}c`), await few.of('x', name)];
      expect(namesIn(ofCopier)).not.toContain(`x:${name}`);
      expect(ofCopier?.originals).toMatchObject([{ handle: name, direction: 'is_copied', risk: null }]);
      expect(ofOriginal?.suspects).toMatchObject([{ handle: `${name}c`, direction: 'copies' }]);
    },
  );

  it('say on both sides that one of two copies the other where nothing tells which', async () => {
    const shown = { display_name: 'Otto Quillfeather', bio: 'counts the rings of trees', followers: 5_000 };
    const links = ['https://www.youtube.com/@ottoqf', 'https://www.tiktok.com/@ottoqf'];
    await see(
      sightedAt('x', 'ottoqfone', { ...shown, links }),
      sightedAt('telegram', 'ottoqftwo', { ...shown, links }),
    );
    for (const [platform, handle, other] of [
      ['x', 'ottoqfone', 'ottoqftwo'],
      ['telegram', 'ottoqftwo', 'ottoqfone'],
    ] as const) {
      const found = await few.of(platform, handle);
      expect(found?.suspects).toMatchObject([{ handle: other, direction: 'unknown', risk: null }]);
      expect(found?.originals).toEqual([]);
    }
  });

  it('have not taken a handle that the account still has, where two share it at one time', async () => {
    const links = ['https://www.youtube.com/@mariagaetana', 'https://www.tiktok.com/@mariagaetana'];
    const shown = { display_name: 'Maria Agnesi', bio: 'draws curves', links };
    await see(
      sightedAt('x', 'mariagaetana', { ...shown, id: '701' }, 100_000),
      sightedAt('x', 'mariagaetana', { ...shown, id: '702' }, 100_000),
    );
    const found = await few.of('x', 'mariagaetana');
    expect(found?.compared).toBe(1);
    const parts = found?.suspects.flatMap((suspect) => suspect.parts.map(({ part }) => part));
    expect(parts).not.toContain('former_handle');
  });

  it('have no handle where another account has theirs now', async () => {
    const links = ['https://www.youtube.com/@hedylamarr', 'https://www.tiktok.com/@hedylamarr'];
    const shown = { display_name: 'Hedy Lamarr', bio: 'hops between frequencies', links };
    await see(
      sightedAt('x', 'hedylamarr', shown),
      sightedAt('telegram', 'lamarr_hedy', { ...shown, id: '601' }),
      sightedAt('telegram', 'lamarr_hedy', { display_name: 'Another', id: '602' }),
    );
    expect(await few.of('x', 'hedylamarr')).toMatchObject({
      compared: 1,
      suspects: [{ platform: 'telegram', id: '601', handle: null }],
    });
  });

  it('weigh less if they are one of several accounts of another person', async () => {
    const links = ['youtube', 'tiktok', 'instagram'].map((site) =>
      site === 'instagram' ? 'https://www.instagram.com/emmynoether' : `https://www.${site}.com/@emmynoether`,
    );
    const shown = { display_name: 'Emmy Noether', bio: 'conserves what is symmetric', links };
    const copy = (links: readonly string[]) => sightedAt('telegram', 'noether_emmy', { ...shown, links });
    await see(sightedAt('x', 'emmynoether', shown), copy(links));
    const alone = (await few.of('x', 'emmynoether'))?.suspects[0];
    expect(alone?.parts.map(({ part }) => part)).not.toContain('other_person');
    await see(
      copy([...links, 'https://x.com/noether_emmy']),
      sightedAt('x', 'noether_emmy', {
        display_name: 'Emmy Noether Shop',
        links: ['https://t.me/noether_emmy'],
      }),
    );
    const found = await few.of('x', 'emmynoether');
    const grouped = [...(found?.suspects ?? []), ...(found?.originals ?? [])].find(
      ({ platform }) => platform === 'telegram',
    );
    expect(grouped?.parts).toContainEqual(expect.objectContaining({ part: 'other_person', value: 1 }));
    const { other_person: weight } = Object.fromEntries(
      (grouped?.parts ?? []).map((part) => [part.part, part.weight]),
    );
    expect(grouped?.logOdds).toBeCloseTo((alone?.logOdds ?? 0) + (weight as number), 9);
    expect(weight).toBeLessThan(0);
  });

  it('are none of the person, and none that it links to', async () => {
    const shown = { display_name: 'Julia Robinson', bio: 'decides what can be decided' };
    const channel = 'https://www.youtube.com/@robinsonjulia';
    await see(
      sightedAt('x', 'juliarobinson', { ...shown, links: [channel, 'https://t.me/juliarobinson'] }),
      sightedAt('youtube', 'robinsonjulia', { ...shown, links: ['https://x.com/juliarobinson'] }),
      sightedAt('telegram', 'juliarobinson', shown),
    );
    expect(await few.of('x', 'juliarobinson')).toMatchObject({ suspects: [], originals: [], compared: 0 });
  });

  it('are not acknowledged by a link of the person to a handle that one of its accounts has left', async () => {
    const shown = { display_name: 'Ida Rhodes', bio: 'translates by machine' };
    const old = 'https://x.com/idarhodes';
    const photos = 'https://www.instagram.com/idarhodes/';
    await see(
      sightedAt('x', 'idarhodes', { ...shown, id: '801', links: [photos] }),
      sightedAt('instagram', 'idarhodes', { ...shown, links: [old] }),
      sightedAt('x', 'ida_rhodes', { ...shown, id: '801', links: [photos] }),
      sightedAt('x', 'idarhodes', { ...shown, id: '802', links: [photos] }),
    );
    for (const [platform, handle] of [
      ['x', 'ida_rhodes'],
      ['instagram', 'idarhodes'],
    ] as const)
      expect((await few.of(platform, handle))?.suspects, platform).toMatchObject([
        { platform: 'x', id: '802' },
      ]);
  });

  it('are unconfirmed copies, without a risk, where they claim to be the account', async () => {
    const shown = { display_name: 'Mary Cartwright', bio: 'rings the changes' };
    await see(
      sightedAt('x', 'marycartwright', { ...shown, followers: 100_000 }),
      sightedAt('telegram', 'marycartwright', {
        ...shown,
        links: ['https://x.com/marycartwright'],
        followers: 9,
      }),
    );
    expect((await few.of('x', 'marycartwright'))?.suspects).toMatchObject([
      { platform: 'telegram', verdict: 'unconfirmed_copy', risk: null, direction: 'copies' },
    ]);
    expect(await few.of('telegram', 'marycartwright')).toMatchObject({ suspects: [] });
  });

  it('come in order of log odds, then platform and handle', async () => {
    const shown = { display_name: 'Sofia Kovalevskaya', bio: 'says what she knows', followers: 5_000 };
    const copies = [
      ['telegram', 'zkovalevskayasofia', { ...shown, followers: 50_000 }],
      ['tiktok', 'kovalevskayasofia1', shown],
      ['telegram', 'kovalevskayasofia9', shown],
      ['telegram', 'kovalevskayasofia2', shown],
      ['instagram', 'akovalevskayasofia', { ...shown, bio: 'a fan account' }],
      ['youtube', 'mkovalevskayasofia', { ...shown, followers: 500_000 }],
    ] as const;
    await see(
      sightedAt('x', 'sofiakovalevskaya', shown),
      // Their identifiers are in another order than their handles.
      ...copies.map(([platform, handle, profile], n) =>
        sightedAt(platform, handle, { ...profile, id: String(900 + n) }),
      ),
    );
    const found = await few.of('x', 'sofiakovalevskaya');
    expect(namesIn(found)).toEqual([
      'telegram:kovalevskayasofia2',
      'telegram:kovalevskayasofia9',
      'tiktok:kovalevskayasofia1',
    ]);
    const originals = found?.originals ?? [];
    expect(originals.map(({ handle }) => handle)).toEqual(['mkovalevskayasofia', 'zkovalevskayasofia']);
    for (const some of [found?.suspects ?? [], originals])
      expect(some.map(({ logOdds }) => -logOdds)).toEqual(
        some.map(({ logOdds }) => -logOdds).toSorted((a, b) => a - b),
      );
  });
});
