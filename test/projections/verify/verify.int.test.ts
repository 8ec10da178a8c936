import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reportOf } from '../../../src/cli/commands/projections/verify.ts';
import { silentLogger } from '../../../src/kernel/logger.ts';
import { PLATFORMS, type Platform } from '../../../src/kernel/platform.ts';
import { ident, raw, sql } from '../../../src/kernel/postgres/statement.ts';
import { activeBuild, createBuild, listBuilds } from '../../../src/projections/builds/builds.ts';
import { rebuild } from '../../../src/projections/builds/rebuild.ts';
import { checkpointOf, minPosition, repartition } from '../../../src/projections/checkpoints.ts';
import { runProjection } from '../../../src/projections/engine/runner.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { projections } from '../../../src/projections/registry.ts';
import { ApplyEventError } from '../../../src/projections/stalls.ts';
import { eventAt } from '../../../src/projections/subscription.ts';
import { verify } from '../../../src/projections/verify.ts';
import { accounts } from '../../../src/projections/views/accounts/projection.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { openWriter } from '../../../src/projections/writer.ts';
import type { EventPage, RecordedEvent } from '../../../src/write/log/port.ts';
import { partitionFor, partitionKey } from '../../../src/write/messaging/message.ts';
import { skipEvent } from '../../../src/write/projection-control.ts';
import { sizes } from '../../support/compare.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';
import { until } from '../../support/wait.ts';

let program: TestProgram;
let appended = 0;
const more = async (count: number) => {
  await live(program.log, 5, count, appended);
  appended += count;
};

beforeAll(async () => {
  program = await createTestProgram();
  await more(1_200);
  await program.issueKey();
});
afterAll(() => program.close());

const options = (signal = new AbortController().signal) => ({
  db: program.database.db,
  log: program.log,
  logger: silentLogger,
  signal,
  max: 10,
});

const schemaOf = async (projection: Projection): Promise<string> =>
  (await activeBuild(program.database.db, projection.name, projection.version))?.schema ?? '';

const placeFor = (stream: string): string => {
  const partition = partitionFor(stream);
  return partition === null ? '' : partitionKey(partition.topic.name, partition.partition);
};

/** What is there besides what is served. */
const leftovers = async (): Promise<readonly string[]> => {
  const builds = await listBuilds(program.database.db);
  const { rows } = await program.database.db.query<{ nspname: string }>(
    `select nspname from pg_namespace where nspname ~ '_v\\d+_b\\d+$'`,
  );
  const served = builds.filter(({ status }) => status === 'active').map(({ schema }) => schema);
  return [...builds.map(({ schema }) => schema), ...rows.map(({ nspname }) => nspname)].filter(
    (schema) => !served.includes(schema),
  );
};

