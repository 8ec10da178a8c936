import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { INSIGHTS_METHOD_VERSION } from '../../src/analysis/sample.ts';
import { IMPERSONATION_METHOD_VERSION } from '../../src/write/people/impersonation.ts';
import { drawParameters } from '../simulator/world/draw.ts';
import { DEFAULT_PARAMETERS, hashOf, type Parameters } from '../simulator/world/parameters.ts';
import { readWorld } from '../simulator/world/read-world.ts';
import { createWorld } from '../simulator/world/world.ts';
import { AUDITED, type AuditedPlatform, labelLines, labelledSample } from './audit/labels.ts';
import { measureAudits } from './audit/measure.ts';
import { type AuditSummary, auditSummaryOf } from './audit/summary.ts';
import { measureImpersonation } from './impersonation/summary.ts';
import { measureWorld } from './measure.ts';
import type { CalibratedWorld, CalibrationOptions, CalibrationReport } from './messages.ts';
import { AT } from './observed.ts';
import { picturesOf } from './pictures.ts';
import type { Decision, Result } from './records.ts';
import { missesOf, summaryOf } from './summary.ts';
import { measureTools, TOOL_STEPS, together, toolMisses, toolSummaries } from './tools.ts';

/** The document that the methods were tuned on, as on those drawn from seeds below `FIRST_DRAW`. */
const TUNED_ON = '3add3c3b0a5a92b5';
const FIRST_DRAW = 101;
/** Accounts of a world among which those with enough posts and reactions are found. */
const SIZE = 2_000_000;

/** Followers that an audit reads, labelled samples that coverage is over, and accounts with surges. */
const AUDIT = { size: 500, samples: 10, surging: 200 };

interface NamedWorld {
  readonly parameters: Parameters;
  readonly options: string;
}

const worldsOf = async ({ world, draw, draws }: CalibrationOptions): Promise<readonly NamedWorld[]> => {
  const first =
    draw !== null
      ? { parameters: drawParameters(draw), options: `--draw ${draw}` }
      : world !== null
        ? { parameters: await readWorld(world), options: `--world ${world}` }
        : { parameters: DEFAULT_PARAMETERS, options: '' };
  const drawn = Array.from({ length: draws }, (_, n) => ({
    parameters: drawParameters(FIRST_DRAW + n),
    options: `--draw ${FIRST_DRAW + n}`,
  }));
  return [first, ...drawn];
};

type Progress = (done: number, total: number) => void;

const seedsOf = ({ seeds, firstSeed }: CalibrationOptions): readonly number[] =>
  Array.from({ length: seeds }, (_, n) => firstSeed + n);

const NO_FIGURES = { figures: [], tests: [], cells: [] };

/** Measures the tools that state prices and projections. */
const calibrateTools = async (
  options: CalibrationOptions,
  onProgress: Progress,
): Promise<CalibrationReport> => {
  const worlds = await worldsOf(options);
  const seeds = seedsOf(options);
  const total = worlds.length * seeds.length * TOOL_STEPS;
  let done = 0;
  const measured = worlds.map(({ parameters, options: own }): CalibratedWorld => {
    const parts = seeds.map((seed) =>
      measureTools({ seed, parameters }, () => {
        done += 1;
        onProgress(done, total);
      }),
    );
    const hash = hashOf(parameters);
    const tools = toolSummaries(together(parts), parameters);
    const options = ['--tools', own].filter((text) => text !== '').join(' ');
    return {
      hash,
      held_back: hash !== TUNED_ON,
      options,
      summary: NO_FIGURES,
      audits: [],
      impersonation: null,
      tools,
      missed: toolMisses(tools),
    };
  });
  return { method_version: INSIGHTS_METHOD_VERSION, seeds, worlds: measured };
};

