import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { truthOf } from '../../infra/simulator/ground-truth.ts';
import { createRecruiter } from '../../src/crawlers/recruiter.ts';
import { ensureSeedPool, recruitSeeds } from '../../src/crawlers/seed-pool.ts';
import { isoOf } from '../../src/kernel/clock.ts';
import { accountStream } from '../../src/write/accounts/events.ts';
import { emptyProfile } from '../../src/write/accounts/reading.ts';
import { recordDiscoveries, recordSighting } from '../../src/write/accounts/record-sighting.ts';
import { handleCommand } from '../../src/write/log/command-handler.ts';
import type { EventLog } from '../../src/write/log/port.ts';
import { createPool, poolDecider } from '../../src/write/pools/decide.ts';
import { poolStream } from '../../src/write/pools/events.ts';
import { createTestCrawl, NOW, type TestCrawl } from '../support/crawl.ts';
import { poolCreated } from '../support/pools.ts';
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
    const { rows } = await program.database.db.query<{ pool: string; due_at: Date }>(
      `select pool, due_at from ${program.builds.schema('frontier')}.due where platform = 'x' and handle = $1`,
      [handle],
    );
    return rows;
  };

  it('takes an account that was read before any pool had it, once, and makes it due at once', async () => {
    await see('readlive', 1, 5);
    expect(await dueOf('readlive')).toEqual([]);
    expect(await recruitSeeds(program.log, 'x', ['readlive'], START + 120_000)).toBe(1);
    expect(await recruitSeeds(program.log, 'x', ['readlive'], START + 180_000)).toBe(0);
    expect(await typesOf('readlive')).toEqual(['AccountSighted', 'AccountRecruited']);
    expect(await dueOf('readlive')).toEqual([{ pool: 'seed-x', due_at: new Date(START + 120_000) }]);
  });

  it('leaves an account to the pool that discovered it', async () => {
    await recruitSeeds(program.log, 'x', ['seeded'], START);
    await see('seeded', 1, 5);
    const data = { observed_at: isoOf(START), via: 'demand' as const, pool: 'demand-x', from: null };
    expect(await recordDiscoveries(program.log, [{ platform: 'x', handle: 'seeded', data }])).toBe(0);
    expect(await typesOf('seeded')).toEqual(['AccountDiscovered', 'AccountSighted']);
    expect((await dueOf('seeded'))[0]?.pool).toBe('seed-x');
  });

  it('finds a recruiting that is older than any window of the stream', async () => {
    await see('longlived', 0, 0);
    expect(await recruitSeeds(program.log, 'x', ['longlived'], START)).toBe(1);
    for (let minute = 1; minute <= 130; minute++) await see('longlived', minute, minute);
    expect(await recruitSeeds(program.log, 'x', ['longlived'], START)).toBe(0);
  });

  it('lets one of many recruiters win, whatever they race for', async () => {
    await see('wanted', 1, 5);
    const pools = Array.from({ length: 6 }, (_, i) => `demand-${i}`);
    for (const pool of pools) {
      const create = createPool(poolCreated(pool, 'x', START, { rule: 'demand' }));
      await handleCommand(program.log, poolDecider, poolStream(pool), create, { nowMs: START });
    }
    const counts = await Promise.all(
      pools.map((pool) => {
        const data = { observed_at: isoOf(START), via: 'demand' as const, pool, from: null };
        return recordDiscoveries(program.log, [{ platform: 'x', handle: 'wanted', data }]);
      }),
    );
    expect(counts.reduce((sum, n) => sum + n)).toBe(1);
    const events = await program.log.readStream(accountStream('x', 'wanted'));
    const recruited = events.filter(({ type }) => type === 'AccountRecruited');
    expect(recruited).toHaveLength(1);
    const winner = pools[counts.indexOf(1)];
    expect(recruited[0]?.data).toMatchObject({ pool: winner, via: 'demand', from: null });
    expect((await dueOf('wanted')).map(({ pool }) => pool)).toEqual([winner]);
  });

  it('tries an account once that readings name at the same time, and again after a failure', async () => {
    await program.project();
    let appends = 0;
    let isAway = true;
    const log: EventLog = {
      ...program.log,
      appendMany: async (batch) => {
        appends += batch.length;
        if (isAway) throw new Error('the log is away');
        return program.log.appendMany(batch);
      },
    };
    const recruiter = createRecruiter(program.database.db, program.builds, log);
    const found = [{ platform: 'x' as const, handle: 'famous', via: 'mention' as const }];
    const recruit = () => recruiter.recruit(found, accountStream('x', 'seeded'), START);
    await expect(recruit()).rejects.toThrow('the log is away');
    isAway = false;
    const counts = await Promise.all([recruit(), recruit(), recruit()]);
    expect(counts.toSorted()).toEqual([0, 0, 1]);
    expect(appends).toBe(2);
  });

  it('takes an account that a reading names and that was read before', async () => {
    await see('mentioned', 1, 5);
    await program.project();
    const recruiter = createRecruiter(program.database.db, program.builds, program.log);
    const found = [{ platform: 'x' as const, handle: 'mentioned', via: 'mention' as const }];
    expect(await recruiter.recruit(found, accountStream('x', 'seeded'), START + 60_000)).toBe(1);
    expect(await typesOf('mentioned')).toEqual(['AccountSighted', 'AccountRecruited']);
  });

  it('completes a partial reading from the last whole one, however many events ago that was', async () => {
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
    await recordSighting(log, 'x', handle, sighting, { nowMs: START, leased: true });
    return (await program.log.readStream(accountStream('x', handle))).map(({ type }) => type);
  };
  const seeLive = (handle: string, followers: number) => {
    const profile = { ...emptyProfile(handle), followers };
    const found = { status: 'active' as const, profile, posts: null, measured: [] };
    const sighting = { observedAt: isoOf(START), source: 'live', surface: 'page', found } as const;
    return recordSighting(program.log, 'x', handle, sighting, { nowMs: START });
  };

  it('is appended without reading the stream', async () => {
    await recruitSeeds(program.log, 'x', ['unread'], START);
    expect(await readLeased('unread', 5)).toEqual(['AccountDiscovered', 'AccountSighted']);
    expect(read).toEqual([]);
  });

  it('is decided on the whole stream if that has later events', async () => {
    await recruitSeeds(program.log, 'x', ['read'], START);
    await seeLive('read', 5);
    expect(await readLeased('read', 6)).toEqual(['AccountDiscovered', 'AccountSighted', 'AccountUnchanged']);
  });

  it('is decided on the whole stream if that began with a reading', async () => {
    await seeLive('live', 5);
    await recruitSeeds(program.log, 'x', ['live'], START);
    expect(await readLeased('live', 6)).toEqual(['AccountSighted', 'AccountRecruited', 'AccountUnchanged']);
  });
});

describe('an account that was read live first', () => {
  let crawl: TestCrawl;
  beforeAll(async () => {
    crawl = await createTestCrawl({ size: 30 });
  });
  afterAll(() => crawl.close());

  it('is crawled from then on, once it is seeded', async () => {
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
      'AccountRecruited',
      'AccountUnchanged',
    ]);
  });
});