describe('a verification', () => {
  it.for(projections.map((projection) => [projection.name, projection] as const))(
    'of %s finds every row equal, and leaves nothing behind',
    async ([name, projection]) => {
      await more(60);
      await program.project();
      // Not there yet: what the live build has not folded is no difference.
      await more(60);
      const found = await verify(projection, options());
      const counts = Object.values(await sizes(program.database.db, await schemaOf(projection)));
      expect(found).toMatchObject({
        equal: counts.reduce((a, b) => a + b, 0),
        different: 0,
        differences: [],
        tables: counts.length,
      });
      expect(found.equal).toBeGreaterThan(1);
      expect(reportOf(name, found).join()).toMatch(
        /^\w+ matches the event log at .* \([\d,]+ rows, \d+ tables?\)/,
      );
      expect(await leftovers()).toEqual([]);
    },
  );

  it('names each difference: a value, an extra row, a missing row', async () => {
    await program.append('x', 'zeta', sighted('zeta', '2026-10-01T00:00:00.000Z', { id: '900' }));
    await program.append('x', 'gone', sighted('gone', '2026-10-01T00:00:00.000Z', { id: '901' }));
    await program.project();
    const { db } = program.database;
    const schema = await schemaOf(directory);
    const accountsSchema = await schemaOf(accounts);
    await db.query(
      `update ${accountsSchema}.accounts set followers = null, display_name = 'Ä' where handle = 'zeta'`,
    );
    await db.query(`delete from ${accountsSchema}.accounts where handle = 'gone'`);
    await db.query(
      `insert into ${accountsSchema}.accounts
         (platform, handle, status, observed_at, revision, sighted_revision, posts_revision, state)
       values ('x', 'ωmega', 'active', now(), 0, 0, -1, '[0, 0]')`,
    );
    const found = await verify(accounts, options());
    expect(found.different).toBe(3);
    expect(found.differences).toEqual([
      {
        table: 'accounts',
        key: [
          ['platform', 'x'],
          ['handle', 'gone'],
        ],
        kind: 'only rebuilt',
        values: [],
      },
      {
        table: 'accounts',
        key: [
          ['platform', 'x'],
          ['handle', 'zeta'],
        ],
        kind: 'differs',
        values: [
          { column: 'display_name', active: 'Ä', rebuilt: 'ZETA' },
          { column: 'followers', active: null, rebuilt: '100' },
        ],
      },
      {
        table: 'accounts',
        key: [
          ['platform', 'x'],
          ['handle', 'ωmega'],
        ],
        kind: 'only active',
        values: [],
      },
    ]);
    expect(reportOf('accounts', { ...found, differences: found.differences.slice(0, 2) })).toEqual([
      expect.stringMatching(
        /^accounts does not match the event log at position \d+: 3 rows differ, [\d,]+ are equal\.$/,
      ),
      'accounts platform="x" handle="gone": only in the rebuilt one',
      'accounts platform="x" handle="zeta"',
      '    display_name: active "Ä", rebuilt "ZETA"',
      '    followers: active null, rebuilt "100"',
      '… and 1 more',
      'To repair it: sightline projections rebuild accounts',
    ]);
    // Keys of names that SQL would read as something else, of numbers and of times.
    await db.query(
      `update ${schema}.changes set kind = 'x' where position in (select min(position) from ${schema}.changes)`,
    );
    await db.query(
      `delete from ${schema}.history where platform = 'x' and ctid = (select max(ctid) from ${schema}.history where platform = 'x')`,
    );
    const changes = await verify(directory, options());
    expect(changes.differences.map(({ table, kind }) => [table, kind])).toEqual([
      ['changes', 'differs'],
      ['history', 'only rebuilt'],
    ]);
    expect(changes.differences[0]?.values[0]).toMatchObject({ column: 'kind', active: 'x' });
    expect(changes.differences.flatMap(({ key }) => key.map(([, value]) => value))).not.toContain(null);
    await rebuild(accounts, { ...options(), graceMs: 0 });
    await rebuild(directory, { ...options(), graceMs: 0 });
    await program.project();
    expect(
      (await verify(accounts, options())).different + (await verify(directory, options())).different,
    ).toBe(0);
  });

  it('merges rows in the order of their keys, whatever those are made of', async () => {
    const { db } = program.database;
    // Beyond the basic plane the order of bytes is not that of UTF-16; words sort otherwise than their bytes do.
    const values = `unnest(array['\u{ff01}', '\u{1f600}', 'a']) l, unnest(array['b', 'B', 'ä', 'z']) w, unnest(array[9, 10, -1]) n,
      unnest(array['2026-10-01T00:00:00.5Z'::timestamptz, '2026-10-01T00:00:00.25Z', '1969-01-01Z', '-infinity', 'infinity']) t,
      unnest(array['2026-10-01'::date, '-infinity']) d, unnest(array[true, false]) b`;
    const keyed: Projection = {
      ...accounts,
      name: 'keyed',
      tables: (schema) => `create table ${schema}.keyed (
        "Letter" text collate "C", word text collate "und-x-icu", n smallint, t timestamptz, d date, b boolean,
        primary key (word, "Letter", n, t, d, b))`,
      indexes: () => 'select 1',
      open: (schema) => ({
        load: async () => undefined,
        apply: () => undefined,
        reset: () => undefined,
        store: async (client) => {
          await client.query(sql`
            insert into ${ident(schema)}.keyed select l, w, n, t, d, b from ${raw(values)} on conflict do nothing`);
        },
      }),
    };
    const { schema } = await createBuild(db, keyed, 'active');
    const writer = await openWriter(db, keyed, schema);
    for await (const page of program.log.readAll(0n, { types: keyed.types })) await writer.write(page);
    expect(await verify(keyed, options())).toMatchObject({ equal: 720, different: 0 });
    for (const [condition, rows] of [
      [`"Letter" = '\u{ff01}'`, 240],
      [`"Letter" = '\u{1f600}' and word = 'ä'`, 60],
      [`"Letter" = 'a' and n = 9 and word = 'B'`, 20],
      [`"Letter" = 'a' and word = 'z' and n = 10 and d = '-infinity'`, 10],
      [`"Letter" = 'a' and word = 'z' and n = -1 and t < '2026-10-01T00:00:00.4Z' and not b`, 6],
    ] as const) {
      const { rowCount } = await db.query(`delete from ${schema}.keyed where ${condition}`);
      expect(rowCount, condition).toBe(rows);
      const found = await verify(keyed, { ...options(), max: 1_000 });
      expect([found.different, found.equal], condition).toEqual([rows, 720 - rows]);
      expect(new Set(found.differences.map(({ kind }) => kind)), condition).toEqual(
        new Set(['only rebuilt']),
      );
      await db.query(
        `insert into ${schema}.keyed select l, w, n, t, d, b from ${values} on conflict do nothing`,
      );
    }
  });

  it('never prints what a key could be guessed from', async () => {
    const { db } = program.database;
    const holders = projections.find(({ name }) => name === 'holders') as Projection;
    await db.query(`update ${await schemaOf(holders)}.keys set key_hash = 'changed'`);
    const found = await verify(holders, options());
    expect(found.different).toBeGreaterThan(0);
    const text = reportOf('holders', found).join('\n');
    expect(text).toContain('key_hash: active [redacted], rebuilt [redacted]');
    expect(text).not.toContain('changed');
  });

  it('finds nothing while events arrive and are folded', { tags: 'long' }, async () => {
    const stop = new AbortController();
    const running = runProjection(directory, {
      ...options(stop.signal),
      connectionString: program.database.url,
    });
    let busy = true;
    const writing = (async () => {
      while (busy) await more(20);
    })();
    const at = new Set<string>();
    try {
      const from = minPosition((await verify(directory, options())).checkpoints);
      await until('it is followed', async () => {
        return (await checkpointOf(program.database.db, await schemaOf(directory))) > from;
      });
      for (let i = 0; i < 4; i++) {
        const found = await verify(directory, options());
        expect(found.differences).toEqual([]);
        at.add(String(minPosition(found.checkpoints)));
      }
    } finally {
      busy = false;
      await writing;
      stop.abort();
      await running;
    }
    expect(at.size).toBeGreaterThan(1);
    expect(await leftovers()).toEqual([]);
  });

  it('knows the events of a build whose partitions are at different positions', async () => {
    const { db } = program.database;
    const split: Projection = { ...accounts, name: 'split' };
    const { schema } = await createBuild(db, split, 'active');
    const events: RecordedEvent[] = [];
    for await (const page of program.log.readAll(0n, { types: split.types })) events.push(...page.events);
    const third = events[Math.floor(events.length / 3)]?.position ?? 0n;
    const half = events[Math.floor(events.length / 2)]?.position ?? 0n;
    const head = await program.log.head();
    // One partition is at the head, one at the middle, all others at a third of the log.
    const partitions = [...new Set(events.map(({ stream }) => placeFor(stream)))];
    const reached = new Map(
      partitions.map((partition, i) => [partition, i === 0 ? head : i === 1 ? half : third]),
    );
    const writer = await openWriter(db, split, schema);
    const isFolded = (e: RecordedEvent) => e.position <= (reached.get(placeFor(e.stream)) ?? 0n);
    await writer.write({ events: events.filter(isFolded), endPosition: head });
    await db.query('delete from projections.checkpoints where schema_name = $1', [schema]);
    for (const [partition, position] of reached) {
      await db.query(
        'insert into projections.checkpoints (schema_name, partition, position) values ($1, $2, $3)',
        [schema, partition, String(position)],
      );
    }
    expect(partitions.length).toBeGreaterThan(3);
    expect(await verify(split, options())).toMatchObject({ different: 0 });
    // One event more, and it shows.
    await db.query(
      'update projections.checkpoints set position = $3 where schema_name = $1 and partition = $2',
      [schema, partitions[2], String(head)],
    );
    expect((await verify(split, options())).different).toBeGreaterThan(0);
  });

  it('knows the events of a build whose platforms are at different positions, pools included', {
    tags: 'long',
  }, async () => {
    const { db } = program.database;
    const frontier = projections.find(({ name }) => name === 'frontier') as Projection;
    const uneven: Projection = { ...frontier, name: 'uneven' };
    const { schema } = await createBuild(db, uneven, 'active');
    await repartition(db, schema, PLATFORMS);
    const pages: EventPage[] = [];
    for await (const page of program.log.readAll(0n, { types: uneven.types, pageSize: 50 })) pages.push(page);
    const to = (platforms: readonly Platform[], share: number) =>
      openWriter(db, uneven, schema, undefined, platforms).then(async (writer) => {
        for (const page of pages.slice(0, Math.ceil(pages.length * share))) await writer.write(page);
      });
    await to(['x', 'bluesky'], 0.7);
    await to(['telegram'], 0.4);
    await to(
      PLATFORMS.filter((platform) => !['x', 'bluesky', 'telegram'].includes(platform)),
      1,
    );
    expect(await verify(uneven, options())).toMatchObject({ different: 0 });
    const { rowCount } = await db.query(`update ${schema}.pools set share = share + 1 where platform = 'x'`);
    expect(rowCount).toBeGreaterThan(0);
    expect((await verify(uneven, options())).different).toBe(rowCount);
  });

  it('leaves out events skipped before and during it', async () => {
    const { db } = program.database;
    const skipping: Projection = { ...accounts, name: 'skipping' };
    const bad = [];
    for (const handle of ['early', 'late']) {
      await program.append('x', handle, sighted(handle, '2026-10-02T00:00:00.000Z'));
      bad.push(await eventAt(program.log, await program.log.head()));
    }
    const [early, late] = bad;
    if (early == null || late == null) throw new Error('not there');
    const { schema } = await createBuild(db, skipping, 'active');
    const writer = await openWriter(db, skipping, schema);
    const excludeIds = new Set([early.id, late.id]);
    for await (const page of program.log.readAll(0n, { types: skipping.types, excludeIds }))
      await writer.write(page);
    await skipEvent(program.log, skipping, early, 'a test', Date.now());
    let passes = 0;
    const log: typeof program.log = {
      ...program.log,
      async *readAll(after, wanted) {
        yield* program.log.readAll(after, wanted);
        if (passes++ === 0) await skipEvent(program.log, skipping, late, 'a test', Date.now());
      },
    };
    expect(await verify(skipping, { ...options(), log })).toMatchObject({ different: 0 });
    expect(passes).toBe(4);
  });

  it('names an event that cannot be applied, and leaves nothing behind', async () => {
    const { db } = program.database;
    const fragile: Projection = { ...accounts, name: 'fragile' };
    const { schema } = await createBuild(db, fragile, 'active');
    const writer = await openWriter(db, fragile, schema);
    for await (const page of program.log.readAll(0n, { types: fragile.types })) await writer.write(page);
    const stumbling: Projection = {
      ...fragile,
      open: (of) => ({
        ...fragile.open(of),
        apply: (event) => {
          if (event.stream === 'account-x:zeta') throw new TypeError('no such thing');
        },
      }),
    };
    const failure = await verify(stumbling, options()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ApplyEventError);
    expect(failure).toMatchObject({ event: { stream: 'account-x:zeta' } });
    expect(await leftovers()).toEqual([]);
  });

  it('clears away what a killed one left behind', async () => {
    const { schema } = await createBuild(program.database.db, accounts, 'building');
    expect(await leftovers()).toContain(schema);
    expect(await verify(accounts, options())).toMatchObject({ different: 0 });
    expect(await leftovers()).toEqual([]);
  });

  it('leaves nothing behind if it stops or fails, and no other may run beside it', async () => {
    for (const when of ['while it folds', 'while it compares']) {
      const stop = new AbortController();
      let other: Promise<string> | undefined;
      const onProgress = () => {
        other ??= rebuild(directory, { ...options(), graceMs: 0 }).then(
          () => 'it ran',
          (error: Error) => error.message,
        );
        if (when === 'while it folds') stop.abort();
      };
      const verifying = verify(directory, { ...options(stop.signal), onProgress, onRow: () => stop.abort() });
      await expect(verifying, when).rejects.toThrow('aborted');
      expect(await other).toMatch('Another build of directory is in progress');
      expect(await leftovers(), when).toEqual([]);
    }
  });
});