/** Measures which impersonators are named. */
const calibrateImpersonation = async (
  options: CalibrationOptions,
  onProgress: Progress,
): Promise<CalibrationReport> => {
  const worlds = await worldsOf(options);
  const seeds = seedsOf(options);
  // The oracle of a world is one step more.
  const total = worlds.length * (seeds.length + 1);
  let done = 0;
  const measured: CalibratedWorld[] = [];
  for (const { parameters, options: own } of worlds) {
    const impersonation = await measureImpersonation(parameters, seeds, () => {
      done += 1;
      onProgress(done, total);
    });
    const hash = hashOf(parameters);
    measured.push({
      hash,
      held_back: hash !== TUNED_ON,
      options: ['--impersonation', own].filter((text) => text !== '').join(' '),
      summary: NO_FIGURES,
      tools: [],
      audits: [],
      impersonation,
      missed: impersonation.missed,
    });
  }
  return { method_version: IMPERSONATION_METHOD_VERSION, seeds, worlds: measured };
};

/** Measures figures in worlds, each over all seeds together. */
export const calibrate = async (
  options: CalibrationOptions,
  onProgress: Progress,
): Promise<CalibrationReport> => {
  if (options.tools) return calibrateTools(options, onProgress);
  if (options.impersonation) return calibrateImpersonation(options, onProgress);
  const worlds = await worldsOf(options);
  const seeds = seedsOf(options);
  const each = options.accounts + options.engaged;
  const platforms = Object.keys(AUDITED) as readonly AuditedPlatform[];
  const audited = options.audits * platforms.length;
  const total = worlds.length * (seeds.length * each + audited);
  let begun = 0;
  const measured: CalibratedWorld[] = [];
  for (const { parameters, options: own } of worlds) {
    const results: Result[] = [];
    const decisions: Decision[] = [];
    for (const seed of seeds) {
      const world = createWorld({ seed, size: SIZE, parameters, clock: { now: () => AT } });
      const part = measureWorld(world, {
        platform: options.platform,
        accounts: options.accounts,
        engaged: options.engaged,
        windowDays: options.windowDays,
        effectDays: 365,
        onAccount: (done) => onProgress(begun + done, total),
      });
      for (const one of part.results) results.push(one);
      for (const one of part.decisions) decisions.push(one);
      begun += each;
    }
    const summary = summaryOf(results, decisions);
    const hash = hashOf(parameters);
    const audits: AuditSummary[] = [];
    const population = createWorld({
      seed: options.firstSeed,
      size: SIZE,
      parameters,
      clock: { now: () => AT },
    });
    for (const platform of options.audits === 0 ? [] : platforms) {
      const part = measureAudits(population, {
        platform,
        accounts: options.audits,
        ...AUDIT,
        onAccount: (done) => onProgress(begun + done, total),
      });
      begun += options.audits;
      audits.push(auditSummaryOf(part, hash === TUNED_ON));
    }
    if (options.auditLabels !== null && measured.length === 0)
      await writeFile(
        options.auditLabels,
        platforms
          .flatMap((platform) =>
            labelLines(platform, labelledSample(population, platform, SIZE / 2).labelled),
          )
          .map((line) => `${JSON.stringify(line)}\n`)
          .join(''),
      );
    measured.push({
      hash,
      held_back: hash !== TUNED_ON,
      options: [options.platform === 'x' ? '' : `--platform ${options.platform}`, own]
        .filter((text) => text !== '')
        .join(' '),
      summary,
      tools: [],
      impersonation: null,
      audits,
      missed: [
        ...missesOf(summary),
        ...audits.flatMap(({ platform, missed }) => missed.map((what) => `audit of ${platform}: ${what}`)),
      ],
    });
    if (options.svg !== null && measured.length === 1) {
      await mkdir(options.svg, { recursive: true });
      for (const [name, picture] of Object.entries(picturesOf(results, hash)))
        await writeFile(join(options.svg, name), picture);
    }
  }
  onProgress(total, total);
  return { method_version: INSIGHTS_METHOD_VERSION, seeds, worlds: measured };
};
