import { Command } from 'commander';
import { OperatorError } from '../../kernel/errors.ts';
import { print } from '../../kernel/terminal.ts';
import { shownJson } from '../../kernel/text.ts';

/** `sightline calibrate`: how far figures are off in worlds whose truth is known, and how often intervals hold it. */
export const calibrateCommand = (): Command =>
  new Command('calibrate')
    .description('measure the error and coverage of insights and tools in simulated worlds')
    .addHelpText('after', EXAMPLES)
    .option('--world <file>', 'parameters of the world as JSON; omitted ones have defaults')
    .option('--draw <seed>', 'draw the parameters from this seed instead', whole('--draw', 0, 999_999_999))
    .option(
      '--draws <n>',
      'also measure this many drawn worlds, from seed 101 on',
      whole('--draws', 0, 100),
      0,
    )
    .option('--seeds <n>', 'populations of each world', whole('--seeds', 1, 100), 1)
    .option('--first-seed <n>', 'seed of the first population', whole('--first-seed', 0, 999_999_999), 2_001)
    .option(
      '--accounts <n>',
      'accounts of each population, chosen at random',
      whole('--accounts', 100, 1_000_000),
      5_000,
    )
    .option(
      '--engaged <n>',
      'additional accounts with at least 5 reactions per post and 8 posts',
      whole('--engaged', 0, 100_000),
      1_300,
    )
    .option('--platform <platform>', 'the platform of these accounts', 'x')
    .option('--window <days>', 'window of medians and posts per week', whole('--window', 7, 180), 30)
    .option(
      '--tools',
      'measure the prices, projections and reaction figures of the tools instead of the insights',
    )
    .option('--impersonation', 'measure the detection of impersonators instead of the insights')
    .option(
      '--audits <n>',
      'number of X and Bluesky accounts whose followers are audited',
      whole('--audits', 0, 100_000),
      1_000,
    )
    .option(
      '--audit-labels <file>',
      'file to write the labelled followers of the first world to, for AUDIT_LABELS',
    )
    .option('--svg <folder>', 'folder to write charts of the first world to')
    .option('--json', 'print JSON')
    .action(async (options: Options) => {
      const [{ parsePlatform }, { runCalibration }, { createProgress }, { calibrationText }] =
        await Promise.all([
          import('../../operations/crawl/read-accounts.ts'),
          import('../../runtime/calibration-thread.ts'),
          import('../render/progress.ts'),
          import('../render/calibration.ts'),
        ]);
      const isOfSteps = options.tools === true || options.impersonation === true;
      const progress = createProgress('calibrate', isOfSteps ? 'steps' : 'accounts');
      const report = await runCalibration(
        {
          platform: parsePlatform(options.platform),
          world: options.world ?? null,
          draw: options.draw ?? null,
          draws: options.draws,
          seeds: options.seeds,
          firstSeed: options.firstSeed,
          accounts: options.accounts,
          engaged: options.engaged,
          windowDays: options.window,
          tools: options.tools === true,
          impersonation: options.impersonation === true,
          audits: options.audits,
          auditLabels: options.auditLabels ?? null,
          svg: options.svg ?? null,
        },
        (done, total) => progress.update(done, total),
      );
      progress.end();
      print(options.json === true ? shownJson(report, 2) : calibrationText(report));
      if (report.worlds.some(({ missed }) => missed.length > 0)) process.exitCode = 1;
    });

const EXAMPLES = `
Examples:
  sightline calibrate                                  the default world
  sightline calibrate --draws 10                       also ten drawn worlds that no method was tuned on
  sightline calibrate --world world.json --seeds 3     another world, with three populations
  sightline calibrate --svg docs/methods               with one chart per method
  sightline calibrate --platform youtube               the insights of another platform's accounts
  sightline calibrate --tools --draws 10               prices, projections and reactions instead
  sightline calibrate --impersonation --seeds 5        impersonators reported by handle-similarity
  sightline calibrate --accounts 100 --engaged 0       almost only the follower audit

Exits with 1 if a figure missed its bar. docs/methods/insights.md and tools.md describe the methods, the bars and
the measurements.`;

const whole =
  (name: string, least: number, most: number) =>
  (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new OperatorError(
      'argument_invalid',
      `${name} is "${text}"; allowed: whole number from ${least} to ${most}`,
    );
  };

interface Options {
  readonly platform: string;
  readonly world?: string;
  readonly draw?: number;
  readonly draws: number;
  readonly seeds: number;
  readonly firstSeed: number;
  readonly accounts: number;
  readonly engaged: number;
  readonly window: number;
  readonly tools?: boolean;
  readonly impersonation?: boolean;
  readonly audits: number;
  readonly auditLabels?: string;
  readonly svg?: string;
  readonly json?: boolean;
}
