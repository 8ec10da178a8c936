import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/kernel/logger.ts';
import { seededRandom } from '../../../../src/kernel/random.ts';
import { activeBuild, createBuild, dropBuild } from '../../../../src/projections/builds/builds.ts';
import { verify } from '../../../../src/projections/verify.ts';
import { follows } from '../../../../src/projections/views/follows/projection.ts';
import { instantOf } from '../../../../src/projections/views/follows/tables.ts';
import { differences } from '../../../support/compare.ts';
import { atHour, memberOf, type SweepOptions, sweep } from '../../../support/follows.ts';
import { createTestProgram, type TestProgram } from '../../../support/program.ts';

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram({ known: [follows] });
});
afterAll(() => program.close());

const schema = async (): Promise<string> =>
  (await activeBuild(program.database.db, follows.name, follows.version))?.schema ?? '';

const members = (...numbers: number[]) => numbers.map(memberOf);

/** Edges of a list of X that are not gone, as `member first last`. */
const edgesOf = async (owner: string, direction = 'followers'): Promise<readonly string[]> => {
  await program.project();
  const { rows } = await program.database.db.query<{ member: string; first: number; last: number }>(
    `select e.member, e.first_seen_s as first, e.last_seen_s as last
     from ${await schema()}.x_${direction} e
     join ${await schema()}.lists l on l.platform = 'x' and l.owner = e.owner::text and l.direction = $2
     where e.owner = $1 and e.last_seen_s >= coalesce(l.done_since_s, e.last_seen_s) order by e.member`,
    [owner, direction === 'followers' ? 0 : 1],
  );
  return rows.map(({ member, first, last }) => `${member} ${hourOf(first)} ${hourOf(last)}`);
};

const hourOf = (seconds: number): number =>
  (Date.parse(instantOf(seconds)) - Date.parse(atHour(0))) / 3_600_000;

const record = (pages: Parameters<typeof sweep>[1], options: SweepOptions) =>
  sweep(program.log, pages, options);

describe('an edge', () => {
  it('has the times of its first and last sighting', async () => {
    await record([members(1, 2)], { owner: '10', hour: 1 });
    await record([members(2, 3)], { owner: '10', hour: 5, end: 'open' });
    expect(await edgesOf('10')).toEqual(['1 1 1', '2 1 5', '3 5 5']);
  });

  it('ends with a whole reading that lacks it, and returns with its first time', async () => {
    await record([members(1, 2), members(3)], { owner: '11', hour: 1 });
    await record([members(1), members(3)], { owner: '11', hour: 5 });
    expect(await edgesOf('11')).toEqual(['1 1 5', '3 2 6']);
    await record([members(2)], { owner: '11', hour: 9, end: 'open' });
    expect(await edgesOf('11')).toEqual(['1 1 5', '2 1 9', '3 2 6']);
  });

  it('stays if a reading without it was capped, unfinished, or lacks a page', async () => {
    await record([members(1, 2, 3)], { owner: '12', hour: 1 });
    await record([members(1)], { owner: '12', hour: 5, end: 'capped' });
    await record([members(1)], { owner: '12', hour: 6, end: 'open' });
    await record([members(1)], { owner: '12', hour: 7, end: 'done', firstPage: 1 });
    expect((await edgesOf('12')).map((edge) => edge.split(' ')[0])).toEqual(['1', '2', '3']);
  });

  it('of one direction says nothing about the other', async () => {
    await record([members(1)], { owner: '13', hour: 1 });
    await record([members(2)], { owner: '13', hour: 2, direction: 'following' });
    expect([await edgesOf('13'), await edgesOf('13', 'following')]).toEqual([['1 1 1'], ['2 2 2']]);
  });

  it('has native ids up to the largest number without loss, and decentralized ids as they are', async () => {
    const largest = '9223372036854775807';
    await record([[{ id: largest, handle: null }]], { owner: '9007199254740993', hour: 1 });
    expect(await edgesOf('9007199254740993')).toEqual([`${largest} 1 1`]);
    const did = 'did:plc:z72i7hdynmk6r22z27h6tvur';
    await record([[{ id: did, handle: 'bsky.app' }]], {
      platform: 'bluesky',
      handle: 'owner.example',
      owner: 'did:web:owner.example',
      hour: 1,
    });
    await program.project();
    const { rows } = await program.database.db.query(
      `select e.owner, e.member, m.handle from ${await schema()}.edges e
       join ${await schema()}.members m on m.platform = e.platform and m.id = e.member`,
    );
    expect(rows).toEqual([{ owner: 'did:web:owner.example', member: did, handle: 'bsky.app' }]);
  });
});

it('has an id of X as text if its spelling is not the number’s only one', async () => {
  const odd = ['not-a-number', '01', '-1', '1e3', '9223372036854775808'];
  await record([odd.map((id) => ({ id, handle: null }))], { owner: '14', handle: 'odd', hour: 1 });
  await program.project();
  const { rows } = await program.database.db.query<{ member: string }>(
    `select member from ${await schema()}.edges where platform = 'x' and owner = '14' order by member`,
  );
  expect(rows.map(({ member }) => member)).toEqual(odd.toSorted());
});

it('rows are the same in any order of streams, and equal a rebuild', {
  tags: 'long',
}, async () => {
  const random = seededRandom(7);
  // One owner under two handles, whose sweeps overlap, beside others.
  for (let n = 0; n < 30; n++) {
    const handle = ['old', 'new', 'other'][n % 3] as string;
    const owner = handle === 'other' ? '21' : '20';
    const pages = Array.from({ length: 1 + (n % 3) }, () =>
      Array.from({ length: 20 }, () => memberOf(1 + random.int(60))).filter(
        ({ id }, i, all) => all.findIndex((each) => each.id === id) === i,
      ),
    );
    const end = (['done', 'capped', 'open', 'done'] as const)[n % 4] ?? 'open';
    await record(pages, { owner, handle, hour: 100 + n * 2, end });
  }
  await program.project();
  const { db } = program.database;
  const events = [];
  for await (const page of program.log.readAll(0n, { types: follows.types })) events.push(...page.events);
  const streams = [...Map.groupBy(events, ({ stream }) => stream).values()];
  for (const order of [streams, streams.toReversed()]) {
    const build = await createBuild(db, follows, 'building');
    const fold = follows.open(build.schema);
    for (const stream of order) {
      for (let from = 0; from < stream.length; from += 7) {
        const some = stream.slice(from, from + 7);
        await fold.load(db, some);
        for (const event of some) fold.apply(event);
        await fold.store(db);
      }
    }
    const found = await differences(db, await schema(), build.schema);
    // Only the checkpoint was not moved.
    expect(found.filter((line) => !line.includes('checkpoint'))).toEqual([]);
    await dropBuild(db, build.schema);
  }
  const signal = new AbortController().signal;
  const verified = await verify(follows, { db, log: program.log, logger: silentLogger, signal, max: 5 });
  expect(verified).toMatchObject({ different: 0 });
  expect(verified.equal).toBeGreaterThan(150);
});
