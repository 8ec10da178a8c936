import { caterpillarOf } from './picture.ts';
import type { Result } from './records.ts';

/** A picture for each kind of method, by file name. */
const PICTURES: Readonly<
  Record<string, { readonly title: string; readonly figure: string; readonly isLog: boolean }>
> = {
  'insights-medians.svg': {
    title: 'Engagement by followers: medians with their intervals, by true value',
    figure: 'engagement_rate_followers',
    isLog: true,
  },
  'insights-percentile.svg': {
    title: 'Percentile among the nearest accounts, by true value',
    figure: 'percentile',
    isLog: false,
  },
  'insights-pace.svg': {
    title: 'Posts a week with their intervals, by true value',
    figure: 'posts_per_week',
    isLog: true,
  },
  'insights-growth.svg': {
    title: 'Growth a day in percent with its interval, by true value',
    figure: 'growth_per_day_pct',
    isLog: false,
  },
  'insights-hours.svg': {
    title: 'Effect of an hour in percent with its interval, by true value',
    figure: 'hour_effect_pct',
    isLog: false,
  },
  'insights-content.svg': {
    title: 'Effect of media in percent with its interval, by true value',
    figure: 'media_effect_pct',
    isLog: false,
  },
};

export const picturesOf = (results: readonly Result[], hash: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(PICTURES).map(([name, { title, figure, isLog }]) => [
      name,
      caterpillarOf(
        results.filter((one) => one.figure === figure && one.value !== null && !one.few),
        { title, caption: `World ${hash}.`, isLog },
      ),
    ]),
  );
