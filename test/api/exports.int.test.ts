import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isExportable } from '../../src/api/contract/parse-request.ts';
import { loadEndpoints } from '../../src/api/endpoints/load-endpoints.ts';
import { recordSighting } from '../../src/write/accounts/account.ts';
import { emptyProfile } from '../../src/write/accounts/profile.ts';
import { SCOPES } from '../../src/write/holders/plans.ts';
import type { LeadFacts } from '../../src/write/leads.ts';
import { memberOf, sweep } from '../support/follows.ts';
import { offered, plainRecorder } from '../support/market.ts';
import { createTestProgram, posted, sighted, type TestProgram } from '../support/program.ts';

let program: TestProgram;
let key: string;

const day = (n: number): string => new Date(Date.UTC(2026, 9, 1) + n * 86_400_000).toISOString();

/** Every list that can be exported, as it is asked for. */
const PATHS: Readonly<Record<string, string>> = {
  listDirectory: '/directory?',
  listPlatformDirectory: '/directory/x?',
  listTopEntries: '/directory/top?by=followers&',
  listEntryHistory: '/directory/x/first/history?',
  listEntryPosts: '/directory/x/first/posts?',
  listDirectoryChanges: '/directory/changes?',
  listListings: '/marketplace/listings?',
  listSellers: '/marketplace/sellers?',
  listCompanies: '/leads/linkedin/companies?',
  listDecisionMakers: '/leads/linkedin/people?',
  exportFollowerGraph: '/leads/x/follower-graph?handle=star&',
};

const sight = (facts: LeadFacts): Promise<unknown> => {
  const handle = facts.kind === 'company' ? `company:${facts.facts.slug}` : facts.facts.slug;
  const profile = { ...emptyProfile(handle), followers: 10 };
  const found = { status: 'active' as const, profile, posts: null, measured: [] };
  const sighting = { observedAt: day(1), source: 'crawler' as const, surface: facts.kind, facts, found };
  return recordSighting(program.log, 'linkedin', handle, sighting, { nowMs: Date.parse(day(1)) });
};

beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey(SCOPES);
  const texts = ['=1+1', 'a "quoted", text', 'two\nlines', 'plain'];
  for (const [n, handle] of ['first', 'second', 'third', 'star'].entries()) {
    const profile = {
      id: `90${n}`,
      followers: 1_000 + n,
      bio: texts[n] as string,
      links: ['https://a.example/'],
    };
    await program.append(
      'x',
      handle,
      ...[1, 2, 3].map((at) => sighted(handle, day(at), { ...profile, followers: 1_000 * at + n })),
      ...texts.map((text, i) => posted(day(4), { id: `${n}${i}`, at: day(i), text, hashtags: ['tag'] })),
    );
  }
  await plainRecorder(program.log).record(
    [1, 2, 3].map((n) =>
      offered(`a${n}`, n, { details: { seller: { id: `s${n}`, name: '=Seller' }, followers: 1_000 * n } }),
    ),
  );
  for (const n of [1, 2, 3]) {
    const place = { country: 'AT', name: `Firm ${n}` };
    await sight({
      kind: 'company',
      isWhole: true,
      facts: {
        ...place,
        slug: `firm-${n}`,
        description: '=1',
        industry: 'Banking',
        size: '2-10 employees',
        employees: null,
        headquarters: null,
        founded: null,
        website: null,
        specialties: ['anvils', 'saws'],
      },
    });
    await sight({
      kind: 'person',
      isWhole: true,
      facts: {
        ...place,
        slug: `person-${n}`,
        title: 'Head of Sales',
        company: { name: `Firm ${n}`, slug: `firm-${n}` },
        location: null,
      },
    });
  }
  await sweep(program.log, [[1, 2, 3].map(memberOf)], { owner: '903', hour: 1 });
  await program.project();
});
afterAll(() => program.close());

const ask = async (path: string, accept: string) => {
  const { statusCode, headers, body } = await program.app.inject({
    url: path,
    headers: { authorization: `Bearer ${key}`, accept },
  });
  return { status: statusCode, headers, body };
};

it('the exported lists are all exportable lists', async () => {
  const exportable = (await loadEndpoints()).filter(isExportable).map(({ operation }) => operation);
  expect(exportable.toSorted()).toEqual(Object.keys(PATHS).toSorted());
});

/** A cell of CSV as the value that it was written from. */
const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'string' && /^[=+\-@]/.test(value) ? `'${value}` : String(value);
};

it.each(Object.entries(PATHS))(
  '%s has the same rows in every format, page by page',
  async (operation, path) => {
    const all: Record<string, unknown>[] = (await program.get(`/v2${path}limit=1000`, key)).body.data;
    expect(all.length).toBeGreaterThan(2);
    for (const accept of ['application/x-ndjson', 'text/csv']) {
      const rows: unknown[] = [];
      let next: string | undefined = `/v2${path}limit=2`;
      while (next !== undefined) {
        const { status, headers, body } = await ask(next, accept);
        expect(status, body).toBe(200);
        if (accept === 'text/csv') rows.push(...parse(body, { columns: true }));
        else
          rows.push(
            ...body
              .split('\n')
              .filter(Boolean)
              .map((line) => JSON.parse(line)),
          );
        next = /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1];
        if (operation === 'listDirectoryChanges')
          expect(headers['x-resume-cursor']).toEqual(expect.any(String));
      }
      if (accept !== 'text/csv') expect(rows).toEqual(all);
      else
        expect(rows).toEqual(
          all.map((row) =>
            Object.fromEntries(Object.keys(rows[0] as object).map((column) => [column, cell(row[column])])),
          ),
        );
    }
  },
);

it.each(['application/json', 'application/x-ndjson', 'text/csv'])('%s is compressed', async (accept) => {
  const { headers } = await program.app.inject({
    url: '/v2/directory/changes?limit=100',
    headers: { authorization: `Bearer ${key}`, accept, 'accept-encoding': 'br' },
  });
  expect([headers['content-encoding'], headers.vary]).toEqual([
    'br',
    expect.stringMatching(/Accept\b.*accept-encoding/i),
  ]);
});
