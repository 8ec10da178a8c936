import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { truthOf } from '../../infra/simulator/ground-truth.ts';
import { ensureSeedPool, recruitSeeds } from '../../src/crawlers/pools/choose-pool.ts';
import { isoOf } from '../../src/kernel/clock.ts';
import { accountStream, recordSighting } from '../../src/write/accounts/account.ts';
import { emptyProfile } from '../../src/write/accounts/profile.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { membersStream, recruitMembers } from '../../src/write/pools/pool.ts';
import { createTestCrawl, NOW, type TestCrawl } from '../support/crawl.ts';
import { createTestProgram, type TestProgram } from '../support/program.ts';
import { until } from '../support/wait.ts';

const START = Date.UTC(2026, 9, 1);

describe('recruiting', () => {
  let program: TestProgram;
  beforeAll(async () => {
    program = await createTestProgram();
    await ensureSeedPool(program.log, 'x', START);
  });
  afterAll(() => program.close());

  const see = (handle: string, minute: number, followers: number | null) =>
    recordSighting(
      program.log,
      'x',
      handle,
      {
        observedAt: isoOf(START + minute * 60_000),
        source: 'live',
        surface: 'page',
        found: {
          status: 'active',
          profile: { ...emptyProfile(handle), followers },
          posts: null,
          measured: [],
        },
      },
      { nowMs: START },
    );
  const typesOf = async (handle: string) =>
    (await program.log.readStream(accountStream('x', handle))).map(({ type }) => type);
  const dueOf = async (handle: string) => {
    await program.project();
    const { rows } = await program.database.db.query<{ pool: string; due_at: string }>(
      `select pool, due_at from ${program.builds.schema('frontier')}.due where platform = 'x' and handle = $1`,
      [handle],
    );
    return rows;
  };

  const membersOf = async (pool: string) =>
    (await program.log.readStream(membersStream('x', pool))).map(({ data }) => data);

  it('takes an account that was read before any pool had it, and makes it due at once', async () => {
    await see('readlive', 1, 5);
    expect(await dueOf('readlive')).toEqual([]);
    await recruitSeeds(program.log, 'x', ['readlive'], START + 120_000);
    await recruitSeeds(program.log, 'x', ['readlive'], START + 180_000);
    expect(await typesOf('readlive')).toEqual(['AccountSighted']);
    expect(await dueOf('readlive')).toEqual([{ pool: 'seed-x', due_at: isoOf(START + 120_000) }]);
  });

  it('repeats the same event on a retry', async () => {
    const recruitment = { platform: 'x', pool: 'again', observed_at: isoOf(START) } as const;
    const members = [{ handle: 'retried', via: 'demand' as const, from: null, depth: 0 }];
    await recruitMembers(program.log, [{ ...recruitment, members }]);
    await recruitMembers(program.log, [{ ...recruitment, members }]);
    expect(await membersOf('again')).toEqual([{ observed_at: isoOf(START), members }]);
  });

  it('splits members into events within the log’s limits', async () => {
    const long = 'a'.repeat(240);
    const members = Array.from({ length: 1_100 }, (_, i) => ({
      handle: `${long}${i}`,
      via: 'seed' as const,
      from: null,
      depth: 0,
    }));
    const recruitment = { platform: 'x', pool: 'large', observed_at: isoOf(START) } as const;
    await recruitMembers(program.log, [{ ...recruitment, members }]);
    const events = (await membersOf('large')) as { members: unknown[] }[];
    expect(events.flatMap((event) => event.members)).toEqual(members);
    for (const event of events) expect(JSON.stringify(event).length).toBeLessThan(100_000);
  });

  it('leaves an account to the first pool in the log', async () => {
    await recruitSeeds(program.log, 'x', ['seeded'], START);
    await see('seeded', 1, 5);
    const members = [{ handle: 'seeded', via: 'demand' as const, from: null, depth: 0 }];
    await recruitMembers(program.log, [
      { platform: 'x', pool: 'demand-x', observed_at: isoOf(START - 1), members },
    ]);
    expect((await dueOf('seeded'))[0]?.pool).toBe('seed-x');
  });

  it('completes a partial reading from the last whole one, however many events ago', async () => {
    await see('fading', 0, 7);
    const gone = (minute: number) =>
      recordSighting(
        program.log,
        'x',
        'fading',
        {
          observedAt: isoOf(START + minute * 60_000),
          source: 'crawler',
          surface: 'graphql',
          found: { status: 'suspended' },
        },
        { nowMs: START },
      );
    for (let minute = 1; minute <= 100; minute++) await gone(minute);
    await see('fading', 101, null);
    const last = (await program.log.readStream(accountStream('x', 'fading'))).at(-1);
    expect(last).toMatchObject({ type: 'AccountSighted', data: { profile: { followers: 7 } } });
  });
});

