import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examplesOf } from '../../infra/calibrate/impersonation/examples.ts';
import {
  AT,
  type Labelled,
  type Population,
  populationOf,
  profileOf,
} from '../../infra/calibrate/people/population.ts';
import { DEFAULT_PARAMETERS } from '../../infra/simulator/world/parameters.ts';
import type { Builds } from '../../src/read/active-builds.ts';
import { createSuspectReads, type SuspectReads } from '../../src/read/people/suspects.ts';
import { impersonationLogOdds, verdictOf } from '../../src/write/people/impersonation/model.ts';
import { MAX_NAMESAKES } from '../../src/write/people/impersonation/suspects.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { applyPeople, batchesOf, createPeople, sightedAt } from '../support/people-fold.ts';

let database: TestDatabase;
let reads: SuspectReads;
let population: Population;

/** Readings of the population's own accounts; who took a name over is left out. */
const readings = () =>
  population.accounts.flatMap(({ ref }) => {
    const account = ref === null ? null : population.world.account(ref.platform, ref.index, AT);
    const profile = account === null ? null : profileOf(account);
    return account === null || profile === null ? [] : [sightedAt(account.platform, profile.handle, profile)];
  });

beforeAll(async () => {
  database = await createTestDatabase();
  await createPeople(database.db, 'suspected');
  population = populationOf(DEFAULT_PARAMETERS, 77, 220);
  await applyPeople(
    database.db,
    'suspected',
    batchesOf(readings(), () => 200),
  );
  reads = createSuspectReads(database.db, { schema: () => 'suspected' } as unknown as Builds);
});
afterAll(() => database.drop());

describe('suspects of an account', () => {
  it('are named, in the view of people, as they are where the method is measured', async () => {
    const { examples } = examplesOf({
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
      const expected = suspects.filter(({ parts }) => verdictOf(impersonationLogOdds(parts)) !== null);
      named += Math.max(expected.length, found?.suspects.length ?? 0);
      const odds = expected.map(({ parts }) => impersonationLogOdds(parts));
      agreed += (found?.suspects ?? []).filter(({ logOdds }) =>
        odds.some((one) => Math.abs(one - logOdds) < 1e-9),
      ).length;
      compared += found?.compared ?? 0;
      counted += suspects.length;
    }
    expect(named).toBeGreaterThan(30);
    // A link means who had the name when it was made, which the measure takes for who has it now.
    expect(agreed / named).toBeGreaterThan(0.98);
    expect(compared / counted).toBeGreaterThan(0.98);
    expect(compared / counted).toBeLessThan(1.02);
  });

  it('are those of a name with more bearers than are compared, as far as these go', async () => {
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
