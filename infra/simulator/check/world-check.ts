import { PLATFORMS } from '../simulated-platforms.ts';
import type { Parameters } from '../world/parameters.ts';
import { createWorld } from '../world/world.ts';
import {
  measureDormancy,
  measureEffects,
  measureElasticity,
  measureFollowers,
  measureGrowth,
} from './accounts.ts';
import { measureAudiences } from './audience.ts';
import { measureCommunities } from './communities.ts';
import { measureEvidence } from './evidence.ts';
import { measureIdentity } from './identity.ts';
import { measureJoins } from './leaks/joins.ts';
import { measureAccountLeaks, measureFollowerLeaks } from './leaks/labels.ts';
import { measureBans, measureChanges, measureEnds, measurePurges } from './life.ts';
import { measureMarket, measureTitles } from './market.ts';
import type { Measurement } from './measurement.ts';
import { measureHalfLives, measureParts, measurePosting, measurePosts, readFeeds } from './posts.ts';
import { createReader } from './reader.ts';

export interface CheckOptions {
  readonly parameters: Parameters;
  readonly seed: number;
  /** Over all platforms. */
  readonly accounts: number;
  readonly progress?: (done: number, of: number, what: string) => void;
}

const AT = Date.UTC(2026, 9, 1);

/** Measures what must hold of a world, from what `/truth` serves of it and nothing else. */
export const checkWorld = ({
  parameters,
  seed,
  accounts,
  progress,
}: CheckOptions): readonly Measurement[] => {
  const size = Math.max(100, Math.ceil(accounts / PLATFORMS.length));
  const world = createWorld({ seed, size, parameters, clock: { now: () => AT } });
  const reader = createReader(world, seed, AT);
  const rows = PLATFORMS.flatMap((platform) => reader.read('accounts', [platform]));
  const part = (least: number, share: number) => Math.max(least, Math.round(accounts * share));
  // Pages cost more than rows: of large worlds a part.
  const some = rows.filter(({ index }) => index < Math.max(2500, size / 5));
  const feeds = readFeeds(reader, rows, part(350, 0.02), 128);
  const steps: readonly (readonly [string, () => Measurement[]])[] = [
    ['followers', () => measureFollowers(reader, rows)],
    ['growth', () => measureGrowth(reader, rows, part(1400, 0.15))],
    ['dormancy', () => measureDormancy(reader, rows)],
    ['engagement', () => measureElasticity(reader, rows)],
    ['posts', () => measurePosts(reader, feeds)],
    ['parts of engagement', () => measureParts(reader, rows, part(350, 0.02))],
    ['age', () => measureHalfLives(reader, rows, part(100, 0.003))],
    ['posting', () => measurePosting(reader, feeds)],
    ['purges', () => measurePurges(reader)],
    ['effects', () => measureEffects(reader)],
    ['followers’ kinds', () => measureAudiences(reader, rows, part(120, 0.003))],
    ['changes', () => measureChanges(reader, rows)],
    ['identity', () => measureIdentity(reader, rows)],
    ['evidence', () => measureEvidence(world, reader, rows)],
    ['ends', () => measureEnds(reader, rows)],
    ['bans', () => measureBans(reader)],
    ['communities', () => measureCommunities(reader, rows, 150)],
    ['market', () => measureMarket(reader)],
    ['titles', () => measureTitles(reader)],
    ['leaks of accounts', () => measureAccountLeaks(world, reader, some)],
    ['leaks of followers', () => measureFollowerLeaks(world, reader, rows, part(60, 0.0015))],
    ['joins', () => measureJoins(world, reader, part(150, 0.005))],
  ];
  return steps.flatMap(([what, measure], n) => {
    progress?.(n, steps.length, what);
    return measure();
  });
};
