import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from '../support/child.ts';
import type { PlatformsAnswer, PlatformsQuestion } from '../support/platforms.ts';
import { type Started, startProgram } from '../support/program.ts';
import { figure, median, percentile } from '../support/rounds.ts';
import { progress, type Report } from '../support/targets.ts';
import type { ReadQuestion } from './reader.ts';

const READS_PER_SECOND = 50;
const PAGES_PER_SECOND = 500;
const HANDLES = 500;
const GOAL = 4;
/** From a pause until what was under way is read, folded and written. */
const SETTLE_MS = 3_000;

/** What a start does while it is read. */
const WORK = ['crawl', 'rebuild', 'backup'] as const;
type Work = (typeof WORK)[number];

interface Phase {
  readonly p50: number;
  readonly p99: number;
  readonly pagesPerSecond: number;
  readonly eventsPerSecond: number;
}

/** The contestants: the API in a process of its own, and the same roles in one process. */
const ROLES = { apart: [], together: ['--role', 'api,project,crawl'] } as const;
type Name = keyof typeof ROLES;

export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const ms = quick ? 6_000 : 20_000;
  const rounds = quick ? 1 : 3;
  const platforms = startChild(new URL('../support/platforms.ts', import.meta.url));
  const reader = startChild(new URL('./reader.ts', import.meta.url));
  const backups: string[] = [];
  const results: Record<Name, { idle: Phase; during: Partial<Record<Work, Phase>> }[]> = {
    apart: [],
    together: [],
  };
  try {
    const world = await platforms.ask<PlatformsAnswer>({
      seed: 11,
      size: quick ? 5_000 : 30_000,
    } satisfies PlatformsQuestion);

    const measure = async (program: Started): Promise<Phase> => {
      const handles = await program.handles(HANDLES);
      const paths = handles.flatMap((handle, i) => [
        `/v2/accounts/x/${handle}`,
        `/v2/directory/x/${handle}`,
        ...(i % 5 === 0 ? ['/v2/directory?sort=followers&limit=25'] : []),
      ]);
      const before = await platforms.ask<PlatformsAnswer>(null);
      const events = await program.events();
      const began = performance.now();
      const { url, key } = program;
      const taken = await reader.ask<readonly number[]>({
        url,
        key,
        perSecond: READS_PER_SECOND,
        ms,
        paths,
      } satisfies ReadQuestion);
      const seconds = (performance.now() - began) / 1_000;
      const after = await platforms.ask<PlatformsAnswer>(null);
      return {
        p50: percentile(taken, 0.5),
        p99: percentile(taken, 0.99),
        pagesPerSecond: (after.requests - before.requests) / seconds,
        eventsPerSecond: ((await program.events()) - events) / seconds,
      };
    };

    /** Repeats a command for as long as the reader reads. */
    const whileRunning = async (program: Started, args: () => readonly string[]): Promise<Phase> => {
      const ended = new AbortController();
      const repeating = (async () => {
        while (!ended.signal.aborted) {
          const code = await program.command(...args());
          if (code !== 0) throw new Error(`sightline ${args().join(' ')} ended with ${code}`);
        }
      })();
      // The program of the command is loaded first.
      await sleep(1_000);
      const phase = await measure(program);
      ended.abort();
      await repeating;
      return phase;
    };

    const backupArgs = () => {
      const out = join(tmpdir(), `sightline-bench-backup-${process.pid}-${backups.length}`);
      backups.push(out);
      return ['backup', '--out', out];
    };

    for (let round = 0; round < rounds; round++) {
      for (const name of ['apart', 'together'] as const) {
        const program = await startProgram(world, PAGES_PER_SECOND, { roles: ROLES[name] });
        try {
          // A catalog to read from, and code that is compiled.
          await sleep(quick ? 8_000 : 15_000);
          await measure(program);
          const crawl = await measure(program);
          await program.pause(10 * 60_000);
          await sleep(SETTLE_MS);
          const idle = await measure(program);
          const during =
            name === 'together'
              ? { crawl }
              : {
                  crawl,
                  rebuild: await whileRunning(program, () => ['projections', 'rebuild', 'directory']),
                  backup: await whileRunning(program, backupArgs),
                };
          results[name].push({ idle, during });
          for (const [work, phase] of Object.entries({ idle, ...during })) {
            progress(
              `  round ${round + 1} of ${rounds}, ${name}, ${work}: p50 ${phase.p50.toFixed(1)} ms, p99 ${phase.p99.toFixed(1)} ms, ${Math.round(phase.pagesPerSecond)} pages/s, ${Math.round(phase.eventsPerSecond)} events/s`,
            );
          }
        } finally {
          await program.stop();
        }
      }
    }

    const rows: string[][] = [];
    const ratioOf = (name: Name, work: Work): number => {
      const found = results[name].flatMap(({ idle, during }) => {
        const phase = during[work];
        return phase === undefined ? [] : [phase.p99 / idle.p99];
      });
      return median(found);
    };
    for (const name of ['apart', 'together'] as const) {
      const of = (pick: (result: (typeof results)[Name][number]) => number) =>
        median(results[name].map(pick));
      rows.push([
        name,
        'nothing',
        of((r) => r.idle.p50).toFixed(1),
        of((r) => r.idle.p99).toFixed(1),
        '',
        '',
        '',
      ]);
      for (const work of WORK) {
        if (results[name][0]?.during[work] === undefined) continue;
        rows.push([
          name,
          work,
          of((r) => r.during[work]?.p50 ?? 0).toFixed(1),
          of((r) => r.during[work]?.p99 ?? 0).toFixed(1),
          figure(of((r) => r.during[work]?.pagesPerSecond ?? 0)),
          figure(of((r) => r.during[work]?.eventsPerSecond ?? 0)),
          ratioOf(name, work).toFixed(2),
        ]);
      }
    }
    return {
      bench: 'bench:beside',
      table: [['the API', 'beside', 'p50 ms', 'p99 ms', 'pages/s', 'events/s', 'p99 over idle'], ...rows],
      goals: WORK.map((work) => ({
        bench: 'bench:beside',
        what: `99th percentile of reads beside ${work}, over idle, at most`,
        ratio: ratioOf('apart', work),
        goal: GOAL,
        kind: 'most' as const,
      })),
      notes: [
        `${READS_PER_SECOND} reads a second (account check, directory entry, list) while a start crawls and folds up to ${PAGES_PER_SECOND} pages a second, rebuilds a view or is backed up.`,
        'apart: the API in a process of its own, as `sightline start` runs it; together: the same roles in one process.',
        'Platforms, reader, Postgres and commands share the processors with both.',
      ],
    };
  } finally {
    await Promise.all([platforms.stop(), reader.stop()]);
    for (const path of backups) await rm(path, { recursive: true, force: true });
  }
};
