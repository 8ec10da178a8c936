import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memberOf, sweep } from '../support/follows.ts';
import { createTestProgram, sighted, type TestProgram } from '../support/program.ts';

let program: TestProgram;
let key: string;

const NUMBERS = Array.from({ length: 250 }, (_, n) => n + 1);

beforeAll(async () => {
  program = await createTestProgram();
  await program.append('x', 'star', sighted('star', '2026-10-02T00:00:00.000Z', { id: '900' }));
  await program.append('x', 'unread', sighted('unread', '2026-10-02T00:00:00.000Z', { id: '901' }));
  await program.append('x', 'lonely', sighted('lonely', '2026-10-02T00:00:00.000Z', { id: '902' }));
  await sweep(program.log, [NUMBERS.map(memberOf)], { owner: '900', hour: 1 });
  await sweep(program.log, [[memberOf(7), { id: '800', handle: null }]], {
    owner: '900',
    hour: 2,
    direction: 'following',
  });
  await sweep(program.log, [[]], { owner: '902', handle: 'lonely', hour: 1 });
  await sweep(program.log, [[memberOf(1)]], { owner: '903', handle: 'listed_only', hour: 1 });
  key = await program.issueKey(['leads:read']);
  await program.project();
});
afterAll(() => program.close());

const PATH = '/v2/leads/x/follower-graph';

const formatted = async (query: string, accept: string) => {
  const { body, statusCode, headers } = await program.app.inject({
    method: 'GET',
    url: `${PATH}?${query}`,
    headers: { authorization: `Bearer ${key}`, accept },
  });
  return {
    status: statusCode,
    type: headers['content-type'],
    coverage: headers['x-list-coverage'],
    cost: headers['x-request-cost'],
    lines: body.trimEnd().split(/\r?\n/),
  };
};

