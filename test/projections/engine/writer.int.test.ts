import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS } from '../../../src/kernel/platform.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { createBuild, dropBuild } from '../../../src/projections/builds/builds.ts';
import {
  CheckpointConflictError,
  checkpointOf,
  checkpointsOf,
  isSharedByPlatform,
  repartition,
} from '../../../src/projections/checkpoints.ts';
import type { Projection } from '../../../src/projections/projection.ts';
import { projections } from '../../../src/projections/registry.ts';
import { subscription } from '../../../src/projections/subscription.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { openWriter } from '../../../src/projections/writer.ts';
import type { EventPage } from '../../../src/write/log/port.ts';
import { differences, sizes } from '../../support/compare.ts';
import { faultCount } from '../../support/faults.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, sighted, type TestProgram, unavailable } from '../../support/program.ts';

const EVENTS = faultCount(3_000, 400);
/** Pages of so many events divide the log into a few. */
const PAGE = EVENTS / 8;

let program: TestProgram;
beforeAll(async () => {
  program = await createTestProgram();
  await live(program.log, 1, EVENTS);
  await program.issueKey();
});
afterAll(() => program.close());

const pagesOf = async (projection: Projection, pageSize: number, after = 0n): Promise<EventPage[]> => {
  const pages: EventPage[] = [];
  const filter = {
    types: projection.types,
    ...(projection.streamPrefixes === undefined ? {} : { streamPrefixes: projection.streamPrefixes }),
  };
  for await (const page of program.log.readAll(after, { ...filter, pageSize })) pages.push(page);
  return pages;
};

const built = async (projection: Projection, pageSize: number): Promise<string> => {
  const { schema } = await createBuild(program.database.db, projection, 'building');
  const writer = await openWriter(program.database.db, projection, schema);
  for (const page of await pagesOf(projection, pageSize)) await writer.write(page);
  return schema;
};

describe.for(projections.map((projection) => [projection.name, projection] as const))(
  '%s',
  { tags: 'faults' },
  ([, projection]) => {
    it('has the same rows for any division into pages', { tags: 'long' }, async () => {
      const whole = await built(projection, 1_000);
      for (const pageSize of [1, 7, 5_000]) {
        const other = await built(projection, pageSize);
        expect(await differences(program.database.db, whole, other), `pages of ${pageSize}`).toEqual([]);
      }
      const rows = Object.values(await sizes(program.database.db, whole)).reduce((a, b) => a + b, 0);
      expect(rows).toBeGreaterThan(1);
    });

    it('has the same rows when a writer restarts after every page, with an empty cache', async () => {
      const whole = await built(projection, 1_000);
      const { schema } = await createBuild(program.database.db, projection, 'building');
      for (const page of await pagesOf(projection, PAGE)) {
        await (await openWriter(program.database.db, projection, schema)).write(page);
      }
      expect(await differences(program.database.db, whole, schema)).toEqual([]);
    });

    it.runIf(isSharedByPlatform(projection))(
      'has the same rows for any division of its platforms among writers, with hand-overs at any page',
      async () => {
        const { db } = program.database;
        const whole = await built(projection, 1_000);
        const random = seededRandom(11);
        for (let n = 0; n < faultCount(12, 4); n++) {
          const { schema } = await createBuild(db, projection, 'building');
          await repartition(db, schema, PLATFORMS);
          const head = await program.log.head();
          // Each time a few platforms, drawn anew, go on from where their last writer left them.
          for (;;) {
            const at = await checkpointsOf(db, schema);
            const behind = PLATFORMS.filter((platform) => (at.get(platform) ?? 0n) < head);
            if (behind.length === 0) break;
            const some = behind.filter(() => random.next() < 0.4);
            const held = some.length === 0 ? behind.slice(0, 1) : some;
            const writer = await openWriter(db, projection, schema, undefined, held);
            const wanted = { ...subscription(projection, held), pageSize: 20 + random.int(PAGE) };
            let left = 1 + random.int(4);
            for await (const page of program.log.readAll(writer.position(), wanted)) {
              await writer.write(page);
              left -= 1;
              if (left === 0) break;
            }
          }
          expect(await differences(db, whole, schema)).toEqual([]);
          await dropBuild(db, schema);
        }
      },
    );

    it('is not changed by repeated delivery, whole or in part', async () => {
      const whole = await built(projection, 1_000);
      const { schema } = await createBuild(program.database.db, projection, 'building');
      const writer = await openWriter(program.database.db, projection, schema);
      const pages = await pagesOf(projection, PAGE);
      for (const [i, page] of pages.entries()) {
        const earlier = pages[i - 1];
        // Cut elsewhere: what comes again and what is new, in one page.
        await writer.write({
          events: [...(earlier?.events ?? []), ...page.events],
          endPosition: page.endPosition,
        });
        if (earlier !== undefined) await writer.write(earlier);
        await writer.write(page);
      }
      expect(await differences(program.database.db, whole, schema)).toEqual([]);
    });
  },
);

