import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Endpoint } from '../../src/api/contract/endpoint.ts';
import { computeLadders } from '../../src/operations/insights/compute-ladders.ts';
import type { Post } from '../../src/write/accounts/post.ts';
import { quotaOf, usageOf } from '../support/holders.ts';
import { createTestProgram, posted, sighted, type TestProgram } from '../support/program.ts';
import { loadTools, type ToolCall, toolCalls } from '../support/tools.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 9, 31, 12);
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

/** Posts of the days from the fifth on, one a day, with so many likes and the rest of them in turn. */
const postsOf = (count: number, likes: (n: number) => number): (Partial<Post> & { id: string })[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `p${n}`,
    at: daysAgo(5 + n / 2),
    likes: likes(n),
    replies: 0,
    reposts: 0,
    quotes: 0,
    views: 100 * likes(n),
  }));

/** What a session's timeline shows: newest first. */
const timeline = (at: string, ...posts: (Partial<Post> & { id: string })[]) => {
  const event = posted(at, ...posts);
  if (event.type !== 'PostsSighted') throw new Error('no posts');
  return { ...event, data: { ...event.data, order: 'time' as const } };
};

let program: TestProgram;
let key: string;
let call: ToolCall;
let tools: readonly Endpoint[];

beforeAll(async () => {
  tools = await loadTools();
  program = await createTestProgram();
  key = await program.issueKey(['tools:run']);
  call = await toolCalls(program, key);
  await program.append(
    'x',
    'ada',
    sighted('ada', daysAgo(0), {
      id: '1580000000000000000',
      followers: 1_000,
      created_at: '2020-01-01T00:00:00.000Z',
    }),
    timeline(daysAgo(0), ...postsOf(20, (n) => 20 + ((7 * n) % 20))),
  );
  await program.append(
    'x',
    'bea',
    sighted('bea', daysAgo(0), { id: '1580000000000000001', followers: 1_000 }),
    timeline(daysAgo(0), ...postsOf(20, (n) => 900 + ((7 * n) % 20))),
  );
  await program.append(
    'instagram',
    'cleo',
    sighted('cleo', daysAgo(300), { followers: 500 }),
    timeline(daysAgo(0), ...postsOf(3, () => 9)),
  );
  for (let n = 0; n < 40; n++)
    await program.append(
      'telegram',
      `crowd${n}`,
      sighted(`crowd${n}`, daysAgo(0), { followers: 100 * (n + 1) }),
    );
  await program.append(
    'bluesky',
    'dora.test',
    sighted('dora.test', daysAgo(0), { display_name: 'Dora Quill Hess', links: ['https://t.me/dora_quill'] }),
  );
  await program.append(
    'telegram',
    'dora_quill',
    sighted('dora_quill', daysAgo(0), {
      display_name: 'Dora Quill Hess',
      links: ['https://bsky.app/profile/dora.test'],
    }),
  );
  await program.project();
  await computeLadders({ db: program.database.db, log: program.log });
  await program.project();
});
afterAll(() => program.close());

describe('listTools', () => {
  it('has every tool once over its pages, with its schemas and cost', async () => {
    const listed: { name: string; input_schema: object; output_schema: object; cost: number }[] = [];
    let cursor = '';
    do {
      const { body } = await program.get(`/v2/tools?limit=3${cursor}`, key);
      listed.push(...body.data);
      cursor = body.meta.next_cursor === null ? '' : `&cursor=${body.meta.next_cursor}`;
    } while (cursor !== '');
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ tool }) => tool?.name));
    for (const [i, { input_schema, output_schema, cost }] of listed.entries()) {
      const { body, data } = tools[i] as Endpoint & { body: z.ZodType };
      expect(input_schema).toEqual(
        JSON.parse(
          JSON.stringify(z.toJSONSchema(body, { io: 'input', reused: 'inline', unrepresentable: 'any' })),
        ),
      );
      expect(output_schema).toMatchObject({ type: 'object' });
      expect(z.toJSONSchema(data, { reused: 'inline', unrepresentable: 'any' })).toMatchObject({
        type: 'object',
      });
      expect(cost).toBe(5);
    }
  });
});

