import type { AccountInsights } from '../../operations/insights/account-insights.ts';
import type { ComputedLadders } from '../../operations/insights/compute-ladders.ts';
import { renderTable } from './table.ts';

const figure = (value: number | undefined): string =>
  value === undefined
    ? ''
    : Number(value.toPrecision(4)).toLocaleString('en-US', { maximumSignificantDigits: 4 });

/** Figures of an account with their intervals, a line each. */
export const insightsText = (found: AccountInsights): string => {
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
  const pace = found.posts_per_week;
  return [
    `${platform}:${handle}${followers === null ? '' : `, ${figure(followers)} followers`}: ${posts_sampled} ripe of ${posts_published} originals, ${window.from} to ${window.to}`,
    renderTable(['figure', 'median', '95 % interval', 'middle half', 'posts'], rows),
    ...(pace === null
      ? []
      : [`Posts a week: ${figure(pace.value)} (${figure(pace.low)} to ${figure(pace.high)})`]),
    `Method ${found.method_version}; intervals by ${found.population === null ? 'published figures' : `the population of event ${found.population}`}.`,
    ...(found.warnings.length === 0 ? [] : [`Warnings: ${found.warnings.join(', ')}`]),
  ].join('\n');
};

export const laddersText = (computed: readonly ComputedLadders[]): string =>
  renderTable(
    ['platform', 'accounts', 'with figures', 'ladders'],
    computed.map((one) => [
      one.platform,
      figure(one.accounts),
      figure(one.with_figures),
      String(one.ladders),
    ]),
  );