describe('exportFollowerGraph', () => {
  it('lists each follower once over its pages, in the same order for any page size', async () => {
    const sources: string[] = [];
    let cursor: string | null = null;
    do {
      const { status, body } = await program.get(
        `${PATH}?handle=star&limit=33${cursor === null ? '' : `&cursor=${cursor}`}`,
        key,
      );
      expect(status, JSON.stringify(body)).toBe(200);
      sources.push(...body.data.map(({ source }: { source: string }) => source));
      cursor = body.meta.next_cursor;
    } while (cursor !== null);
    expect(sources).toEqual(NUMBERS.map((n) => `fan${n}`));
  });

  it('names both ends of an edge, by id for a member without a handle', async () => {
    const followers = await program.get(`${PATH}?handle=@Star&limit=1`, key);
    expect(followers.body.data).toEqual([
      {
        source: 'fan1',
        target: 'star',
        first_seen_at: '2026-10-01T01:00:00.000Z',
        last_seen_at: '2026-10-01T01:00:00.000Z',
      },
    ]);
    const following = await program.get(`${PATH}?handle=id:900&direction=following`, key);
    expect(following.body.data).toMatchObject([
      { source: 'star', target: 'fan7' },
      { source: 'star', target: 'id:800' },
    ]);
  });

  it('says how much of the list was read, and when, in every format', async () => {
    const at = (hour: number) => new Date(Date.UTC(2026, 9, 1, hour)).toISOString();
    const list = (n: number) => ({ owner: `95${n}`, handle: `covered_${n}` });
    const two = [[memberOf(1)], [memberOf(2)]];
    await sweep(program.log, two, { ...list(1), hour: 1, end: 'open' });
    await sweep(program.log, two, { ...list(2), hour: 1 });
    await sweep(program.log, two, { ...list(2), hour: 5, end: 'capped' });
    await sweep(program.log, two, { ...list(3), hour: 1, end: 'capped' });
    await sweep(program.log, two, { ...list(3), hour: 5 });
    // A few pages of a live read say nothing of the rest.
    await sweep(program.log, [[memberOf(3)]], { ...list(3), hour: 9, end: 'open' });
    await sweep(program.log, two, { ...list(4), hour: 1, firstPage: 1 });
    await program.project();
    const never = { status: 'broken_off', ended_at: null, whole_at: null };
    const expected = [
      { ...never, read_at: at(2) },
      { status: 'capped', ended_at: at(6), whole_at: at(1), read_at: at(6) },
      { status: 'whole', ended_at: at(6), whole_at: at(5), read_at: at(9) },
      { ...never, read_at: at(2) },
    ];
    for (const [i, coverage] of expected.entries()) {
      const query = `handle=${list(i + 1).handle}`;
      const { body } = await program.get(`${PATH}?${query}`, key);
      expect(body.meta.coverage, query).toEqual(coverage);
      for (const accept of ['application/x-ndjson', 'text/csv']) {
        const page = await formatted(query, accept);
        const [status, ...times] = String(page.coverage).split('; ');
        const named = times.map((time) => [
          time.split('=')[0],
          JSON.parse(time.slice(time.indexOf('=') + 1)),
        ]);
        const { status: _, ...known } = coverage;
        expect([status, Object.fromEntries(named)], query).toEqual([
          coverage.status,
          Object.fromEntries(Object.entries(known).filter(([, time]) => time !== null)),
        ]);
      }
    }
    // An edge is as old as the page that showed it last, whatever was read of the list since.
    const { body } = await program.get(`${PATH}?handle=covered_3`, key);
    expect(Date.parse(body.meta.generated_at) - body.meta.cache_age_s * 1_000).toBeLessThan(
      Date.parse(at(7)),
    );
  });

  it('is NDJSON in pages of up to 5,000 edges, at one unit per hundred', async () => {
    const { status, type, cost, lines } = await formatted('handle=star&limit=5000', 'application/x-ndjson');
    expect([status, type, cost]).toEqual([200, 'application/x-ndjson; charset=utf-8', '3']);
    expect(lines).toHaveLength(250);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ source: 'fan1', target: 'star' });
  });

  it('is CSV', async () => {
    const { type, lines } = await formatted('handle=star', 'text/csv');
    expect(type).toBe('text/csv; charset=utf-8');
    expect(lines[0]).toBe('source,target,first_seen_at,last_seen_at');
    expect(lines[1]).toBe('fan1,star,2026-10-01T01:00:00.000Z,2026-10-01T01:00:00.000Z');
  });

  it('is empty for a list that was read whole and has no members', async () => {
    const { status, body } = await program.get(`${PATH}?handle=lonely`, key);
    expect([status, body.data, body.meta.next_cursor]).toEqual([200, [], null]);
  });

  it('exists for an account of which only the list was read', async () => {
    const { body } = await program.get(`${PATH}?handle=listed_only`, key);
    expect(body.data).toMatchObject([{ source: 'fan1', target: 'listed_only' }]);
  });

  it.each([
    ['an account that is unknown', 'handle=nowhere', 'no such account'],
    ['an account whose list was never read', 'handle=unread', 'never read'],
    ['the direction that was never read', 'handle=lonely&direction=following', 'never read'],
  ])('answers 404 for %s', async (_, query, message) => {
    const { status, body } = await program.get(`${PATH}?${query}`, key);
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    expect(body.error.message).toContain(message);
  });

  it.each([
    ['', 'handle'],
    ['handle=not%20a%20handle', 'handle'],
    ['handle=id:x', 'handle'],
    ['handle=star&direction=both', 'direction'],
  ])('rejects the query "%s"', async (query, parameter) => {
    const { status, body } = await program.get(`${PATH}?${query}`, key);
    expect([status, body.error.code]).toEqual([400, 'invalid_request']);
    expect(JSON.stringify(body.error.details)).toContain(parameter);
  });

  it('has no cell that a spreadsheet executes, even for a handle that no platform allows', async () => {
    await sweep(
      program.log,
      [
        [
          { id: '1005', handle: '=cmd|calc' },
          { id: '1006', handle: '+1,"2"' },
        ],
      ],
      {
        owner: '904',
        handle: 'odd',
        hour: 1,
      },
    );
    await program.project();
    const { lines } = await formatted('handle=odd', 'text/csv');
    expect(lines[1]).toMatch(/^'=cmd\|calc,odd,/);
    expect(lines[2]).toMatch(/^"'\+1,""2""",odd,/);
  });
});
