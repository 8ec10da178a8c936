import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DecisionMakerFilters, listDecisionMakers } from '../../src/read/leads.ts';
import { recordSighting } from '../../src/write/accounts/account.ts';
import { emptyProfile } from '../../src/write/accounts/profile.ts';
import type { CompanyFacts, LeadFacts, PersonFacts } from '../../src/write/leads.ts';
import { itemsOf } from '../support/pages.ts';
import { createTestProgram, type TestProgram, unavailable } from '../support/program.ts';

let program: TestProgram;
let key: string;

const at = (n: number) => new Date(Date.UTC(2026, 9, 1) + n * 3_600_000).toISOString();

const company = (slug: string, facts: Partial<CompanyFacts> = {}): LeadFacts => ({
  kind: 'company',
  isWhole: true,
  facts: {
    slug,
    name: slug.toUpperCase(),
    description: null,
    industry: 'IT Services & Consulting',
    size: '51-200 employees',
    employees: null,
    headquarters: 'Graz, Styria',
    country: 'AT',
    founded: '1920',
    website: `https://${slug}.example/`,
    specialties: ['anvils'],
    ...facts,
  },
});

const person = (slug: string, facts: Partial<PersonFacts> = {}): LeadFacts => ({
  kind: 'person',
  isWhole: true,
  facts: {
    slug,
    name: slug.toUpperCase(),
    title: 'Head of Sales',
    company: { name: 'ACME', slug: 'acme' },
    location: 'Graz',
    country: 'AT',
    ...facts,
  },
});

const sight = (lead: LeadFacts, hour = 1, followers = 10) => {
  const handle = lead.kind === 'company' ? `company:${lead.facts.slug}` : lead.facts.slug;
  const observedAt = at(hour);
  return recordSighting(
    program.log,
    'linkedin',
    handle,
    {
      observedAt,
      source: 'crawler',
      surface: lead.kind,
      facts: lead,
      found: { status: 'active', profile: { ...emptyProfile(handle), followers }, posts: null, measured: [] },
    },
    { nowMs: Date.parse(observedAt) },
  );
};

beforeAll(async () => {
  program = await createTestProgram();
  await sight(company('acme'), 1, 1_234);
  for (let i = 0; i < 30; i++) {
    await sight(
      company(`firm-${String(i).padStart(2, '0')}`, {
        industry: i % 2 === 0 ? 'Banking' : 'IT services and consulting',
        size: i % 3 === 0 ? '1,001-5,000 employees' : '2-10 employees',
        country: i % 5 === 0 ? 'Germany' : 'FR',
      }),
    );
    await sight(
      person(`person-${String(i).padStart(2, '0')}`, {
        title: i % 2 === 0 ? 'Chief Technology Officer' : 'Accountant',
        country: i % 5 === 0 ? 'DE' : null,
        company: { name: 'Firm', slug: `firm-${String(i).padStart(2, '0')}` },
      }),
    );
  }
  await sight(person('ada', { title: 'Making things better' }));
  await sight(company('gone'));
  await sight(person('gone-too'));
  await program.append('linkedin', 'company:gone', unavailable(at(2), 'absent'));
  await program.append('linkedin', 'gone-too', unavailable(at(2), 'absent'));
  key = await program.issueKey(['leads:read']);
  await program.project();
});
afterAll(() => program.close());

const slugs = async (path: string): Promise<string[]> => {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const url: string = `${path}${path.includes('?') ? '&' : '?'}limit=7${cursor === null ? '' : `&cursor=${cursor}`}`;
    const { status, body } = await program.get(url, key);
    expect(status, JSON.stringify(body)).toBe(200);
    found.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.meta.next_cursor;
  } while (cursor !== null);
  return found;
};

describe('getCompany', () => {
  it('has its facts with their classes, and its account’s followers', async () => {
    const { status, body } = await program.get('/v2/leads/linkedin/companies/acme', key);
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: 'acme',
      slug: 'acme',
      name: 'ACME',
      industry: 'IT Services & Consulting',
      size_band: '51-200',
      employees: null,
      headquarters: 'Graz, Styria',
      country: 'AT',
      website: 'https://acme.example/',
      founded: 1920,
      followers: 1_234,
      description: null,
      specialties: ['anvils'],
      last_seen_at: at(1),
    });
    expect(body.meta.source).toBe('catalog');
  });

  it('answers 404 if the company was never read, or its page is gone', async () => {
    for (const slug of ['never-read', 'gone']) {
      const { status, body } = await program.get(`/v2/leads/linkedin/companies/${slug}`, key);
      expect([status, body.error.code]).toEqual([404, 'not_found']);
    }
  });

  it('needs a slug', async () => {
    const { status, body } = await program.get('/v2/leads/linkedin/companies/a%20b', key);
    expect([status, body.error.details[0].path]).toEqual([400, 'params.id']);
  });
});

