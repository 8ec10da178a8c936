import { Command } from 'commander';
import { OperatorError } from '../../kernel/errors.ts';
import { print } from '../../kernel/terminal.ts';
import { shownJson } from '../../kernel/text.ts';
import type { AccountInsights } from '../../operations/insights/account-insights.ts';
import type { ComputedLadders } from '../../operations/insights/compute-ladders.ts';
import { timeArg } from '../parse/args.ts';
import { renderTable } from '../render/table.ts';
import { recorded, withRuntime } from '../with-runtime.ts';

/** `sightline insights`: figures of posts, and those of populations. */
export const insightsCommand = (): Command => {
  const insights = new Command('insights')
    .description('compute post figures for an account at any time, and for whole platforms')
    .addHelpText('after', EXAMPLES);
  insights
    .command('show')
    .description('compute the figures of an account from the log, for now or for an earlier time')
    .argument('<account>', 'platform:handle')
    .option('--as-of <time>', 'use only what the log had recorded by then: 2026-11-01, 7d', timeArg)
    .option('--window-days <days>', 'length of the window before the last sighting; 30 by default', daysArg)
    .option('--json', 'print JSON')
    .action((account: string, { asOf, windowDays, json = false }: ShowOptions) =>
      withRuntime(async ({ log }) => {
        const { readAccountInsights } = await import('../../operations/insights/account-insights.ts');
        const found = await readAccountInsights(log, account, {
          untilMs: asOf ?? null,
          ...(windowDays === undefined ? {} : { days: windowDays }),
        });
        print(json ? shownJson(found, 2) : insightsText(found));
      }),
    );
  recorded(insights.command('compute'))
    .description(
      'compute the percentile ladders of all platforms now; LADDERS_CRON schedules this for the role research',
    )
    .option('--json', 'print JSON')
    .action(({ json = false }: { json?: boolean }) =>
      withRuntime(async (runtime) => {
        const { computeLadders } = await import('../../operations/insights/compute-ladders.ts');
        const computed = await computeLadders(runtime);
        print(json ? shownJson(computed) : laddersText(computed));
      }),
    );
  return insights;
};

const EXAMPLES = `
Examples:
  sightline insights show x:nasa
  sightline insights show youtube:nasa --window-days 365
  sightline insights show x:nasa --as-of 2026-11-01 --json
  sightline insights compute

docs/methods/insights.md has the formulas and their measured errors.`;

const daysArg = (text: string): number => {
  const days = Number(text);
  if (/^\d{1,3}$/.test(text) && days >= 7 && days <= 365) return days;
  throw new OperatorError('argument_invalid', `"${text}" is no window; give 7 to 365 days`);
};

interface ShowOptions {
  readonly asOf?: number;
  readonly windowDays?: number;
  readonly json?: boolean;
}

const figure = (value: number | undefined): string =>
  value === undefined
    ? ''
    : Number(value.toPrecision(4)).toLocaleString('en-US', { maximumSignificantDigits: 4 });

/** Figures of an account with their intervals, a line each. */
const insightsText = (found: AccountInsights): string => {
  const { platform, handle, followers, window, posts_sampled, posts_published, figures } = found;
  const rows = Object.entries(figures).map(([name, shown]) =>
    shown === null
      ? [name, 'too few posts', '', '', '']
      : [
          name,
          figure(shown.value),
          `${figure(shown.low)} to ${figure(shown.high)}`,
          `${figure(shown.p25)} to ${figure(shown.p75)}`,
          String(shown.n),
        ],
  );
  const { posts_per_week: pace, posts_per_week_interval: bounds } = found;
  return [
    `${platform}:${handle}${followers === null ? '' : `, ${figure(followers)} followers`}: ${posts_sampled} ripe of ${posts_published} originals, ${window.from} to ${window.to}`,
    renderTable(['figure', 'median', '95 % interval', 'middle half', 'posts'], rows),
    ...(pace === null
      ? []
      : [
          `Posts a week: ${figure(pace)}${bounds === null ? '' : `, in the long run ${figure(bounds.low)} to ${figure(bounds.high)}`}`,
        ]),
    `Method ${found.method_version}; intervals by ${found.population === null ? 'published figures' : `the population of event ${found.population}`}.`,
    ...(found.warnings.length === 0 ? [] : [`Warnings: ${found.warnings.join(', ')}`]),
  ].join('\n');
};

const laddersText = (computed: readonly ComputedLadders[]): string =>
  renderTable(
    ['platform', 'accounts', 'with figures', 'ladders'],
    computed.map((one) => [
      one.platform,
      figure(one.accounts),
      figure(one.with_figures),
      String(one.ladders),
    ]),
  );
