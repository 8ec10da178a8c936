import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { type Lag, lagOf } from '../../projections/lag.ts';
import { projections } from '../../projections/registry.ts';
import { stopSignal, withProgram } from '../command.ts';
import type { Program } from '../program/open.ts';
import { tableOf } from '../tables.ts';

/** Figures of one moment, and how fast each projection moved since the one before. */
interface Sample {
  readonly atMs: number;
  readonly lags: readonly Lag[];
  /** Positions a second, by projection; nothing where there was no sample before. */
  readonly rates: ReadonlyMap<string, number>;
}

const SAMPLE_MS = 1_000;
const HEAD = [
  'projection',
  'position',
  'head',
  'behind',
  'oldest missing',
  'rate',
  'ETA',
  'stopped',
] as const;

const sampleOf = async ({ db, log }: Program, before: Sample | null): Promise<Sample> => {
  const lags = await lagOf(db, log, projections);
  const atMs = performance.now();
  const rates = new Map<string, number>();
  for (const { projection, build } of lags) {
    const earlier = before?.lags.find((lag) => lag.projection === projection)?.build;
    if (before === null || build === null || earlier?.schema !== build.schema) continue;
    rates.set(projection, Number(build.position - earlier.position) / ((atMs - before.atMs) / 1_000));
  }
  return { atMs, lags, rates };
};

const duration = (s: number): string => {
  if (s < 90) return `${Math.round(s)} s`;
  return s < 5_400 ? `${Math.round(s / 60)} min` : `${(s / 3_600).toFixed(1)} h`;
};

/** How it stands, as a machine reads it. */
const figuresOf = ({ lags, rates }: Sample, nowMs: number) =>
  lags.map(({ projection, version, build, head, behind, waitingSince, stops }) => {
    const rate = rates.get(projection) ?? null;
    const isCatchingUp = behind > 0n && rate !== null && rate > 0;
    return {
      projection,
      version,
      schema: build?.schema ?? null,
      position: build === null ? null : String(build.position),
      head: String(head),
      behind: String(behind),
      oldest_missing_s:
        waitingSince === null ? null : Math.max(0, (nowMs - Date.parse(waitingSince)) / 1_000),
      rate_per_s: rate === null ? null : Math.round(rate),
      eta_s: isCatchingUp ? Math.round(Number(behind) / rate) : null,
      stopped_at: stops.map(({ place, position, why, stoppedAt }) => ({
        place,
        position: String(position),
        since: stoppedAt.toISOString(),
        why,
      })),
    };
  });

const number = (text: string): string => BigInt(text).toLocaleString('en-US');

/** The same for people. */
const lagTable = (figures: ReturnType<typeof figuresOf>): string => {
  const table = tableOf(
    HEAD,
    figures.map((row) => [
      row.projection,
      row.position === null ? 'is being built' : number(row.position),
      number(row.head),
      number(row.behind),
      row.oldest_missing_s === null ? '' : duration(row.oldest_missing_s),
      row.rate_per_s === null ? '' : `${row.rate_per_s.toLocaleString('en-US')}/s`,
      row.eta_s === null ? '' : duration(row.eta_s),
      row.stopped_at.map(({ position }) => `at ${position}`).join(', '),
    ]),
  );
  const stops = figures.flatMap(({ projection, stopped_at }) =>
    stopped_at.map(
      ({ position, since, why }) =>
        `${projection} stands before position ${position} since ${since}: ${why}\n` +
        `  to go on without: sightline projections skip ${position} --projection ${projection} --why "…"`,
    ),
  );
  return [table, ...stops].join('\n');
};

const print = (sample: Sample, json: boolean): string => {
  const figures = figuresOf(sample, Date.now());
  return json ? JSON.stringify(figures) : lagTable(figures);
};

/** Prints a sample a second until Ctrl-C: over the last one on a terminal, one after the other elsewhere. */
const watch = async (program: Program, json: boolean): Promise<void> => {
  const signal = stopSignal();
  const redraw = process.stdout.isTTY === true && !json;
  let sample: Sample | null = null;
  let lines = 0;
  while (!signal.aborted) {
    sample = await sampleOf(program, sample);
    const text = print(sample, json);
    process.stdout.write(`${redraw && lines > 0 ? `\x1b[${lines}A\x1b[J` : ''}${text}\n`);
    lines = text.split('\n').length;
    await sleep(SAMPLE_MS, undefined, { signal }).catch(() => undefined);
  }
};

const once = async (program: Program, json: boolean): Promise<void> => {
  let sample = await sampleOf(program, null);
  if (sample.lags.some(({ behind }) => behind > 0n)) {
    // How fast one moves takes two looks.
    await sleep(SAMPLE_MS);
    sample = await sampleOf(program, sample);
  }
  console.log(print(sample, json));
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
"behind" counts positions of the log up to its head; where the log is EventStoreDB they have gaps, and are no number of
events. "oldest missing" is the age of the oldest event that a read model lacks: that is how old its answers may be.

Examples:
  sightline projections lag
  sightline projections lag --watch
  sightline projections lag --json | jq '.[] | select(.oldest_missing_s > 60)'`,
    )
    .action(({ watch: again = false, json = false }: { watch?: boolean; json?: boolean }) =>
      withProgram((program) => (again ? watch(program, json) : once(program, json))),
    );
