/** A program with one account in every kind of event, to hide and to erase it. */

import PQueue from 'p-queue';
import { parseConfig } from '../../src/kernel/config.ts';
import { uuidV7 } from '../../src/kernel/ids.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import type { Platform } from '../../src/kernel/platform.ts';
import { sql } from '../../src/kernel/postgres/statement.ts';
import type { Random } from '../../src/kernel/random.ts';
import { verifyProjection } from '../../src/operations/projections/builds.ts';
import { waitForProjection } from '../../src/operations/projections/read-model.ts';
import { projections } from '../../src/projections/registry.ts';
import { openRuntime, type Runtime } from '../../src/runtime/open-runtime.ts';
import type { AccountEvent } from '../../src/write/accounts/account.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { posted, sighted, unchanged } from './program.ts';

/** Each names the subject, and stands nowhere else. */
export const CANARIES = [
  'ada_canary',
  '990017001',
  'canaryname',
  'biocanary',
  'linkcanary',
  'picturecanary',
  'postcanary',
];
export const NAMES = { platform: 'x' as const, nativeId: null, handles: CANARIES };
export const SUBJECT_KEY = Buffer.alloc(32, 7).toString('base64');
export const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 0, minute)).toISOString();
const signal = new AbortController().signal;
export const OPTIONS = { signal, onProgress: () => undefined };

export const ada = {
  id: '990017001',
  display_name: 'Adaline Canaryname',
  bio: 'I am biocanary',
  links: ['https://linkcanary.example/'],
  avatar_url: 'https://img.example/picturecanary.jpg',
  followers: 5_000,
};

export const databases: TestDatabase[] = [];
const runtimes: Runtime[] = [];

/** A runtime on a database of its own. */
export const openSubjectRuntime = async (more: Readonly<Record<string, string>> = {}): Promise<Runtime> => {
  const database = await createTestDatabase(2, 'built');
  databases.push(database);
  return reopen(database.url, SUBJECT_KEY, more);
};
export const reopen = async (
  url: string,
  keys: string | undefined,
  more: Readonly<Record<string, string>> = {},
): Promise<Runtime> => {
  const config = parseConfig({
    DATABASE_URL: url,
    LOG_LEVEL: 'silent',
    ...more,
    ...(keys === undefined ? {} : { ERASURE_KEY: keys }),
  });
  const runtime = await openRuntime(config, 'command', silentLogger);
  runtimes.push(runtime);
  return runtime;
};

/** Closes one before the others: each holds connections. */
export const closeRuntime = async (runtime: Runtime): Promise<void> => {
  runtimes.splice(runtimes.indexOf(runtime), 1);
  await runtime.close();
};

export const account = (runtime: Runtime, platform: Platform, handle: string, ...events: AccountEvent[]) =>
  append(runtime, `account-${platform}:${handle}`, ...events);

export const append = (runtime: Runtime, stream: string, ...events: { type: string; data: unknown }[]) =>
  runtime.log.append(
    stream,
    events.map((event) => ({ id: uuidV7(Date.now()), ...event })),
    'any',
  );

export const READ = { source: 'crawler', surface: 'page' } as const;