describe('a tool that reads no platform', () => {
  it('is charged in one statement without a reservation, and refunded without a result', async () => {
    const { db } = program.database;
    await db.query(`create function no_reservation() returns trigger language plpgsql
      as $$ begin raise exception 'nothing is reserved'; end $$;
      create trigger no_reservation before insert on metering.reservations for each row execute function no_reservation()`);
    const holder = 'toolmaker';
    const own = await program.issueKey(['tools:run'], { holder });
    const run = (handle: string) =>
      program.post('/v2/tools/account-age', { platform: 'x', handle }, own, {
        'idempotency-key': `of ${handle}`,
      });
    try {
      const answered = await Promise.all(Array.from({ length: 20 }, (_, n) => run(n % 2 ? 'ada' : 'absent')));
      expect(new Set(answered.map(({ status }) => status))).toEqual(new Set([200, 404, 409]));
      expect((await run('ada')).headers['idempotency-replayed']).toBe('true');
      const missing = await run('absent');
      expect([missing.status, quotaOf(missing)['x-request-cost']]).toEqual([404, '0']);
      expect(await usageOf(program, holder)).toMatchObject({ budget_units: 5, live_calls: 1 });
    } finally {
      await db.query('drop trigger no_reservation on metering.reservations; drop function no_reservation');
    }
  });
});

describe('every tool', () => {
  it('charges a live call for a result, and nothing for a refusal', async () => {
    const post = (body: unknown) => program.post('/v2/tools/account-age', body, key);
    const done = await post({ platform: 'x', handle: 'ada' });
    expect([done.status, done.headers['x-request-cost']]).toEqual([200, '5']);
    const refused = await post({ platform: 'x', handle: 'nobody' });
    expect([refused.status, refused.headers['x-request-cost']]).toEqual([404, '0']);
  });
});

describe('runEngagementRate', () => {
  it('has medians with intervals and the age of each input, and refuses few posts', async () => {
    const { data, meta } = await call('engagement-rate', { platform: 'x', handle: '@ada' });
    expect(data).toMatchObject({ handle: 'ada', posts_n: 20, engagement_rate_followers: { median: 0.0295 } });
    expect(data.inputs.map(({ input }: { input: string }) => input)).toEqual([
      'account',
      'posts',
      'population',
    ]);
    expect(data.inputs[1].observed_at).toBe(daysAgo(0));
    expect(meta.method_version).toBe('1');
    const few = await call('engagement-rate', { platform: 'instagram', handle: 'cleo', window_days: 365 });
    expect([few.status, few.error.code]).toEqual([422, 'insufficient_data']);
    expect((await call('engagement-rate', { platform: 'x', handle: 'ada', window_days: 6 })).status).toBe(
      400,
    );
    expect((await call('engagement-rate', { platform: 'x', handle: 'ada', extra: 1 })).status).toBe(400);
  });
});

describe('runBestTimeToPost', () => {
  it('refuses few posts, and an unknown time zone', async () => {
    const few = await call('best-time-to-post', { platform: 'x', handle: 'ada' });
    expect([few.status, few.error.details]).toEqual([422, [{ path: 'posts', message: 'has 20, needs 40' }]]);
    const { error } = await call('best-time-to-post', { platform: 'x', handle: 'ada', timezone: 'Mars/X' });
    expect(error.details[0].path).toBe('body.timezone');
  });
});

describe('runAccountAge', () => {
  it('uses the stated time, then the time in the ID, then a bound', async () => {
    const ageOf = async (platform: string, handle: string) =>
      (await call('account-age', { platform, handle })).data;
    expect(await ageOf('x', 'ada')).toMatchObject({
      created_at: '2020-01-01T00:00:00.000Z',
      basis: 'profile',
      at_least: false,
    });
    expect(await ageOf('x', 'bea')).toMatchObject({ created_at: '2022-10-12T00:58:49.637Z', basis: 'id' });
    expect(await ageOf('instagram', 'cleo')).toMatchObject({
      created_at: null,
      basis: 'first_seen',
      at_least: true,
    });
  });
});

