import { editDistance } from '../../src/analysis/handles/edit-distance.ts';
import { skeletonOf } from '../../src/analysis/handles/skeleton.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { createPool, type Db } from '../../src/kernel/postgres/pool.ts';
import { createBuild } from '../../src/projections/builds/builds.ts';
import { directory } from '../../src/projections/views/directory/projection.ts';
import { handles } from '../../src/projections/views/handles/projection.ts';
import type { Builds } from '../../src/read/active-builds.ts';
import { createEntryReads } from '../../src/read/directory/entry.ts';
import { createSimilarHandleReads, type SimilarHandleReads } from '../../src/read/handles/similar-handles.ts';
import { openServer } from '../support/database.ts';
import { figure, interleave, median, medianRatio, percentile } from '../support/rounds.ts';
import { goalsFor, progress, type Report } from '../support/targets.ts';
import { fillDirectory, fillHandles, fillPeer, withoutKey } from './fill.ts';
import { measureFolding } from './folding.ts';
import { asked, type Named, namesOf } from './workload.ts';

const BENCH = 'bench:similar';
const { least, most } = goalsFor(BENCH);
const BAR_MS = 25;
const ROUNDS = 5;
const LIMIT = 20;

/** All handles are at X, those of the comparison with every handle at Instagram: partitions of one build. */
const [CATALOG, SMALL] = ['x', 'instagram'] as const;

const timesOf = async (
  queries: readonly string[],
  call: (handle: string) => Promise<unknown>,
): Promise<readonly number[]> => {
  const times: number[] = [];
  for (const handle of queries) {
    const began = performance.now();
    await call(handle);
    times.push(performance.now() - began);
  }
  return times;
};

const trigrams = async (db: Db, table: string, handle: string, limit: number): Promise<readonly string[]> => {
  const { rows } = await db.query<{ handle: string }>({
    name: `trigrams ${table} ${limit}`,
    text: `select handle from ${table} where handle % $1 order by similarity(handle, $1) desc, followers desc limit ${limit}`,
    values: [handle],
  });
  return rows.map((row) => row.handle);
};

/** What there is to find, by comparing with every handle. */
const bruteForce = (
  names: readonly Named[],
  skeletons: readonly string[],
  handle: string,
): readonly string[] => {
  const skeleton = skeletonOf(handle);
  return names.flatMap(({ handle: other }, i) => {
    if (other === handle) return [];
    if (skeletons[i] === skeleton) return [other];
    return Math.abs(other.length - handle.length) <= 2 && editDistance(handle, other) <= 2 ? [other] : [];
  });
};

interface Recall {
  readonly toFind: number;
  readonly ours: number;
  readonly peer: number;
  readonly bruteMs: number;
}

/** Shares of what a comparison with every handle finds. */
const recallOf = async (
  reads: SimilarHandleReads,
  db: Db,
  names: readonly Named[],
  queries: readonly string[],
): Promise<Recall> => {
  const skeletons = names.map(({ handle }) => skeletonOf(handle));
  let [toFind, ours, peer] = [0, 0, 0];
  const times: number[] = [];
  for (const handle of queries) {
    const began = performance.now();
    const wanted = bruteForce(names, skeletons, handle);
    times.push(performance.now() - began);
    const found = new Set((await reads.of(SMALL, handle)).matches.map((match) => match.handle));
    const trigram = new Set(await trigrams(db, 'small_peer', handle, names.length));
    toFind += wanted.length;
    ours += wanted.filter((other) => found.has(other)).length;
    peer += wanted.filter((other) => trigram.has(other)).length;
  }
  return { toFind, ours: ours / toFind, peer: peer / toFind, bruteMs: median(times) };
};

const fill = async (db: Db, schema: string, names: readonly Named[], small: readonly Named[]) => {
  let deletes = 0;
  await withoutKey(db, schema, async () => {
    deletes = await fillHandles(db, schema, CATALOG, names);
    await fillHandles(db, schema, SMALL, small);
  });
  progress('  the peer');
  await fillPeer(db, 'peer', names);
  await fillPeer(db, 'small_peer', small);
  await db.query('vacuum analyze');
  const { rows } = await db.query<Record<'handles' | 'deletes' | 'peer', string>>(
    `select pg_total_relation_size('${schema}.handles_${CATALOG}') as handles, pg_total_relation_size('${schema}.deletes_${CATALOG}') as deletes,
       pg_total_relation_size('peer') as peer`,
  );
  const bytesOf = (of: 'handles' | 'deletes' | 'peer') => Number(rows[0]?.[of]);
  return {
    deletes,
    ours: (bytesOf('handles') + bytesOf('deletes')) / 1e6,
    peer: bytesOf('peer') / 1e6,
    perHandle: bytesOf('handles') / names.length,
    perDelete: bytesOf('deletes') / deletes,
  };
};

