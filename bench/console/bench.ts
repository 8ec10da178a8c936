import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseConfig } from '../../src/kernel/config.ts';
import { silentLogger } from '../../src/kernel/logger.ts';
import { addOperator, loginToken } from '../../src/operations/operators.ts';
import { openRuntime, type Runtime } from '../../src/runtime/open-runtime.ts';
import type { ReadQuestion } from '../beside/reader.ts';
import { startChild } from '../support/child.ts';
import type { PlatformsAnswer, PlatformsQuestion } from '../support/platforms.ts';
import { type Started, startProgram } from '../support/program.ts';
import { median, percentile } from '../support/rounds.ts';
import { goalsFor, progress, type Report } from '../support/targets.ts';

const READS_PER_SECOND = 50;
const PAGES_PER_SECOND = 500;
const HANDLES = 500;
/** Events of the long stream. */
const LONG = 50_000;
const BATCH = 500;

/** Screens that ten people look at, with their seconds between two refreshes. */
const OPEN = [
  ['/', 3],
  ['/engines', 3],
  ['/engines/x', 3],
  ['/pools', 5],
  ['/pools/seed-x', 5],
  ['/models', 3],
  ['/models/directory', 3],
  ['/holders/reader', 5],
  ['/events', 5],
  ['/research', 5],
] as const;

/** CPU seconds of a process so far. */
const cpuOf = async (pid: number): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

const withRuntime = async <Result>(
  { home }: Started,
  work: (runtime: Runtime) => Promise<Result>,
): Promise<Result> => {
  const config = parseConfig({ SIGHTLINE_HOME: home, LOG_LEVEL: 'silent' });
  const runtime = await openRuntime(config, 'command', silentLogger);
  return work(runtime).finally(() => runtime.close());
};

/** Logs in. @returns the cookie. */
const logIn = async (program: Started): Promise<string> => {
  const token = await withRuntime(program, async (runtime) => {
    await addOperator(runtime, 'bench', 'administrator');
    return loginToken(runtime, 'bench');
  });
  const answer = await fetch(`${program.console}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: program.console, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token }).toString(),
  });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
};

/** Columns of the events' table. */
const ORDERS = ['recorded', 'event', 'position'] as const;

/** Appends a stream of many events, as the reports of an engine. */
const appendLong = (program: Started): Promise<void> =>
  withRuntime(program, async ({ log }) => {
    for (let done = 0; done < LONG; done += BATCH) {
      const at = new Date().toISOString();
      const events = Array.from({ length: BATCH }, () => ({
        id: crypto.randomUUID(),
        type: 'EngineRestEnded',
        data: { at },
      }));
      await log.append('engine-long', events, 'any');
    }
  });

export const run = async ({ quick }: { readonly quick: boolean }): Promise<Report> => {
  const ms = quick ? 8_000 : 20_000;
  const rounds = quick ? 2 : 5;
  const platforms = startChild(new URL('../support/platforms.ts', import.meta.url));
  const reader = startChild(new URL('../beside/reader.ts', import.meta.url));
  try {
    const world = await platforms.ask<PlatformsAnswer>({
      seed: 11,
      size: quick ? 5_000 : 30_000,
    } satisfies PlatformsQuestion);
    const program = await startProgram(world, PAGES_PER_SECOND);
    try {
      const cookie = await logIn(program);
      const headers = { cookie, 'hx-request': 'true' };
      const open = async (path: string): Promise<void> => {
        const answer = await fetch(`${program.console}${path}`, { headers });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
      };
      await sleep(quick ? 8_000 : 15_000);
      await program.pause(60 * 60_000);
      await sleep(5_000);
      const handles = await program.handles(HANDLES);
      const paths = handles.flatMap((handle, i) => [
        `/v2/accounts/x/${handle}`,
        `/v2/directory/x/${handle}`,
        ...(i % 5 === 0 ? ['/v2/directory?sort=followers&limit=25'] : []),
      ]);
      const measure = async () => {
        const before = await cpuOf(program.pid);
        const began = performance.now();
        const { url, key } = program;
        const question: ReadQuestion = { url, key, perSecond: READS_PER_SECOND, ms, paths };
        const taken = await reader.ask<readonly number[]>(question);
        const seconds = (performance.now() - began) / 1_000;
        return { p99: percentile(taken, 0.99), cores: ((await cpuOf(program.pid)) - before) / seconds };
      };
      const watched = async () => {
        const closed = new AbortController();
        const pages = OPEN.map(async ([path, everyS]) => {
          while (!closed.signal.aborted) {
            await open(path);
            await sleep(everyS * 1_000, undefined, { signal: closed.signal }).catch(() => undefined);
          }
        });
        const found = await measure();
        closed.abort();
        await Promise.all(pages);
        return found;
      };
      for (const [path] of OPEN) await open(path);
      await measure();
      const alone: Awaited<ReturnType<typeof measure>>[] = [];
      const beside: typeof alone = [];
      for (let round = 0; round < rounds; round++) {
        alone.push(await measure());
        beside.push(await watched());
        progress(
          `  round ${round + 1} of ${rounds}: p99 ${alone[round]?.p99.toFixed(1)} ms alone, ${beside[round]?.p99.toFixed(1)} ms beside ten pages; ${((beside[round]?.cores ?? 0) - (alone[round]?.cores ?? 0)).toFixed(3)} cores`,
        );
      }
      await appendLong(program);
      const took: number[] = [];
      for (let i = 0; i < rounds; i++) {
        const began = performance.now();
        // Another order each time, so that none is shown what was read for another.
        await open(
          `/events?stream=engine-long&sort=${i % 2 === 0 ? '' : '-'}events.${ORDERS[i % ORDERS.length]}`,
        );
        took.push((performance.now() - began) / 1_000);
      }
      const p99 = median(beside.map((each, i) => each.p99 / (alone[i]?.p99 ?? 1)));
      const cores = median(beside.map((each, i) => each.cores - (alone[i]?.cores ?? 0)));
      const { most } = goalsFor('bench:console');
      return {
        bench: 'bench:console',
        table: [
          ['figure', 'alone', 'beside ten open pages'],
          [
            'p99 of the API, ms',
            ...[alone, beside].map((all) => median(all.map((each) => each.p99)).toFixed(1)),
          ],
          [
            'cores of the main process',
            ...[alone, beside].map((all) => median(all.map((each) => each.cores)).toFixed(3)),
          ],
          [`a stream of ${LONG.toLocaleString('en-US')} events opens in, s`, '', median(took).toFixed(2)],
        ],
        goals: [
          most('99th percentile of the API beside ten open pages, over alone, at most', p99, 1.2),
          most('cores of the console under ten open pages, at most', cores, 0.05),
          most('seconds until the newest of 50,000 events of a stream are shown, at most', median(took), 1),
        ],
        notes: [
          `${READS_PER_SECOND} reads a second (account check, directory entry, list) on a service whose crawl rests, alone and beside ten pages that refresh every 3 or 5 s, in turns.`,
          'Cores are those of the process that serves the console; what Postgres does for it is not in them.',
        ],
      };
    } finally {
      await program.stop();
    }
  } finally {
    await Promise.all([platforms.stop(), reader.stop()]);
  }
};