describe('listCompanies', () => {
  it('has each company once, without those whose page is gone', async () => {
    const found = await slugs('/v2/leads/linkedin/companies');
    expect(found).toEqual([...found].sort());
    expect(found).toHaveLength(31);
    expect(found).not.toContain('gone');
  });

  it('is filtered by industry in any spelling, size, country and name', async () => {
    const path = '/v2/leads/linkedin/companies';
    expect(await slugs(`${path}?industry=it%20services%20AND%20consulting`)).toHaveLength(16);
    expect(await slugs(`${path}?size=1001-5000`)).toHaveLength(10);
    expect(await slugs(`${path}?country=de`)).toHaveLength(6);
    expect(await slugs(`${path}?country=DE&size=1001-5000&industry=Banking`)).toEqual(['firm-00']);
    expect(await slugs(`${path}?q=Firm%202`)).toHaveLength(10);
    expect(await slugs(`${path}?q=firm%2D2&country=DE`)).toEqual(['firm-20', 'firm-25']);
  });

  it.each([
    ['size=big', 'query.size'],
    ['country=Austria', 'query.country'],
    ['industry=', 'query.industry'],
    ['sector=banking', 'query.sector'],
  ])('rejects %s, naming the parameter', async (query, path) => {
    const { status, body } = await program.get(`/v2/leads/linkedin/companies?${query}`, key);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(JSON.stringify(body.error.details)).toContain(path.split('.')[1]);
  });
});

describe('listDecisionMakers', () => {
  it('has a person with title, classes and employer', async () => {
    const { body } = await program.get('/v2/leads/linkedin/people?q=person-00', key);
    expect(body.data).toEqual([
      {
        id: 'person-00',
        name: 'PERSON-00',
        title: 'Chief Technology Officer',
        seniority: 'cxo',
        function: 'engineering',
        company: { id: 'firm-00', name: 'Firm' },
        location: 'Graz',
        country: 'DE',
        profile_url: 'https://www.linkedin.com/in/person-00',
        last_seen_at: at(1),
      },
    ]);
  });

  it('has null for classes that a title does not show', async () => {
    const { body } = await program.get('/v2/leads/linkedin/people?q=ada&seniority=any', key);
    expect(body.data[0]).toMatchObject({ seniority: null, function: null });
  });

  it('is filtered by seniority, function, country and employer, and by the employer’s size and industry', async () => {
    const path = '/v2/leads/linkedin/people';
    expect(await slugs(`${path}?seniority=any`)).toHaveLength(31);
    // Who decides: neither entries nor people without a known seniority.
    expect(await slugs(path)).toEqual(await slugs(`${path}?seniority=cxo`));
    expect(await slugs(`${path}?country=DE`)).toEqual(['person-00', 'person-10', 'person-20']);
    expect(await slugs(`${path}?seniority=cxo`)).toHaveLength(15);
    expect(await slugs(`${path}?function=finance&seniority=entry`)).toHaveLength(15);
    expect(await slugs(`${path}?seniority=cxo&country=DE`)).toEqual(['person-00', 'person-10', 'person-20']);
    expect(await slugs(`${path}?company=firm-07&seniority=any`)).toEqual(['person-07']);
    expect(await slugs(`${path}?size=1001-5000&seniority=any`)).toHaveLength(10);
    expect(await slugs(`${path}?industry=banking&seniority=entry`)).toEqual([]);
  });

  it('finds the same people by employer as by a scan, in pages of any length', async () => {
    const lists = program.services.queuedReads.of('tester', 1_000_000);
    const walk = async (filters: DecisionMakerFilters, limit: number, maxStaff: number) => {
      const found = await itemsOf((after) =>
        listDecisionMakers(lists, program.builds, filters, limit, after, maxStaff),
      );
      return found.map(({ id }) => id);
    };
    for (const [filters, count] of [
      [{ industry: 'Banking' }, 15],
      [{ industry: 'Banking', size: '1001-5000', seniority: 'any' }, 5],
      [{ industry: 'Banking', seniority: 'cxo', country: 'DE' }, 3],
      [{ size: '2-10', seniority: 'entry', q: 'person-1' }, 4],
      [{ industry: 'Banking', company: 'firm-02', function: 'engineering' }, 1],
      [{ industry: 'Fishery' }, 0],
    ] as const) {
      for (const [limit, maxStaff] of [
        [2, 2_000],
        [2, 0],
        [50, 2_000],
      ] as const) {
        const found = await walk(filters, limit, maxStaff);
        expect([found.length, found], JSON.stringify(filters)).toEqual([count, found.toSorted()]);
      }
    }
  });

  it('rejects an unknown seniority', async () => {
    const { status } = await program.get('/v2/leads/linkedin/people?seniority=boss', key);
    expect(status).toBe(400);
  });
});

it('a key without the scope of leads is rejected', async () => {
  const other = await program.issueKey(['accounts:read']);
  const { status, body } = await program.get('/v2/leads/linkedin/companies', other);
  expect([status, body.error.code]).toEqual([403, 'scope_missing']);
});
