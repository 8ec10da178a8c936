import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseConfig } from '../../../src/kernel/config.ts';
import { uuidV7 } from '../../../src/kernel/ids.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { sql } from '../../../src/kernel/postgres/statement.ts';
import { accountNamed } from '../../../src/operations/account-name.ts';
import { waitForProjection } from '../../../src/operations/projections/read-model.ts';
import { countHeld, exportSubject, type Held } from '../../../src/operations/subjects/export.ts';
import { accountsNamed } from '../../../src/operations/subjects/person.ts';
import { projections } from '../../../src/projections/registry.ts';
import { openRuntime, type Runtime } from '../../../src/runtime/open-runtime.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { posted, sighted } from '../../support/program.ts';

const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 0, minute)).toISOString();
const OPTIONS = { signal: new AbortController().signal, onProgress: () => undefined };

let database: TestDatabase;
let runtime: Runtime;
let held: readonly Held[];

const append = (stream: string, ...events: { type: string; data: unknown }[]) =>
  runtime.log.append(
    stream,
    events.map((event) => ({ id: uuidV7(Date.now()), ...event })),
    'any',
  );

/** A name that stands in nothing but what is about the account. */
const ada = { id: '990017001', bio: 'ada_bio of x', links: ['https://linktr.ee/ada_link'] };

const fill = async (): Promise<void> => {
  await append('account-x:ada_before', sighted('ada_before', at(1), ada));
  await append(
    'account-x:ada',
    sighted('ada', at(2), ada),
    posted(at(3), { id: '1', text: 'a post of ada’s', at: at(2) }),
  );
  // Her former handle belongs to somebody else now.
  await append('account-x:ada_before', sighted('ada_before', at(4), { id: '42', display_name: 'Another' }));
  await append(
    'account-x:friend',
    sighted('friend', at(5), { id: '7', bio: 'married to @ada', links: ['https://friend.example/'] }),
    posted(at(6), { id: '2', text: 'adapted from nowhere', at: at(5) }),
  );
  await runtime.db.query(sql`
    insert into metering.accesses (at, platform, handle, holder, operation) values
      ('2026-10-01', 'x', 'ada', 'acme', 'checkAccount'), ('2026-10-01', 'x', 'id:990017001', 'acme', 'scrapeXUsers'),
      ('2026-10-01', 'x', 'friend', 'acme', 'checkAccount'), ('2026-10-01', 'tiktok', 'ada', 'acme', 'checkAccount')`);
  await append('follows-x:friend', {
    type: 'FollowsSighted',
    data: {
      source: 'crawler',
      surface: 'page',
      observed_at: at(7),
      direction: 'followers',
      owner: '7',
      sweep: '01a20253-e8b7-7fbe-97e0-f6d430ff7812',
      page: 0,
      members: [
        { id: '990017001', handle: 'ada' },
        { id: '42', handle: 'ada_before' },
      ],
      order: 'newest_first',
      done: true,
      capped: false,
    },
  });
};

beforeAll(async () => {
  database = await createTestDatabase(2, 'built');
  const config = parseConfig({ DATABASE_URL: database.url, LOG_LEVEL: 'silent' });
  runtime = await openRuntime(config, 'command', silentLogger);
  await fill();
  const head = await runtime.log.head();
  for (const projection of projections) await waitForProjection(runtime, projection, head);
  held = await Array.fromAsync(exportSubject(runtime, accountNamed('x:ada'), OPTIONS));
});
afterAll(async () => {
  await runtime.close();
  await database.drop();
});

const of = <Kind extends Held['held']>(kind: Kind) =>
  held.filter((each): each is Extract<Held, { held: Kind }> => each.held === kind);

it('an export begins with all names of the account', () => {
  expect(held[0]).toEqual({
    held: 'account',
    platform: 'x',
    native_id: '990017001',
    handles: ['ada', 'ada_before'],
  });
});

it('an export has the events of the account under every name with their sources, and none of a later owner of a name', () => {
  expect(of('event').map(({ stream, revision, type }) => [stream, revision, type])).toEqual([
    ['account-x:ada_before', 0, 'AccountSighted'],
    ['account-x:ada', 0, 'AccountSighted'],
    ['account-x:ada', 1, 'PostsSighted'],
  ]);
  for (const { data } of of('event')) expect(data).toHaveProperty('source');
});

it('an export has only those texts of others that name the account', () => {
  expect(of('mention').map(({ stream, texts }) => [stream, texts])).toEqual([
    ['account-x:friend', ['married to @ada']],
    ['follows-x:friend', ['990017001', 'ada']],
  ]);
});

it('an export has the rows of every read model that says of whom its rows are', () => {
  const rows = of('row');
  const tables = new Set(rows.map(({ table }) => table.replace(/_v\d+_b\d+/, '')));
  expect([...tables]).toEqual([
    'accounts.accounts',
    'directory.changes',
    'directory.entries',
    'directory.history',
    'handles.handles',
    'metering.accesses',
    'people.accounts',
    'people.links',
    'posts.accounts',
    'posts.chunks',
    'posts.contents',
    'posts.figures',
  ]);
  for (const { row } of rows) {
    expect(row).not.toHaveProperty('native_id', '42');
    expect(row).not.toHaveProperty('handle', 'friend');
  }
});

it('counts of an export say how much is held, and since when', async () => {
  const counts = await countHeld(exportSubject(runtime, accountNamed('x:id:990017001'), OPTIONS));
  const sightings = counts.find(({ where }) => where === 'AccountSighted');
  expect(sightings).toMatchObject({ held: 'event', count: 2 });
  expect((sightings?.since ?? '') <= (sightings?.until ?? '')).toBe(true);
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(held.length);
});

it('with its person, an account is named by its ID', async () => {
  expect(await accountsNamed(runtime, ['x:friend'], true)).toEqual([accountNamed('x:id:7')]);
});

it('an export has who asked for the account, by which endpoint, and when', () => {
  const rows = of('row').filter(({ table }) => table === 'metering.accesses');
  expect(rows.map(({ row }) => row)).toEqual([
    {
      at: expect.stringMatching(/^2026-10-01T/),
      platform: 'x',
      handle: 'ada',
      holder: 'acme',
      operation: 'checkAccount',
    },
    expect.objectContaining({ handle: 'id:990017001', operation: 'scrapeXUsers' }),
  ]);
});
