import { afterAll, beforeAll, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { activeBuild } from '../../../../src/projections/builds/builds.ts';
import { verify } from '../../../../src/projections/verify.ts';
import { leads } from '../../../../src/projections/views/leads/projection.ts';
import { recordSighting } from '../../../../src/write/accounts/account.ts';
import { emptyProfile } from '../../../../src/write/accounts/profile.ts';
import type { LeadFacts } from '../../../../src/write/leads.ts';
import { createTestProgram, type TestProgram } from '../../../support/program.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram({ known: [leads] });
});
afterAll(() => program.close());

const sight = async (hour: number, facts: LeadFacts) => {
  const handle = facts.kind === 'company' ? `company:${facts.facts.slug}` : facts.facts.slug;
  const observedAt = new Date(Date.UTC(2026, 9, 1) + hour * 3_600_000).toISOString();
  await recordSighting(
    program.log,
    'linkedin',
    handle,
    {
      observedAt,
      source: 'live',
      surface: facts.kind,
      facts,
      found: { status: 'active', profile: emptyProfile(handle), posts: null, measured: [] },
    },
    { nowMs: Date.parse(observedAt) },
  );
};

const companyNamed = (slug: string, name: string, country: string): LeadFacts => ({
  kind: 'company',
  isWhole: true,
  facts: {
    slug,
    name,
    description: 'With "quotes", \\ and {braces}',
    industry: 'Banking',
    size: null,
    employees: 12,
    headquarters: null,
    country,
    founded: 'Founded in 1999',
    website: null,
    specialties: ['a, b', '"c"'],
  },
});

const personNamed = (slug: string, title: string): LeadFacts => ({
  kind: 'person',
  isWhole: true,
  facts: { slug, name: slug, title, company: null, location: null, country: null },
});

it('the view of leads has the newest facts of each stream, and equals a rebuild', async () => {
  for (let i = 0; i < 60; i++) {
    await sight(i, companyNamed(`firm${i % 7}`, `Firm ${i}`, i % 2 === 0 ? 'AT' : 'Spain'));
    await sight(i, personNamed(`person${i % 11}`, i % 2 === 0 ? 'Buchhalterin' : 'VP Sales'));
    if (i % 13 === 0) await program.project();
  }
  await program.project();
  const { db } = program.database;
  const schema = (await activeBuild(db, leads.name, leads.version))?.schema;
  const { rows } = await db.query(
    `select name, country, size_band, founded, specialties, industry_key from ${schema}.companies where slug = 'firm3'`,
  );
  expect(rows).toEqual([
    {
      name: 'Firm 59',
      country: 'ES',
      size_band: '11-50',
      founded: 1999,
      specialties: ['a, b', '"c"'],
      industry_key: 'banking',
    },
  ]);
  const signal = new AbortController().signal;
  const options = { db, log: program.log, logger: silentLogger, signal, max: 10 };
  expect(await verify(leads, options)).toMatchObject({ different: 0, equal: 18, tables: 2 });
});
