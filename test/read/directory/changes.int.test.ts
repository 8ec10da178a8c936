import { afterEach, beforeEach, expect, it } from 'vitest';
import { PLATFORMS, type Platform } from '../../../src/kernel/platform.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { repartition } from '../../../src/projections/checkpoints.ts';
import { subscription } from '../../../src/projections/subscription.ts';
import { directory } from '../../../src/projections/views/directory/projection.ts';
import { openWriter, type Writer } from '../../../src/projections/writer.ts';
import { type DirectoryChange, listChanges } from '../../../src/read/directory/changes.ts';
import type { CursorPosition } from '../../../src/read/keyset.ts';
import { openReadPool, type ReadPool } from '../../../src/read/read-pool.ts';
import { live } from '../../support/generated-histories.ts';
import { createTestProgram, sighted, type TestProgram } from '../../support/program.ts';

let program: TestProgram;
let pool: ReadPool;
let writers: Map<Platform, Writer>;

beforeEach(async () => {
  program = await createTestProgram();
  pool = await openReadPool(program.database.url, 2);
  const { db } = program.database;
  const schema = program.builds.schema('directory');
  await repartition(db, schema, PLATFORMS);
  writers = new Map();
  for (const platform of PLATFORMS) {
    writers.set(platform, await openWriter(db, directory, schema, undefined, [platform]));
  }
});
afterEach(async () => {
  await pool.end();
  await program.close();
});

/** Moves the writer of a platform on, to the head or by one page. */
const advance = async (platform: Platform, pageSize = 1_000, pages = Number.POSITIVE_INFINITY) => {
  const writer = writers.get(platform) as Writer;
  const wanted = { ...subscription(directory, [platform]), pageSize };
  let left = pages;
  for await (const page of program.log.readAll(writer.position(), wanted)) {
    await writer.write(page);
    left -= 1;
    if (left === 0) return;
  }
};

/** Every change of the directory, by a reader that continues after the last one it has. */
const reader = (platform?: Platform) => {
  const seen: DirectoryChange[] = [];
  let cursor: CursorPosition | null = null;
  const poll = async () => {
    for (;;) {
      const page = await listChanges(pool, program.builds, { platform }, 7, cursor);
      seen.push(...page.items);
      cursor = page.resumeAt;
      if (page.next === null) return;
    }
  };
  return { seen, poll };
};

const at = (minute: number) => new Date(Date.UTC(2026, 9, 1, 12, minute)).toISOString();

it('changes wait for the slowest platform’s writer, so that no row appears behind the reader', async () => {
  await program.append('x', 'slow', sighted('slow', at(0)));
  await program.append('bluesky', 'fast', sighted('fast', at(1)));
  await program.append('x', 'later', sighted('later', at(2)));
  const all = reader();
  for (const platform of PLATFORMS) if (platform !== 'x') await advance(platform);
  await all.poll();
  expect(all.seen).toEqual([]);
  await advance('x', 1, 1);
  await all.poll();
  expect(all.seen.map(({ handle }) => handle)).toEqual(['slow']);
  await advance('x');
  await all.poll();
  expect(all.seen.map(({ handle }) => handle)).toEqual(['slow', 'fast', 'later']);
});

it('changes of one platform do not wait for the writers of others', async () => {
  await program.append('x', 'slow', sighted('slow', at(0)));
  await program.append('bluesky', 'fast', sighted('fast', at(1)));
  await advance('bluesky');
  const own = reader('bluesky');
  await own.poll();
  expect(own.seen.map(({ handle }) => handle)).toEqual(['fast']);
});

it('changes are complete and in order for a reader that polls while writers advance unevenly', async () => {
  const random = seededRandom(3);
  const polled = reader();
  for (let n = 0; n < 12; n++) {
    await live(program.log, 4, 40, n * 40);
    for (let i = 0; i < 6; i++) {
      await advance(PLATFORMS[random.int(PLATFORMS.length)] as Platform, 1 + random.int(20), 1);
      await polled.poll();
    }
  }
  for (const platform of PLATFORMS) await advance(platform);
  await polled.poll();
  const { rows } = await program.database.db.query<{ position: string; kind: string }>(
    `select position, kind from ${program.builds.schema('directory')}.changes order by position, n`,
  );
  expect(rows.length).toBeGreaterThan(100);
  expect(polled.seen.map(({ position, kind }) => ({ position, kind }))).toEqual(rows);
});
