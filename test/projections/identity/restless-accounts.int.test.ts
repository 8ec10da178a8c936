import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askedAccount, personSource } from '../../../src/api/contract/account-ref.ts';
import type { Platform } from '../../../src/kernel/platform.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { people } from '../../../src/projections/views/people/projection.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';
import { expectAsRebuilt } from '../../support/rebuilt.ts';
import { liveRestlessly, type Restless } from '../../support/restless-accounts.ts';

let program: TestProgram;
const worlds: Restless[] = [];

const IDS: Partial<Record<Platform, (world: number, n: number) => string>> = {
  x: (world, n) => `${100 + 10 * world + n}`,
  bluesky: (world, n) =>
    `did:plc:${'a'.repeat(20)}${['a', 'b', 'c', 'd'][world % 4]}${['e', 'f', 'g', 'h', 'i', 'j', 'k'][Math.floor(world / 4)]}${['k', 'l', 'm'][n]}z`,
};

beforeAll(async () => {
  program = await createTestProgram({ known: [accounts, directory, people] });
  for (const [platform, idOf] of Object.entries(IDS))
    for (let n = 0; n < 15; n++) {
      const at = {
        platform: platform as Platform,
        prefix: `w${n}h`,
        idOf: (account: number) => idOf(n, account),
      };
      worlds.push(await liveRestlessly(program.log, seededRandom(700 + n), at, program.project));
    }
  await program.project();
});
afterAll(() => program.close());

describe('accounts that are renamed, swap handles, take over others and return', () => {
  it('stand in the directory and in people as last read, for any order of readings', async () => {
    const listed = [];
    const persons = [];
    const truths = [];
    for (const { platform, truths: known } of worlds)
      for (const { id, handle, status, bio } of known()) {
        const key = { platform, by: 'id', value: id } as const;
        const entry = (await program.services.entries.find(key))?.entry;
        listed.push([platform, id, entry?.handle, entry?.status, entry?.bio]);
        const [shown] = (await program.services.people.ofAccount(key))?.person.accounts ?? [];
        persons.push([platform, id, shown?.handle, shown?.status]);
        truths.push([platform, id, handle, status, bio]);
      }
    expect(listed).toEqual(truths);
    expect(persons).toEqual(truths.map((truth) => truth.slice(0, 4)));
  });

  it('are found under each name as its last reading says', async () => {
    for (const { platform, names } of worlds)
      for (const [value, { id, sighting }] of names()) {
        const found = await program.services.accounts.verdict({ platform, by: 'handle', value });
        const { status } = sighting.found;
        expect(found, value).toMatchObject({ status });
        if (status === 'active' || status === 'private') expect(found?.native_id).toBe(id);
      }
  });

  it('are the same in the directory and in people under each handle, seen or only known to exist', async () => {
    const statuses = new Set<string>();
    for (const { platform, names } of worlds)
      for (const [value] of names()) {
        const key = { platform, by: 'handle', value } as const;
        const entry = (await program.services.entries.find(key))?.entry;
        const person = await personSource(program.services).find(key);
        const account = person === null ? undefined : askedAccount(person);
        expect([account?.id, account?.status], value).toEqual([entry?.id, entry?.status]);
        statuses.add(`${entry?.status} ${entry?.id === null ? 'never seen' : 'seen'}`);
      }
    expect(statuses).toContain('suspended seen');
    expect(statuses).toContain('suspended never seen');
  });

  it('have a rebuild’s rows', async () => {
    await expectAsRebuilt(program.database.db, program.log, [accounts, directory, people]);
  });

  it('often return to a name with the profile that it showed before', async () => {
    const { rows } = await program.database.db.query<{ n: string }>(
      `select count(*) as n from log.events where type = 'AccountUnchanged'`,
    );
    expect(Number(rows[0]?.n)).toBeGreaterThan(200);
  });
});
