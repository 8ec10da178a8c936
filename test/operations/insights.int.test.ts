import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readAccountInsights } from '../../src/operations/insights/account-insights.ts';
import { computeLadders } from '../../src/operations/insights/compute-ladders.ts';
import { ladderStream } from '../../src/write/insights.ts';
import { createTestProgram, posted, sighted, type TestProgram } from '../support/program.ts';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 9, 31, 12);
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();

const ten = (likes: number) =>
  Array.from({ length: 10 }, (_, n) => ({
    id: `t${n}`,
    at: daysAgo(20 + n),
    likes: likes + n,
    views: 1_000,
  }));

let program: TestProgram;
let key: string;
beforeAll(async () => {
  program = await createTestProgram();
  key = await program.issueKey(['insights:read']);
});
afterAll(() => program.close());

describe('insights out of the log', () => {
  it('equal the API’s, and those of an earlier time as of then', async () => {
    await program.append('x', 'ada', sighted('ada', daysAgo(5), { followers: 1_000 }));
    await program.append('x', 'ada', posted(daysAgo(5), ...ten(10)));
    const [, last] = await program.log.readStream('account-x:ada');
    const untilMs = Date.parse(last?.recorded_at as string);
    // The log counts in milliseconds: the next event must not be of this one.
    await vi.waitUntil(() => Date.now() > untilMs, { interval: 1 });
    await program.append('x', 'ada', posted(daysAgo(0), ...ten(90)));
    await program.project();
    const options = { days: 60 };
    const now = await readAccountInsights(program.log, 'x:ada', options);
    const { body } = await program.get('/v2/insights/x/ada?window_days=60', key);
    expect(now.figures.engagement_rate_followers?.value).toBe(0.0945);
    expect(body.data.engagement_rate_followers).toBe(0.0945);
    expect(body.data.intervals.engagement_rate_followers.low).toBeCloseTo(
      now.figures.engagement_rate_followers?.low as number,
      6,
    );
    const then = await readAccountInsights(program.log, 'x:ada', { ...options, untilMs });
    expect(then.figures.engagement_rate_followers?.value).toBeCloseTo(0.0145, 9);
    expect(then.window.to).toBe(daysAgo(5));
  });

  it('exist for any platform, and are refused for no account or none read by then', async () => {
    await program.append('youtube', 'ada', sighted('ada', daysAgo(0), { followers: 1_000 }));
    await program.append(
      'youtube',
      'ada',
      posted(daysAgo(0), ...ten(10).map((post, n) => ({ ...post, at: daysAgo(15 + n) }))),
    );
    const found = await readAccountInsights(program.log, 'youtube:@ada', { days: 365 });
    expect(found.posts_sampled).toBe(10);
    // A video of this week is not ripe.
    await program.append(
      'youtube',
      'bea',
      sighted('bea', daysAgo(0)),
      posted(daysAgo(0), ...ten(10).map((post, n) => ({ ...post, at: daysAgo(n) }))),
    );
    expect((await readAccountInsights(program.log, 'youtube:bea', { days: 365 })).posts_sampled).toBe(0);
    for (const wrong of ['ada', 'x:', 'myspace:ada', 'x:never-read!'])
      await expect(readAccountInsights(program.log, wrong), wrong).rejects.toThrow('is no account');
    await expect(readAccountInsights(program.log, 'x:ada', { untilMs: 0 })).rejects.toThrow('no reading');
  });
});

describe('ladders', () => {
  it('name the last event that they contain, and end with their platform’s count', async () => {
    await program.project();
    const head = await program.log.head();
    await computeLadders({ db: program.database.db, log: program.log });
    const events = await program.log.readStream(ladderStream('x'));
    expect(events.at(-1)?.type).toBe('PopulationCounted');
    const [{ through } = { through: '' }] = events.slice(-1).map(({ data }) => data as { through: string });
    for await (const page of program.log.readAll(head - 1n, { to: head }))
      expect(page.events.map(({ id }) => id)).toEqual([through]);
  });
});
