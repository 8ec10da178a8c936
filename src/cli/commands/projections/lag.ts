import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import type { Lag } from '../../../projections/engine/lag.ts';
import type { Runtime } from '../../../runtime/open-runtime.ts';
import { doneShare, eventNumber, percent } from '../../render/events-behind.ts';
import { renderTable } from '../../render/table.ts';
import { stopSignal, withRuntime } from '../../with-runtime.ts';

/** How it stands at a moment, by the process's own steady clock. */
export interface Sample {
  readonly atMs: number;
  readonly lags: readonly Lag[];
  /** Events that a projection has moved by since the sample before; none for one of another build. */
  readonly moved: ReadonlyMap<string, bigint>;
}

const SAMPLE_MS = 1_000;
const HEAD = [
  'projection',
  'position',
  'events behind',
  'done',
  'oldest missing',
  'rate',
  'ETA',
  'stopped',
] as const;

const sampleOf = async ({ db, log }: Runtime, before: Sample | null): Promise<Sample> => {
  const { lagOf } = await import('../../../projections/engine/lag.ts');
  const { projections } = await import('../../../projections/registry.ts');
  const { eventsBetween } = await import('../../../write/log/events-between.ts');
  const lags = await lagOf(db, log, projections);
  const atMs = performance.now();
  const moved = new Map<string, bigint>();
  for (const { projection, build } of lags) {
    const earlier = before?.lags.find((lag) => lag.projection === projection)?.build;
    if (build === null || earlier?.schema !== build.schema) continue;
    moved.set(projection, (await eventsBetween(log, earlier.position, build.position)).events);
  }
  return { atMs, lags, moved };
};

/** Events a second since the sample before; null where that was of another build, or where there was none. */
const rateOf = (projection: string, { atMs, moved }: Sample, before: Sample | null): number | null => {
  const events = moved.get(projection);
  return before === null || events === undefined ? null : Number(events) / ((atMs - before.atMs) / 1_000);
};

const duration = (s: number): string => {
  if (s < 90) return `${Math.round(s)} s`;
  return s < 5_400 ? `${Math.round(s / 60)} min` : `${(s / 3_600).toFixed(1)} h`;
};

/** How it stands, as a machine reads it. */
export const figuresOf = (sample: Sample, before: Sample | null, nowMs: number) =>
  sample.lags.map((lag) => {
    const { projection, version, build, head, behind, oldestUnprocessedAt, stalls } = lag;
    const rate = rateOf(projection, sample, before);
    return {
      projection,
      version,
      schema: build?.schema ?? null,
      position: build === null ? null : String(build.position),
      head: String(head),
      behind: String(behind.events),
      behind_is_estimate: behind.isEstimate,
      done: build === null ? 0 : doneShare(build.position, head),
      oldest_missing_s:
        oldestUnprocessedAt === null ? null : Math.max(0, (nowMs - Date.parse(oldestUnprocessedAt)) / 1_000),
      rate_per_s: rate === null ? null : Math.round(rate),
      eta_s:
        behind.events > 0n && rate !== null && rate > 0 ? Math.round(Number(behind.events) / rate) : null,
      stopped_at: stalls.map(({ partition, position, reason, stalledAt }) => ({
        partition,
        position: String(position),
        since: stalledAt.toISOString(),
        reason,
      })),
    };
  });

/** The same for people. */
const lagTable = (figures: ReturnType<typeof figuresOf>): string => {
  const table = renderTable(
    HEAD,
    figures.map((row) => [
      row.projection,
      row.position ?? 'is being built',
      eventNumber(row.behind, row.behind_is_estimate),
      percent(row.done),
      row.oldest_missing_s === null ? '' : duration(row.oldest_missing_s),
      row.rate_per_s === null ? '' : `${row.rate_per_s.toLocaleString('en-US')}/s`,
      row.eta_s === null ? '' : duration(row.eta_s),
      row.stopped_at.map(({ position }) => `at ${position}`).join(', '),
    ]),
  );
  const stalls = figures.flatMap(({ projection, stopped_at }) =>
    stopped_at.map(
      ({ position, since, reason }) =>
        `${projection} stands before position ${position} since ${since}: ${reason}\n` +
        `  to go on without: sightline projections skip ${position} --projection ${projection} --why "…"`,
    ),
  );
  return [table, ...stalls].join('\n');
};

const print = (sample: Sample, before: Sample | null, json: boolean): string => {
  const figures = figuresOf(sample, before, Date.now());
  return json ? JSON.stringify(figures) : lagTable(figures);
};

/** Prints a sample a second until Ctrl-C: over the last one on a terminal, one after the other elsewhere. */
const watch = async (runtime: Runtime, json: boolean): Promise<void> => {
  const signal = stopSignal();
  const redraw = process.stdout.isTTY === true && !json;
  let before: Sample | null = null;
  let lines = 0;
  while (!signal.aborted) {
    const sample = await sampleOf(runtime, before);
    const text = print(sample, before, json);
    before = sample;
    process.stdout.write(`${redraw && lines > 0 ? `\x1b[${lines}A\x1b[J` : ''}${text}\n`);
    lines = text.split('\n').length;
    await sleep(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
  }
};

const once = async (runtime: Runtime, json: boolean): Promise<void> => {
  const first = await sampleOf(runtime, null);
  if (first.lags.every(({ behind }) => behind.events === 0n)) {
    console.log(print(first, null, json));
    return;
  }
  // How fast one moves takes two looks.
  await sleep(SAMPLE_MS);
  console.log(print(await sampleOf(runtime, first), first, json));
};

/** `sightline projections lag`: how far behind the log the read models are. */
export const lagCommand = (): Command =>
  new Command('lag')
    .description('how far behind the log the served read models are, and which of them stand still')
    .option('--watch', 'print it every second, until Ctrl-C')
    .option('--json', 'print JSON, a line a look')
    .addHelpText(
      'after',
      `
"events behind" is what a read model lacks of the log: with EventStoreDB about so many, where there are more than a few
hundred. "oldest missing" is the age of the oldest event that a read model lacks: that is how old its answers may be.

Examples:
  sightline projections lag
  sightline projections lag --watch
  sightline projections lag --json | jq '.[] | select(.oldest_missing_s > 60)'`,
    )
    .action(({ watch: again = false, json = false }: { watch?: boolean; json?: boolean }) =>
      withRuntime((runtime) => (again ? watch(runtime, json) : once(runtime, json))),
    );
