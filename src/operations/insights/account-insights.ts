import { FIGURES_WINDOW_DAYS, postsPerWeek, postsPerWeekInterval } from '../../analysis/account-figures.ts';
import {
  type Dependence,
  dependenceWarnings,
  type EngagementFigures,
  engagementFigures,
  persistencesOf,
} from '../../analysis/engagement.ts';
import type { PaceInterval } from '../../analysis/pace.ts';
import { INSIGHTS_METHOD_VERSION, lackOf, sampleOf } from '../../analysis/sample.ts';
import { isoOf } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import { PLATFORMS, type Platform } from '../../kernel/platform.ts';
import { descriptorOf } from '../../platforms/index.ts';
import { accountPostsAfter } from '../../projections/views/posts/projection.ts';
import { accountStream } from '../../write/accounts/account.ts';
import type { EventDataOf } from '../../write/event-types.ts';
import { ladderStream } from '../../write/insights.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';

/** Figures of an account as known at a time, computed from the log alone. */
export interface AccountInsights {
  readonly platform: Platform;
  readonly handle: string;
  readonly method_version: string;
  readonly as_of: string | null;
  readonly followers: number | null;
  readonly window: { readonly days: number; readonly from: string; readonly to: string };
  readonly posts_published: number;
  readonly posts_sampled: number;
  readonly figures: EngagementFigures;
  readonly posts_per_week: number | null;
  /** Null also without the law of a population. */
  readonly posts_per_week_interval: PaceInterval | null;
  /** The event with the laws of the population that intervals rest on; null for published figures. */
  readonly population: string | null;
  readonly warnings: readonly string[];
}

/**
 * Figures of an account's posts, computed again from its stream.
 * @param account as `platform:handle`.
 * @param untilMs only what the log had recorded by then; null for all.
 * @throws {OperatorError} `argument_invalid` if it is no account, or the log has no reading of it.
 */
export const readAccountInsights = async (
  log: EventLog,
  account: string,
  {
    untilMs = null,
    days = FIGURES_WINDOW_DAYS,
  }: { readonly untilMs?: number | null; readonly days?: number } = {},
): Promise<AccountInsights> => {
  const { platform, handle } = accountIn(account);
  const stream = accountStream(platform, handle);
  const events = (await log.readStream(stream)).filter((event) => isRecordedBy(event, untilMs));
  if (events.length === 0)
    throw new OperatorError(
      'argument_invalid',
      `The log has no reading of ${account}${untilMs === null ? '' : ' by that time'}.`,
    );
  const posts = accountPostsAfter(stream, events);
  const sightings = events.map(({ data }) => Date.parse((data as { observed_at: string }).observed_at));
  const anchorMs = Math.max(...sightings);
  const sample = sampleOf(posts.digest.values(), { platform, anchorMs, windowDays: days, span: posts.span });
  const population = await lastPopulation(log, platform, untilMs);
  const persistences = persistencesOf(population?.data.dependence as Dependence | undefined);
  const figures = engagementFigures(sample, persistences);
  return {
    platform,
    handle,
    method_version: INSIGHTS_METHOD_VERSION,
    as_of: untilMs === null ? null : isoOf(untilMs),
    followers: posts.followers,
    window: { days, from: isoOf(sample.fromMs), to: isoOf(anchorMs) },
    posts_published: sample.published.length,
    posts_sampled: sample.ripe.length,
    figures,
    posts_per_week: lackOf(sample) === null ? postsPerWeek(sample) : null,
    posts_per_week_interval:
      lackOf(sample) === null ? postsPerWeekInterval(sample, population?.data.pace ?? null) : null,
    population: population?.id ?? null,
    warnings: [...sample.warnings, ...dependenceWarnings(figures)],
  };
};

const accountIn = (text: string): { readonly platform: Platform; readonly handle: string } => {
  const colon = text.indexOf(':');
  const platform = PLATFORMS.find((name) => name === text.slice(0, colon));
  const handle = platform === undefined ? null : descriptorOf(platform).parseHandle(text.slice(colon + 1));
  if (platform !== undefined && handle !== null) return { platform, handle };
  throw new OperatorError('argument_invalid', `"${text}" is no account: write it as x:nasa`);
};

const isRecordedBy = ({ recorded_at }: RecordedEvent, untilMs: number | null): boolean =>
  untilMs === null || Date.parse(recorded_at) <= untilMs;

/** The population as it was last counted by a time. */
const lastPopulation = async (log: EventLog, platform: Platform, untilMs: number | null) => {
  const events = await log.readStream(ladderStream(platform));
  const last = events.findLast((event) => event.type === 'PopulationCounted' && isRecordedBy(event, untilMs));
  return last === undefined ? null : { id: last.id, data: last.data as EventDataOf<'PopulationCounted'> };
};