describe('the first reading of a leased account', () => {
  let program: TestProgram;
  let read: string[];
  beforeAll(async () => {
    program = await createTestProgram();
    await ensureSeedPool(program.log, 'x', START);
  });
  afterAll(() => program.close());

  const readLeased = async (handle: string, followers: number) => {
    read = [];
    const log: EventLog = {
      ...program.log,
      readStream: (stream, options) => {
        read.push(stream);
        return program.log.readStream(stream, options);
      },
    };
    const profile = { ...emptyProfile(handle), followers };
    const found = { status: 'active' as const, profile, posts: null, measured: [] };
    const sighting = {
      observedAt: isoOf(START + 3_600_000),
      source: 'crawler',
      surface: 'page',
      found,
    } as const;
    await recordSighting(log, 'x', handle, sighting, { nowMs: START, isNew: true });
    return (await program.log.readStream(accountStream('x', handle))).map(({ type }) => type);
  };
  const seeLive = (handle: string, followers: number) => {
    const profile = { ...emptyProfile(handle), followers };
    const found = { status: 'active' as const, profile, posts: null, measured: [] };
    const sighting = { observedAt: isoOf(START), source: 'live', surface: 'page', found } as const;
    return recordSighting(program.log, 'x', handle, sighting, { nowMs: START });
  };

  it('starts the stream without reading it', async () => {
    expect(await readLeased('unread', 5)).toEqual(['AccountSighted']);
    expect(read).toEqual([]);
  });

  it('is decided on the stream if it exists', async () => {
    await seeLive('read', 5);
    expect(await readLeased('read', 6)).toEqual(['AccountSighted', 'AccountUnchanged']);
  });
});

describe('an account that was read live first', () => {
  let crawl: TestCrawl;
  beforeAll(async () => {
    crawl = await createTestCrawl({ size: 30 });
  });
  afterAll(() => crawl.close());

  it('is crawled from then on, once it is seeded', { tags: 'long' }, async () => {
    const index = Array.from({ length: 30 }, (_, i) => i).find(
      (i) => truthOf(crawl.simulator.world, 'bluesky', i, NOW).visible[0]?.status === 'present',
    );
    const { handle } = truthOf(crawl.simulator.world, 'bluesky', index ?? 0, NOW);
    const stream = accountStream('bluesky', handle);
    expect((await crawl.get(`/accounts/bluesky/${handle}/live`)).body.data).toMatchObject({ exists: true });
    await recruitSeeds(crawl.program.log, 'bluesky', [handle], Date.now());
    crawl.run();
    await until('the crawl has read it', async () => {
      const events = await crawl.program.log.readStream(stream);
      return events.some(({ data }) => (data as { source?: string }).source === 'crawler');
    });
    const events = await crawl.program.log.readStream(stream);
    expect(events.filter(({ type }) => type.startsWith('Account')).map(({ type }) => type)).toEqual([
      'AccountSighted',
      'AccountUnchanged',
    ]);
  });
});
