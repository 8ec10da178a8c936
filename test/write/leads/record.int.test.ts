import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountStream, recordSighting } from '../../../src/write/accounts/account.ts';
import { emptyProfile } from '../../../src/write/accounts/profile.ts';
import { type CompanyFacts, companyStream } from '../../../src/write/leads.ts';
import type { Append, EventLog } from '../../../src/write/log/port.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
});
afterAll(() => program.close());

const at = (hour: number) => new Date(Date.UTC(2026, 9, 1) + hour * 3_600_000).toISOString();

const sight = (
  slug: string,
  hour: number,
  facts: Partial<CompanyFacts> = {},
  { isWhole = true, log = program.log }: { isWhole?: boolean; log?: EventLog } = {},
) =>
  recordSighting(
    log,
    'linkedin',
    `company:${slug}`,
    {
      observedAt: at(hour),
      source: 'crawler',
      surface: 'company',
      facts: {
        kind: 'company',
        isWhole,
        facts: {
          slug,
          name: 'Acme',
          description: null,
          industry: 'Metalworking',
          size: null,
          employees: null,
          headquarters: null,
          country: null,
          founded: null,
          website: null,
          specialties: null,
          ...facts,
        },
      },
      found: {
        status: 'active',
        profile: { ...emptyProfile(`company:${slug}`), followers: Math.round(hour) },
        posts: null,
        measured: [],
      },
    },
    { nowMs: Date.parse(at(hour)) },
  );

const factsOf = async (slug: string) =>
  (await program.log.readStream(companyStream(slug))).map(
    ({ data }) => data as CompanyFacts & { observed_at: string },
  );

describe('facts of a company page', () => {
  it('are appended together with the sighting of the account', async () => {
    const appends: (readonly Append[])[] = [];
    const log: EventLog = {
      ...program.log,
      append: (...args) => program.log.append(...args),
      appendMany: (many) => {
        appends.push(many);
        return program.log.appendMany(many);
      },
    };
    await sight('together', 1, {}, { log });
    expect(appends.map((many) => many.map(({ stream }) => stream))).toEqual([
      [accountStream('linkedin', 'company:together'), companyStream('together')],
    ]);
  });

  it('are appended when they change, and confirmed at most once an hour', async () => {
    await sight('steady', 1);
    await sight('steady', 1.9);
    await sight('steady', 3, { industry: 'Banking' });
    await sight('steady', 4, { industry: 'Banking' });
    expect((await factsOf('steady')).map(({ industry, observed_at }) => [industry, observed_at])).toEqual([
      ['Metalworking', at(1)],
      ['Banking', at(3)],
      ['Banking', at(4)],
    ]);
    const account = await program.log.readStream(accountStream('linkedin', 'company:steady'));
    expect(account.map(({ type }) => type)).toEqual([
      'AccountSighted',
      'AccountUnchanged',
      'AccountUnchanged',
      'AccountUnchanged',
    ]);
  });

  it('of an older reading change nothing', async () => {
    await sight('late', 5, { industry: 'Banking' });
    await sight('late', 4, { industry: 'Insurance' });
    expect((await factsOf('late')).map(({ industry }) => industry)).toEqual(['Banking']);
  });

  it('are completed by the next reading after a crash between the two appends', async () => {
    const log: EventLog = {
      ...program.log,
      append: (...args) => program.log.append(...args),
      appendMany: async ([account]) => {
        await program.log.appendMany([account as Append]);
        throw new Error('the process dies');
      },
    };
    await expect(sight('crashed', 1, {}, { log })).rejects.toThrow('the process dies');
    expect(await factsOf('crashed')).toEqual([]);
    await sight('crashed', 1);
    expect(await factsOf('crashed')).toMatchObject([{ industry: 'Metalworking', observed_at: at(1) }]);
  });

  it('of two simultaneous readings end as the later one’s', async () => {
    await Promise.all([1, 2, 3, 4, 5, 6].map((hour) => sight('raced', hour, { industry: `Number ${hour}` })));
    const facts = await factsOf('raced');
    expect(facts.at(-1)).toMatchObject({ industry: 'Number 6', observed_at: at(6) });
    expect(facts.map(({ observed_at }) => observed_at)).toEqual(
      facts.map(({ observed_at }) => observed_at).sort(),
    );
  });

  it('stay known if a page lacks its section, and go if a whole page lacks them', async () => {
    await sight('partial', 1);
    await sight('partial', 2, { name: 'Acme Inc.', industry: null }, { isWhole: false });
    expect((await factsOf('partial')).at(-1)).toMatchObject({ name: 'Acme Inc.', industry: 'Metalworking' });
    await sight('partial', 3, { name: 'Acme Inc.', industry: null });
    expect((await factsOf('partial')).at(-1)).toMatchObject({ industry: null });
  });

  it('are brought within their event’s bounds', async () => {
    await sight('long', 1, {
      industry: 'x'.repeat(10_000),
      specialties: ['y'.repeat(5_000)],
      employees: 1e18,
    });
    expect((await factsOf('long'))[0]).toMatchObject({ industry: 'x'.repeat(500), employees: null });
  });
});
