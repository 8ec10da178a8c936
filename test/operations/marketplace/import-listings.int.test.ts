import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Simulator, startSimulator } from '../../../infra/simulator/server.ts';
import { parseParameters } from '../../../infra/simulator/world/parameters.ts';
import { parseConfig } from '../../../src/kernel/config.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import type { IntakeContext } from '../../../src/operations/context.ts';
import {
  type ImportOptions,
  importListings,
  type RejectedRecord,
} from '../../../src/operations/marketplace/import-listings.ts';
import { activeBuild } from '../../../src/projections/builds/builds.ts';
import { listings } from '../../../src/projections/views/listings/projection.ts';
import { NOTHING_ERASED } from '../../../src/write/erasure/fence.ts';
import { eventTypes } from '../../../src/write/event-types.ts';
import { withValidation } from '../../../src/write/log/codec.ts';
import { createPostgresLog } from '../../../src/write/log/postgres.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { fenceOf } from '../../support/erasures.ts';
import { expectAsRebuilt } from '../../support/rebuilt.ts';

let simulator: Simulator;
let folder: string;
beforeAll(async () => {
  simulator = await startSimulator({
    seed: 7,
    size: 1_500,
    parameters: parseParameters({ market: { listed: 0.05 } }),
  });
  folder = await mkdtemp(join(tmpdir(), 'sightline-import-'));
});
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});

let database: TestDatabase;
let context: IntakeContext;
beforeEach(async () => {
  database = await createTestDatabase(undefined, 'built');
  const { db, url } = database;
  const log = withValidation(createPostgresLog(db, url, silentLogger), eventTypes);
  const config = parseConfig({
    SIMULATOR_URL: simulator.url,
    MARKETPLACE_HOSTS: 'accountmarket.example',
  });
  context = { config, logger: silentLogger, url, db, asyncCommitDb: db, log, fence: NOTHING_ERASED };
  return async () => {
    await log.close();
    await database.drop();
  };
});

let files = 0;
const fileOf = async (content: string | Buffer | readonly object[], ending = 'ndjson'): Promise<string> => {
  const name = join(folder, `${files++}.${ending}`);
  const text =
    typeof content === 'string' || Buffer.isBuffer(content)
      ? content
      : content.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeFile(name, text as string | Buffer);
  return name;
};

const run = async (input: string, options: Partial<ImportOptions> = {}) => {
  const rejected: RejectedRecord[] = [];
  const imported = await importListings(context, input, {
    source: /^https/.test(input) ? undefined : 'market.example',
    signal: new AbortController().signal,
    onRejected: (each) => rejected.push(each),
    ...options,
  });
  return { ...imported, reasons: rejected };
};

const statuses = async (): Promise<Record<string, number>> => {
  const schema = (await activeBuild(database.db, listings.name, listings.version))?.schema;
  const { rows } = await database.db.query<{ status: string; n: string }>(
    `select status, count(*) as n from ${schema}.listings group by 1`,
  );
  return Object.fromEntries(rows.map(({ status, n }) => [status, Number(n)]));
};

const listing = (n: number, more: object = {}) => ({
  id: `l${n}`,
  platform: 'x',
  handle: `account${n}`,
  price_usd: 100 + n,
  followers: 1_000,
  updated_at: '2026-10-01T00:00:00Z',
  ...more,
});
const placed = (n: number, more: object = {}) => ({ ...listing(n, more), kind: 'placement' });
const many = (n: number, more: object = {}) => Array.from({ length: n }, (_, i) => listing(i, more));