describe('runFollowerRank', () => {
  it('ranks a number or an account on its platform’s ladder, and refuses both or neither', async () => {
    const middle = (await call('follower-rank', { platform: 'telegram', followers: 2_050 })).data;
    expect(middle.percentile).toBeGreaterThan(45);
    expect(middle.percentile).toBeLessThan(55);
    expect(middle.low <= middle.percentile && middle.percentile <= middle.high).toBe(true);
    const first = (await call('follower-rank', { platform: 'telegram', handle: 'crowd39' })).data;
    expect(first).toMatchObject({ followers: 4_000, handle: 'crowd39' });
    expect(first.rank_estimate).toBeLessThanOrEqual(2);
    expect((await call('follower-rank', { platform: 'telegram' })).status).toBe(400);
    expect(
      (await call('follower-rank', { platform: 'telegram', handle: 'crowd1', followers: 1 })).status,
    ).toBe(400);
    const none = await call('follower-rank', { platform: 'youtube', followers: 5 });
    expect([none.status, none.error.code]).toEqual([422, 'insufficient_data']);
  });
});

describe('runUsernameScore', () => {
  it('is the sum of its parts', async () => {
    const { data } = await call('username-score', { handle: '@x_9981_zz' });
    const points = data.components.reduce(
      (sum: number, { points: each }: { points: number }) => sum + each,
      0,
    );
    expect(data.score).toBeCloseTo(points, 3);
    expect(data).toMatchObject({ handle: 'x_9981_zz', length: 9, pattern: 'separated' });
    const best = (await call('username-score', { handle: 'nasa' })).data;
    expect(best.score).toBe(100);
    for (const handle of ['', '@@nasa', 'company:acme', 'did:plc:z72i7hdynmk6r22z27h6tvur'])
      expect((await call('username-score', { handle })).status, handle).toBe(400);
  });
});

describe('runCrossPlatformMatch', () => {
  it('has the accounts that evidence holds together, and none for an account without links', async () => {
    const { data } = await call('cross-platform-match', { platform: 'bluesky', handle: 'dora.test' });
    expect(data.candidates).toMatchObject([{ platform: 'telegram', handle: 'dora_quill' }]);
    expect(data.candidates[0].confidence).toBeGreaterThan(0.9);
    expect(data.candidates[0].evidence.length).toBeGreaterThan(0);
    const alone = await call('cross-platform-match', { platform: 'x', handle: 'ada' });
    expect(alone.data).toMatchObject({ candidates: [] });
    expect((await call('cross-platform-match', { platform: 'x', handle: 'nobody' })).status).toBe(404);
  });
});

describe('runAccountCompare', () => {
  it('names the account with the highest figure, and whether its interval is above the others', async () => {
    const accounts = ['ada', 'bea'].map((handle) => ({ platform: 'x', handle }));
    const { data } = await call('account-compare', { accounts });
    expect(data.rows.map(({ handle }: { handle: string }) => handle)).toEqual(['ada', 'bea']);
    const best = (metric: string) =>
      data.best_by_metric.find((each: { metric: string }) => each.metric === metric);
    expect(best('engagement_rate_followers')).toMatchObject({ index: 1, distinguishable: true });
    expect(best('posts_per_week')).toMatchObject({ distinguishable: false });
  });

  it('leaves out figures of too few posts, and lists accounts that the catalog lacks', async () => {
    const [ada, cleo] = [
      { platform: 'x', handle: 'ada' },
      { platform: 'instagram', handle: 'cleo' },
    ];
    expect((await call('account-compare', { accounts: [ada, cleo] })).error.code).toBe('insufficient_data');
    const { error } = await call('account-compare', { accounts: [ada, { platform: 'x', handle: 'nobody' }] });
    expect([error.code, error.details[0].path]).toEqual(['not_found', 'body.accounts.1.handle']);
    expect((await call('account-compare', { accounts: [ada] })).status).toBe(400);
  });

  it('refuses an account that is named twice, in any form', async () => {
    for (const again of ['@ADA', 'id:1580000000000000000']) {
      const accounts = ['bea', 'ada', again].map((handle) => ({ platform: 'x', handle }));
      const { status, error } = await call('account-compare', { accounts });
      expect([status, error.code, error.details[0].path]).toEqual([
        400,
        'invalid_request',
        'body.accounts.2.handle',
      ]);
    }
  });
});