describe('a writer', () => {
  it('that was paused while another advanced fails, leaves the rows alone, and can start over', async () => {
    const { db } = program.database;
    const { schema } = await createBuild(db, directory, 'building');
    const [first, second, third] = (await pagesOf(directory, PAGE)) as [EventPage, EventPage, EventPage];
    const paused = await openWriter(db, directory, schema);
    await paused.write(first);
    const other = await openWriter(db, directory, schema);
    await other.write(second);
    const before = await sizes(db, schema);

    await expect(paused.write(second)).rejects.toThrow(CheckpointConflictError);
    await expect(paused.write(third)).rejects.toThrow(CheckpointConflictError);
    expect(await sizes(db, schema)).toEqual(before);
    expect(await checkpointOf(db, schema)).toBe(second.endPosition);

    const back = await openWriter(db, directory, schema);
    await expect(other.write(third)).resolves.toBeUndefined();
    await expect(back.write(third)).rejects.toThrow(CheckpointConflictError);
    const rest = await pagesOf(directory, PAGE, third.endPosition);
    for (const page of rest) await other.write(page);
    expect(await differences(db, await built(directory, 1_000), schema)).toEqual([]);
  });

  it('that fails in the middle of a page keeps earlier pages only, and can repeat it', async () => {
    const { db } = program.database;
    const { schema } = await createBuild(db, directory, 'building');
    const writer = await openWriter(db, directory, schema);
    const pages = await pagesOf(directory, PAGE);
    const [first, ...rest] = pages as [EventPage, ...EventPage[]];
    await writer.write(first);
    const before = await sizes(db, schema);
    await db.query(`alter table ${schema}.changes add constraint broken check (false) not valid`);
    await expect(writer.write(rest[0] as EventPage)).rejects.toThrow('broken');
    expect((await sizes(db, schema)).changes).toBe(before.changes);
    expect(writer.position()).toBeLessThan(rest[0]?.endPosition ?? 0n);
    expect(await checkpointOf(db, schema)).toBe(writer.position());
    await db.query(`alter table ${schema}.changes drop constraint broken`);
    for (const page of rest) await writer.write(page);
    expect(await differences(db, await built(directory, 1_000), schema)).toEqual([]);
  });

  it('of a dropped build fails', async () => {
    const { db } = program.database;
    const { schema } = await createBuild(db, directory, 'building');
    const writer = await openWriter(db, directory, schema);
    await db.query(`drop schema ${schema} cascade`);
    await db.query('delete from projections.builds where schema_name = $1', [schema]);
    const page = (await pagesOf(directory, 100))[0] as EventPage;
    await expect(writer.write(page)).rejects.toThrow(CheckpointConflictError);
  });
});

describe('the directory', () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 12, minute)).toISOString();
  const entries = async (ids: readonly string[]) => {
    const { rows } = await program.database.db.query<{
      native_id: string;
      handle: string | null;
      status: string;
    }>(
      `select native_id, handle, status from ${program.builds.schema('directory')}.entries
       where platform = 'instagram' and native_id = any($1) order by 1`,
      [ids],
    );
    return rows;
  };

  it('follows a rename even if the old handle was found empty a moment later', async () => {
    await program.append('instagram', 'before', sighted('before', at(0), { id: '1' }));
    await program.append('instagram', 'before', unavailable(at(3), 'absent'));
    await program.append('instagram', 'after', sighted('after', at(2), { id: '1' }));
    await program.project();
    expect(await entries(['1'])).toEqual([{ native_id: '1', handle: 'after', status: 'active' }]);
  });

  it('records a rename and a restoration as such', async () => {
    await program.append('instagram', 'went', sighted('went', at(0), { id: '8' }));
    await program.append('instagram', 'went', unavailable(at(1), 'absent'));
    await program.append('instagram', 'came', sighted('came', at(2), { id: '8' }));
    await program.append('instagram', 'came', unavailable(at(3), 'suspended'));
    await program.append('instagram', 'came', sighted('came', at(4), { id: '8' }));
    await program.project();
    const { rows } = await program.database.db.query(
      `select kind, before, after from ${program.builds.schema('directory')}.changes
       where platform = 'instagram' and handle in ('went', 'came') order by position, n`,
    );
    expect(rows).toEqual([
      { kind: 'discovered', before: null, after: expect.objectContaining({ handle: 'went', id: '8' }) },
      { kind: 'absent', before: 'active', after: 'absent' },
      { kind: 'renamed', before: 'went', after: 'came' },
      { kind: 'restored', before: 'absent', after: 'active' },
      { kind: 'profile', before: { display_name: 'WENT' }, after: { display_name: 'CAME' } },
      { kind: 'suspended', before: 'active', after: 'suspended' },
      { kind: 'restored', before: 'suspended', after: 'active' },
    ]);
  });

  it('leaves a handle with its last known owner, however late an older reading arrives', async () => {
    await program.append('instagram', 'wanted', sighted('wanted', at(9), { id: '2' }));
    await program.append('instagram', 'wanted', sighted('wanted', at(5), { id: '3' }));
    await program.project();
    expect(await entries(['2', '3'])).toEqual([{ native_id: '2', handle: 'wanted', status: 'active' }]);
  });

  it('gives a taken handle to the newer account, and keeps the older one without', async () => {
    await program.append('instagram', 'passed_on', sighted('passed_on', at(1), { id: '4' }));
    await program.append('instagram', 'passed_on', sighted('passed_on', at(2), { id: '5' }));
    await program.project();
    expect(await entries(['4', '5'])).toEqual([
      { native_id: '4', handle: null, status: 'active' },
      { native_id: '5', handle: 'passed_on', status: 'active' },
    ]);
  });
});
