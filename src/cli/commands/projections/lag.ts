import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import { systemClock } from '../../../kernel/clock.ts';
import { pause } from '../../../kernel/retry.ts';
import { print, write } from '../../../kernel/terminal.ts';
import type { LagSample } from '../../../operations/projections/lag.ts';
import type { Runtime } from '../../../runtime/open-runtime.ts';
import { isForPrograms, listing, listText, type Output } from '../../render/listing.ts';
import { renderTable } from '../../render/table.ts';
import { stopSignal, withRuntime } from '../../with-runtime.ts';

/** The lag for machines. */
export const figuresOf = (sample: LagSample, before: LagSample | null, nowMs: number) =>
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
      oldest_unprocessed_s:
        oldestUnprocessedAt === null ? null : Math.max(0, (nowMs - Date.parse(oldestUnprocessedAt)) / 1_000),
      rate_per_s: rate === null ? null : Math.round(rate),
      eta_s:
        behind.events > 0n && rate !== null && rate > 0 ? Math.round(Number(behind.events) / rate) : null,
      stalls: stalls.map(({ partition, position, reason, stalledAt }) => ({
        partition,
        position: String(position),
        since: stalledAt,
        reason,
      })),
    };
  });

/** `sightline projections lag`: lag of the read models. */
export const lagCommand = (): Command =>
  listing(new Command('lag'))
    .description('show how far the served read models lag behind the log, and which projections are stalled')
    .option('--watch', 'print it every second, until Ctrl-C')
    .addHelpText(
      'after',
      `
"events behind" is the number of events that a read model has not processed; with EventStoreDB, numbers above a few
hundred are estimates. "oldest unprocessed" is the age of the oldest of these events: answers can be that old.

Examples:
  sightline projections lag
  sightline projections lag --watch
  sightline projections lag --json | jq '.[] | select(.oldest_unprocessed_s > 60)'`,
    )
    .action(({ watch: again = false, ...options }: Output & { watch?: boolean }) =>
      withRuntime((runtime) => (again ? watch(runtime, options) : once(runtime, options))),
    );

/** The fraction of the log before a position, from 0 to 1. */
export const doneShare = (position: bigint, head: bigint): number =>
  head <= 0n || position >= head ? 1 : Number((position * 10_000n) / head) / 10_000;

/** Never 100 % while something is left. */
export const percent = (share: number): string =>
  `${(Math.floor(share * 1_000) / 10).toFixed(share === 1 ? 0 : 1)} %`;

/** A number of events with separators; `about` if it is an estimate. */
export const eventNumber = (events: string, isEstimate: boolean): string =>
  `${isEstimate ? 'about ' : ''}${BigInt(events).toLocaleString('en-US')}`;

const SAMPLE_MS = 1_000;
const HEAD = [
  'projection',
  'position',
  'events behind',
  'done',
  'oldest unprocessed',
  'rate',
  'ETA',
  'stalled',
] as const;

const sampleOf = async (runtime: Runtime, before: LagSample | null): Promise<LagSample> => {
  const { sampleLag } = await import('../../../operations/projections/lag.ts');
  return sampleLag(runtime, before);
};

/** Events per second since the last sample; null without one, or if it was of another build. */
const rateOf = (
  projection: string,
  { atMs, advanced }: LagSample,
  before: LagSample | null,
): number | null => {
  const events = advanced.get(projection);
  return before === null || events === undefined ? null : Number(events) / ((atMs - before.atMs) / 1_000);
};

export const duration = (s: number): string => {
  if (s < 90) return `${Math.round(s)} s`;
  return s < 5_400 ? `${Math.round(s / 60)} min` : `${(s / 3_600).toFixed(1)} h`;
};

/** The lag for people. */
const lagTable = (figures: ReturnType<typeof figuresOf>, width: number): string => {
  const table = renderTable(
    HEAD,
    figures.map((row) => [
      row.projection,
      row.position ?? 'is being built',
      eventNumber(row.behind, row.behind_is_estimate),
      percent(row.done),
      row.oldest_unprocessed_s === null ? '' : duration(row.oldest_unprocessed_s),
      row.rate_per_s === null ? '' : `${row.rate_per_s.toLocaleString('en-US')}/s`,
      row.eta_s === null ? '' : duration(row.eta_s),
      row.stalls.map(({ position }) => `at ${position}`).join(', '),
    ]),
    { width },
  );
  const stalled = figures.flatMap(({ projection, stalls }) =>
    stalls.map(
      ({ position, since, reason }) =>
        `${projection} has been stalled at position ${position} since ${since}: ${reason}\n` +
        `  To skip this event: sightline projections skip ${position} --projection ${projection} --reason "…"`,
    ),
  );
  return [table, ...stalled].join('\n');
};

const figuresText = (sample: LagSample, before: LagSample | null, options: Output): string => {
  const figures = figuresOf(sample, before, systemClock.now());
  return listText(options, figures, { table: (width) => lagTable(figures, width) }, 'line');
};

/** Prints a sample a second until Ctrl-C: over the last one on a terminal, one after the other elsewhere. */
const watch = async (runtime: Runtime, options: Output): Promise<void> => {
  const signal = stopSignal();
  const redraw = process.stdout.isTTY === true && !isForPrograms(options);
  let before: LagSample | null = null;
  let lines = 0;
  while (!signal.aborted) {
    const sample = await sampleOf(runtime, before);
    const text = figuresText(sample, before, options);
    before = sample;
    write(`${redraw && lines > 0 ? `\x1b[${lines}A\x1b[J` : ''}${text}\n`);
    lines = text.split('\n').length;
    await pause(SAMPLE_MS, signal);
  }
};

const once = async (runtime: Runtime, options: Output): Promise<void> => {
  const first = await sampleOf(runtime, null);
  if (first.lags.every(({ behind }) => behind.events === 0n)) {
    print(figuresText(first, null, options));
    return;
  }
  // A rate takes two samples.
  await sleep(SAMPLE_MS);
  print(figuresText(await sampleOf(runtime, first), first, options));
};