/** Look-ups of similar handles beside those of trigrams on the same handles, and recall of both. */
export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const count = quick ? 100_000 : 1_000_000;
  const server = await openServer();
  try {
    const { db: reading, url } = await server.migrated('bench_similar');
    // As projectors write: what is derived does not wait for the disk.
    const db = createPool(url, { max: 2, logger: silentLogger, name: 'bench projector', durable: false });
    const { schema } = await createBuild(db, handles, 'active');
    const entriesSchema = (await createBuild(db, directory, 'building')).schema;
    progress(`  filling ${figure(count)} handles`);
    const names = namesOf(count, 1);
    const small = namesOf(quick ? 10_000 : 100_000, 2, 1_000);
    await fillDirectory(db, entriesSchema, CATALOG, names);
    const size = await fill(db, schema, names, small);
    const folded = await measureFolding(db, schema, namesOf(quick ? 10_000 : 50_000, 3));
    progress(`  ${figure(folded.found)} new handles, ${figure(folded.read)} readings folded a second`);
    await db.end();
    const builds = {
      schema: (name: string) => (name === 'handles' ? schema : entriesSchema),
      progress: () => null,
    } as unknown as Builds;
    const entries = createEntryReads(reading, builds);
    const reads = createSimilarHandleReads(reading, builds, entries);
    const look = (handle: string) => reads.accounts(CATALOG, handle, LIMIT);
    const entry = (value: string) => entries.find({ platform: CATALOG, by: 'handle', value });
    const queries = (round: number) => asked(names, quick ? 100 : 400, 10 + round);
    await timesOf(queries(99), look);
    await timesOf(queries(99), entry);
    await timesOf(queries(99).slice(0, 50), (handle) => trigrams(reading, 'peer', handle, LIMIT));
    const rounds = { ours: 0, peer: 0, entry: 0 };
    const {
      ours,
      peer,
      entry: ofEntry,
    } = await interleave(
      ROUNDS,
      {
        ours: () => timesOf(queries(rounds.ours++), look),
        peer: () => timesOf(queries(rounds.peer++), (handle) => trigrams(reading, 'peer', handle, LIMIT)),
        entry: () => timesOf(queries(rounds.entry++), entry),
      },
      (times) => `p95 ${percentile(times, 0.95).toFixed(2)} ms`,
    );
    const p95 = (all: readonly (readonly number[])[]) => all.map((times) => percentile(times, 0.95));
    progress(`  comparing with every one of ${figure(small.length)} handles`);
    const recall = await recallOf(reads, reading, small, asked(small, quick ? 40 : 200, 7));
    const times = (all: readonly (readonly number[])[]) => [
      median(all.map(median)).toFixed(2),
      median(p95(all)).toFixed(2),
      Math.max(...all.flat()).toFixed(1),
    ];
    return {
      bench: BENCH,
      table: [
        ['look-up', 'p50 ms', 'p95 ms', 'most ms', 'recall', 'MB'],
        ['skeletons and deletions', ...times(ours), recall.ours.toFixed(4), figure(size.ours)],
        ['trigrams (pg_trgm)', ...times(peer), recall.peer.toFixed(4), figure(size.peer)],
        ['an entry of the directory', ...times(ofEntry), '', ''],
        ['comparison with every handle', recall.bruteMs.toFixed(1), '', '', '1.0000', ''],
      ],
      goals: [
        most(`look-up among ${figure(count)} handles, p95 over ${BAR_MS} ms`, median(p95(ours)) / BAR_MS, 1),
        most('look-up p95 over that of trigrams', medianRatio(p95(ours), p95(peer)), 1),
        least(`recall against a comparison with ${figure(small.length)} handles`, recall.ours, 1),
      ],
      notes: [
        `${figure(count)} handles of up to 15 characters, of which one in five has 1,000 followers and is found by edits: ${figure(size.deletes)} rows of deletions. A handle takes ${figure(size.perHandle)} bytes, a deletion ${figure(size.perDelete)}.`,
        `Recall is of ${figure(recall.toFind)} handles at distance 2 or with an equal skeleton, among ${figure(small.length)} that all have 1,000 followers; of trigrams at the default threshold of 0.3, without a limit.`,
        `Folded by one writer, commits included: ${figure(folded.found)} new handles a second, and ${figure(folded.read)} readings, of which one in twenty moves the followers by a bin.`,
        'A look-up has the entries of its first 20 matches.',
        'Handles asked for: half exist, half are an edit or two away from one. Medians of interleaved rounds, one connection.',
      ],
    };
  } finally {
    await server.close();
  }
};
