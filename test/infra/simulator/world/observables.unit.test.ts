import { describe, expect, it } from 'vitest';
import { labelledSample } from '../../../../infra/calibrate/audit/labels.ts';
import { AT } from '../../../../infra/calibrate/observed.ts';
import { labelledOfX } from '../../../../infra/calibrate/real/audit.ts';
import { createWorld } from '../../../../infra/simulator/world/world.ts';
import type { LabelledFollower } from '../../../../src/analysis/audit/model.ts';

const ln = (value: number | null): number => Math.log1p(value ?? 0);

const TRAITS: Readonly<Record<string, (one: LabelledFollower) => number>> = {
  age: ({ ageDays }) => ln(ageDays),
  followers: ({ followers }) => ln(followers),
  following: ({ following }) => ln(following),
  posts: ({ posts }) => ln(posts),
  'following by followers': ({ following, followers }) => ln(following) - ln(followers),
  'posts by age': ({ posts, ageDays }) => ln(posts) - ln(ageDays),
  'posts by followers': ({ posts, followers }) => ln(posts) - ln(followers),
  picture: ({ hasAvatar }) => Number(hasAvatar),
  bio: ({ hasBio }) => Number(hasBio),
};

/** Whether bots have more of a trait than others more often than less. */
const isMore = (some: readonly LabelledFollower[], of: (one: LabelledFollower) => number): boolean => {
  const valuesOf = (is: boolean) =>
    some.filter(({ label }) => (label === 'suspicious') === is).map((one) => of(one));
  const others = valuesOf(false);
  return (
    valuesOf(true).reduce(
      (sum, bot) => sum + others.reduce((all, other) => all + Math.sign(bot - other), 0),
      0,
    ) > 0
  );
};

describe('bots of the simulated world', () => {
  it('differ from other accounts in the direction in which those that were labelled on X do, in every trait', () => {
    const world = createWorld({ seed: 11, size: 200_000, clock: { now: () => AT } });
    const { labelled } = labelledSample(world, 'x', 100_000);
    for (const [name, of] of Object.entries(TRAITS))
      expect(isMore(labelled, of), name).toBe(isMore(labelledOfX, of));
  });
});
