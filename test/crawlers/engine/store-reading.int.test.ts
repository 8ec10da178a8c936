import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConclusiveReading } from '../../../src/crawlers/engine/sighting.ts';
import { createReadingStore } from '../../../src/crawlers/engine/visitor.ts';
import type { Lease } from '../../../src/crawlers/frontier.ts';
import { youtube } from '../../../src/crawlers/platforms/youtube/index.ts';
import type { Recruiter } from '../../../src/crawlers/recruiter.ts';
import { isoOf } from '../../../src/kernel/clock.ts';
import type { Platform } from '../../../src/kernel/platform.ts';
import { accountStream, recordSighting } from '../../../src/write/accounts/account.ts';
import { emptyProfile } from '../../../src/write/accounts/profile.ts';
import type { EventLog } from '../../../src/write/log/port.ts';
import { membersStream, recruitMembers } from '../../../src/write/pools/pool.ts';
import { idleRecruiter } from '../../support/leases.ts';
import { createTestProgram, type TestProgram } from '../../support/program.ts';

const AT = Date.UTC(2026, 9, 1);
const CHANNEL = 'UCabcdefghijklmnopqrstuv';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
});
afterAll(() => program.close());

const readingOf = (handle: string, followers: number): ConclusiveReading => ({
  status: 'present',
  surface: 'page',
  warnings: [],
  profile: { ...emptyProfile(handle), id: CHANNEL, followers },
  posts: null,
  measured: [],
});

/** Recruits into a pool with or without capacity. */
const recruiter = (hasCapacity: boolean): Recruiter => ({
  ...idleRecruiter,
  name: async (found, { from }) => {
    named = found.map(({ platform, handle }) => `${platform}:${handle} by ${from}`);
  },
  take: async (finds, nowMs) => {
    if (!hasCapacity) return { recruited: 0, refused: new Set(finds.map(({ handle }) => handle)) };
    for (const { platform, handle, via, from, depth } of finds) {
      const members = [{ handle, via, from, depth }];
      const pool = `seed-${platform}`;
      await recruitMembers(program.log, [{ platform, pool, observed_at: isoOf(nowMs), members }]);
    }
    return { recruited: finds.length, refused: new Set() };
  },
});

/** What readings name: the account, and by whom. */
let named: string[] = [];

/** Members of a platform's seed pool. */
const membersOf = async (platform: Platform) =>
  (await program.log.readStream(membersStream(platform, `seed-${platform}`))).map(({ data }) => data);

const store = (
  hasCapacity: boolean,
  named: string,
  reading: ConclusiveReading,
  log: EventLog = program.log,
) => {
  const done: string[] = [];
  const storing = createReadingStore({
    adapter: youtube,
    log,
    frontier: {
      done: async (_platform, handle) => {
        done.push(handle);
      },
    },
    recruiter: recruiter(hasCapacity),
    clock: { now: () => AT + 60_000 },
    keep: (work) => work(),
    onDiscovered: () => undefined,
  });
  const lease: Lease = {
    platform: 'youtube',
    handle: named,
    pool: 'seed-youtube',
    reader: 'seed-youtube',
    charged: 1,
    depth: 0,
    isNew: false,
    candidate: null,
    failures: 0,
    untilMs: AT + 120_000,
  };
  return storing(lease, reading, AT + 60_000).then((handle) => ({ handle, done }));
};

const typesOf = async (handle: string) =>
  (await program.log.readStream(accountStream('youtube', handle))).map(({ type }) => type);

it('an account linked by its id is followed by its handle, which the pool recruits', async () => {
  expect(await store(true, CHANNEL, readingOf('linked', 5))).toEqual({ handle: 'linked', done: [CHANNEL] });
  expect(await typesOf('linked')).toEqual(['AccountSighted']);
  expect(await membersOf('youtube')).toMatchObject([{ members: [{ handle: 'linked', via: 'link' }] }]);
  expect(await typesOf(CHANNEL)).toEqual([]);
});

it('an account that lost its handle is stored by its id', async () => {
  expect(await store(true, 'former', readingOf(CHANNEL, 7))).toEqual({ handle: CHANNEL, done: ['former'] });
  expect(await typesOf(CHANNEL)).toEqual(['AccountSighted']);
  expect(await typesOf('former')).toEqual([]);
});

it('an account that no pool could take is decided on its own stream', async () => {
  await recordSighting(
    program.log,
    'youtube',
    'full',
    {
      observedAt: isoOf(AT),
      source: 'live',
      surface: 'page',
      found: {
        status: 'active',
        profile: { ...emptyProfile('full'), id: CHANNEL, followers: 5 },
        posts: null,
        measured: [],
      },
    },
    { nowMs: AT },
  );
  await store(false, CHANNEL, readingOf('full', 6));
  expect(await typesOf('full')).toEqual(['AccountSighted', 'AccountUnchanged']);
});

it('accounts that the reading names are noted', async () => {
  const reading = readingOf('naming', 5);
  if (reading.status !== 'present') throw new Error('it is present');
  await store(true, 'naming', {
    ...reading,
    profile: { ...reading.profile, links: ['https://x.com/named_by_link'] },
  });
  expect(named).toEqual(['x:named_by_link by account-youtube:naming']);
});

it('accounts that a reading names are noted before it is recorded: a crash in between leaves its account due', async () => {
  const reading = readingOf('crashing', 5);
  const profile = { ...emptyProfile('crashing'), id: CHANNEL, links: ['https://www.youtube.com/@named'] };
  const crashing: EventLog = {
    ...program.log,
    append: async (stream, ...rest) => {
      if (stream === accountStream('youtube', 'crashing')) throw new Error('crashed');
      return program.log.append(stream, ...rest);
    },
  };
  const done: string[] = [];
  await expect(
    store(true, 'crashing', { ...reading, profile } as ConclusiveReading, crashing).then((stored) =>
      done.push(...stored.done),
    ),
  ).rejects.toThrow('crashed');
  expect(done).toEqual([]);
  expect(await typesOf('crashing')).toEqual([]);
  expect(named).toEqual(['youtube:named by account-youtube:crashing']);
});