describe('an import of listings', () => {
  it('takes the dumps of a marketplace from its URL, and nothing the second time', async () => {
    const dump = 'https://accountmarket.example/dumps/listings.ndjson';
    const first = await run(dump);
    expect(first).toMatchObject({ source: 'accountmarket.example', rejected: 0, repeated: 0 });
    expect(first.listings).toBeGreaterThan(100);
    expect(first.events.ListingPublished).toBe(first.listings);
    expect(first.events.ListingSold).toBeGreaterThan(0);
    const posts = await run('https://accountmarket.example/dumps/placements.ndjson');
    expect(posts.placements).toBeGreaterThan(100);
    expect(posts.events).toEqual({ PlacementListed: posts.placements });
    const head = await context.log.head();
    expect((await run(dump)).events).toEqual({});
    expect((await run('https://accountmarket.example/dumps/listings.csv')).events).toEqual({});
    expect((await run('https://accountmarket.example/dumps/placements.ndjson')).events).toEqual({});
    expect(await context.log.head()).toBe(head);
    await expectAsRebuilt(database.db, context.log, [listings]);
  });

  it('rejects what offers an account that was erased', async () => {
    const offered = { platform: 'x', handle: 'ada' };
    const records = [listing(1), listing(2, offered), placed(3), placed(4, offered)];
    context = { ...context, fence: fenceOf({ platform: 'x', id: '5551', handles: ['ada'] }) };
    const { listings: taken, placements, rejected, reasons, events } = await run(await fileOf(records));
    expect({ taken, placements, rejected }).toEqual({ taken: 1, placements: 1, rejected: 2 });
    expect(reasons.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'the account was erased'],
      [4, 'the account was erased'],
    ]);
    expect(events).toEqual({ ListingPublished: 1, PlacementListed: 1 });
  });

  it('that was interrupted is completed by a repetition', { tags: 'long' }, async () => {
    const file = await fileOf(many(6_000));
    const stop = new AbortController();
    const { log } = context;
    let batches = 0;
    const dying = {
      ...log,
      appendMany: async (appends: Parameters<typeof log.appendMany>[0]) => {
        const outcomes = await log.appendMany(appends);
        // The appends are in the log, but this process never learns of it.
        if (++batches === 3) throw new Error('the process has ended');
        return outcomes;
      },
    };
    const signal = stop.signal;
    await expect(
      importListings({ ...context, log: dying }, file, { source: 'market.example', signal }),
    ).rejects.toThrow('the process has ended');
    expect(await log.head()).toBe(3_000n);
    expect((await run(file)).events).toEqual({ ListingPublished: 3_000 });
    expect(await log.head()).toBe(6_000n);
    expect((await run(file)).events).toEqual({});
  });

  it('rejects lines with number and reason, and imports the others', async () => {
    const file = await fileOf(
      [
        JSON.stringify(listing(1)),
        'not json',
        JSON.stringify(listing(2, { price_usd: 1e300 })),
        JSON.stringify(listing(3, { price_usd: -5 })),
        '{"id":"l4","platform":"x","price_usd":0.12345678901234567}',
        JSON.stringify(listing(5, { title: 'x'.repeat(2 ** 20) })),
        JSON.stringify(listing(6, { title: '=HYPERLINK("http://evil")\ud800' })),
        '',
      ].join('\n'),
    );
    const { reasons, rejected, listings: taken, events } = await run(file);
    expect(reasons.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
    expect(reasons.map(({ reason }) => reason.split(':')[0])).toEqual([
      'not JSON',
      'price_usd',
      'price_usd',
      'price_usd',
      'longer than 262144 bytes',
    ]);
    expect({ rejected, taken, events }).toEqual({ rejected: 5, taken: 2, events: { ListingPublished: 2 } });
  });

  it('takes the first of ten thousand lines of one ID, and each newer one of a history', async () => {
    const same = await fileOf(Array.from({ length: 10_000 }, (_, i) => listing(1, { price_usd: 1 + i })));
    expect(await run(same)).toMatchObject({ listings: 1, repeated: 9_999, events: { ListingPublished: 1 } });
    expect((await run(same)).events).toEqual({});
    const history = await fileOf(
      Array.from({ length: 1_500 }, (_, i) =>
        listing(2, {
          price_usd: 1 + i,
          updated_at: new Date(Date.UTC(2026, 0, 1) + i * 1_000).toISOString(),
        }),
      ),
    );
    expect((await run(history)).events).toEqual({ ListingPublished: 1, ListingRepriced: 1_499 });
    expect((await run(history)).events).toEqual({});
  });

  it('without times is the same the second time too', async () => {
    const file = await fileOf([
      ...many(5, { updated_at: null }),
      listing(0, { updated_at: null, price_usd: 7 }),
    ]);
    expect((await run(file)).events).toEqual({ ListingPublished: 5 });
    expect((await run(file)).events).toEqual({});
  });

  it('of a complete file withdraws what it lacks, unless that is implausible', async () => {
    await run(await fileOf(many(100)));
    const rest = many(95);
    const complete = { complete: true };
    expect((await run(await fileOf(rest), complete)).withdrawal).toEqual({ status: 'done', listings: 5 });
    expect(await statuses()).toEqual({ active: 95, withdrawn: 5 });
    // As a file that was cut off between two lines.
    const cut = await run(await fileOf(rest.slice(0, 40)), complete);
    expect(cut.withdrawal).toMatchObject({ status: 'refused', missing: 55 });
    // As one that was cut off within a line.
    const broken = rest
      .map((line) => JSON.stringify(line))
      .join('\n')
      .slice(0, -30);
    expect((await run(await fileOf(broken), complete)).withdrawal).toMatchObject({
      status: 'refused',
      missing: null,
    });
    const empty = await run(await fileOf(''), { ...complete, maxWithdrawn: 1 });
    expect(empty.withdrawal).toEqual({
      status: 'refused',
      missing: null,
      reason: expect.stringContaining('has no valid listing'),
    });
    // A rejected line is still an offer.
    const odd = [...rest.slice(0, 94), listing(94, { price_usd: 'much' })];
    expect((await run(await fileOf(odd), complete)).withdrawal).toEqual({ status: 'done', listings: 0 });
    expect(await statuses()).toEqual({ active: 95, withdrawn: 5 });
    const allowed = await run(await fileOf(rest.slice(0, 40)), { ...complete, maxWithdrawn: 0.6 });
    expect(allowed.withdrawal).toEqual({ status: 'done', listings: 55 });
    expect(await statuses()).toEqual({ active: 40, withdrawn: 60 });
  });

  it('appends nothing in a dry run', async () => {
    const file = await fileOf([...many(3), listing(9, { id: null })]);
    expect(await run(file, { dryRun: true })).toMatchObject({ listings: 3, rejected: 1, events: {} });
    expect(await context.log.head()).toBe(0n);
  });

  it('reads gzip, and refuses truncated gzip', async () => {
    const text = many(2_000)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join('');
    const zipped = gzipSync(text);
    await expect(run(await fileOf(zipped.subarray(0, zipped.length / 2), 'gz'))).rejects.toMatchObject({
      code: 'source_unusable',
    });
    const { listings: n } = await run(await fileOf(zipped, 'ndjson.gz'));
    expect(n).toBe(2_000);
  });

  it.each([
    ['https://elsewhere.example/dump.ndjson', 'source_refused'],
    ['http://accountmarket.example/dumps/listings.ndjson', 'source_refused'],
    ['https://accountmarket.example/nothing', 'source_unusable'],
    ['ftp://accountmarket.example/x', 'source_refused'],
    ['/no/such/file', 'file_unusable'],
    [tmpdir(), 'file_unusable'],
  ])('of %s is refused', async (input, code) => {
    await expect(run(input, { source: 'market.example' })).rejects.toMatchObject({ code });
  });

  it.each([
    ['https://elsewhere.example/dump.ndjson', { host: 'elsewhere.example' }],
    ['https://localhost/dump.ndjson', {}],
    ['https://127.0.0.1/dump.ndjson', {}],
    ['http://elsewhere.example/dump.ndjson', {}],
    ['http://[::1]/dump.ndjson', {}],
    ['file:///tmp/dump.ndjson', {}],
  ])('of %s without a source name says whether a setting would allow it', async (input, params) => {
    await expect(run(input, { source: undefined })).rejects.toMatchObject({
      code: 'source_refused',
      params,
    });
  });

  it('is refused if the file has no record, whatever its form', async () => {
    for (const [content, ending] of [
      ['', 'csv'],
      ['id,platform,handle,price_usd\r\n', 'csv'],
      ['', 'ndjson'],
      ['\n\n', 'ndjson'],
      [gzipSync(''), 'csv.gz'],
    ] as const)
      for (const options of [{}, { dryRun: true }])
        await expect(run(await fileOf(content, ending), options)).rejects.toMatchObject({
          code: 'file_unusable',
        });
  });

  it('needs a source name', async () => {
    await expect(run('listings.csv', { source: undefined })).rejects.toMatchObject({
      code: 'source_invalid',
    });
    await expect(run('listings.csv', { source: 'A/B' })).rejects.toMatchObject({ code: 'source_invalid' });
  });
});