/** The subject in every kind of event, and others who name it. */
export const fill = async (runtime: Runtime): Promise<void> => {
  await append(runtime, 'members-x:seed-x', {
    type: 'MembersRecruited',
    data: {
      observed_at: at(0),
      members: [
        { handle: 'ada_before', via: 'seed', from: null, depth: 0 },
        { handle: 'friend', via: 'mention', from: 'account-x:ada_before', depth: 1 },
      ],
    },
  });
  await account(
    runtime,
    'x',
    'ada_before',
    sighted('ada_before', at(1), ada),
    unchanged(at(2), { followers: 5_100 }),
  );
  await account(
    runtime,
    'x',
    'ada_canary',
    sighted('ada_canary', at(3), ada),
    posted(at(4), { id: '1', text: 'a postcanary', at: at(3) }),
    unchanged(at(5), { followers: 5_200 }),
  );
  // Her former handle belongs to somebody else now.
  await account(
    runtime,
    'x',
    'ada_before',
    sighted('ada_before', at(6), { id: '42', display_name: 'Another' }),
  );
  await account(
    runtime,
    'x',
    'friend',
    sighted('friend', at(7), {
      id: '7',
      bio: 'married to @ada_canary',
      links: ['https://x.com/ada_canary', 'https://friend.example/'],
    }),
    posted(at(8), {
      id: '2',
      text: 'with @ada_canary at https://x.com/ada_canary/status/1',
      at: at(7),
      mentions: ['ada_canary'],
      reply_to: { post: '1', account: 'ada_canary' },
    }),
  );
  await append(runtime, 'follows-x:friend', {
    type: 'FollowsSighted',
    data: {
      ...READ,
      observed_at: at(9),
      direction: 'followers',
      owner: '7',
      sweep: '01a20253-e8b7-7fbe-97e0-f6d430ff7812',
      page: 0,
      members: [
        { id: '990017001', handle: 'ada_canary' },
        { id: '42', handle: 'ada_before' },
      ],
      order: 'newest_first',
      done: true,
      capped: false,
    },
  });
  await append(runtime, 'follows-x:ada_canary', {
    type: 'FollowsSighted',
    data: {
      ...READ,
      observed_at: at(10),
      direction: 'followers',
      owner: '990017001',
      sweep: '01a20253-e8b7-7fbe-97e0-f6d430ff7813',
      page: 0,
      members: [{ id: '7', handle: 'friend' }],
      order: 'newest_first',
      done: true,
      capped: false,
    },
  });
  await append(runtime, 'listing-market:1', {
    type: 'ListingPublished',
    data: {
      observed_at: at(11),
      source: 'market',
      native: '1',
      platform: 'x',
      handle: 'ada_canary',
      title: 'the biocanary account',
      followers: 5_000,
      price: 1_000_000,
      seller: { id: 's', name: 'Seller' },
      url: null,
      listed_at: null,
    },
  });
  await append(runtime, 'linkpage-linktr.ee/friend', {
    type: 'LinkPageRead',
    data: {
      observed_at: at(12),
      page: 'linktr.ee/friend',
      links: ['https://x.com/ada_canary', 'https://x.com/friend'],
    },
  });
  await runtime.db.query(
    sql`insert into crawl.demand (platform, handle, holder) values ('x', 'ada_canary', 'h')`,
  );
  await runtime.db.query(sql`
    insert into metering.accesses (platform, handle, holder, operation)
    values ('x', 'ada_canary', 'h', 'checkAccount'), ('x', 'id:990017001', 'h', 'scrapeXUsers')`);
  await runtime.db.query(sql`
    insert into crawl.namings (namer, platform, handle, at) values ('account-x:friend', 'x', 'ada_canary', now())`);
};

export const projected = async (runtime: Runtime): Promise<void> => {
  const head = await runtime.log.head();
  // One after the other: the connections of the test database are few.
  for (const projection of projections) await waitForProjection(runtime, projection, head);
};

/** Rows in which what is served differs from a rebuild. */
export const differencesOf = async (of: Runtime, name: string) =>
  (await verifyProjection(of, name, { ...OPTIONS, max: 10, onRow: () => undefined })).differences;

/** Closes what the tests of a file opened. */
export const closeSubjectRuntimes = async (): Promise<void> => {
  for (const each of runtimes.splice(0)) await each.close();
  for (const each of databases.splice(0)) await each.drop();
};

/** The same runtime, whose process is gone from a statement on. */
export const dying = (of: Runtime, after: number): Runtime & { readonly used: () => number } => {
  let used = 0;
  const step = () => {
    if (used++ >= after) throw new Error('the process is gone');
  };
  const stepping = <Client extends object>(client: Client): Client =>
    new Proxy(client, {
      get: (target, name) => {
        const value = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name === 'query')
          return async (...args: unknown[]) => {
            step();
            return Reflect.apply(value, target, args);
          };
        // The connections of a process that is gone are gone.
        if (name === 'release') return () => Reflect.apply(value, target, [used > after]);
        if (name === 'connect')
          return async (...args: unknown[]) => stepping((await Reflect.apply(value, target, args)) as object);
        return value.bind(target);
      },
    });
  const log = new Proxy(of.log, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (name !== 'append') return value;
      return async (...args: unknown[]) => {
        step();
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { ...of, fence: of.fence, db: stepping(of.db), log, used: () => used };
};

/** How many works are ended at a time: most of the time they wait. */
const TOGETHER = 3;

/**
 * Ends a work somewhere in each part of it.
 * @param endedAfter does it on a database of its own, ends it after so many statements, and returns how many it used.
 */
export const endInEachPart = async (
  parts: number,
  random: Random,
  endedAfter: (statements: number) => Promise<number>,
): Promise<void> => {
  const statements = await endedAfter(Number.POSITIVE_INFINITY);
  const ends = Array.from({ length: parts }, (_, part) =>
    Math.floor(((part + random.next()) * statements) / parts),
  );
  await new PQueue({ concurrency: TOGETHER }).addAll(ends.map((after) => () => endedAfter(after)));
};
