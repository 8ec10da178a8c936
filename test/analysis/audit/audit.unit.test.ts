import { describe, expect, it } from 'vitest';
import { auditOf, conventionalClass, type ListedFollower } from '../../../src/analysis/audit/audit.ts';
import {
  classOf,
  errorRatesOf,
  type FollowerClass,
  type FollowerTraits,
  fitAuditModel,
  type LabelledFollower,
} from '../../../src/analysis/audit/model.ts';
import { seededRandom } from '../../../src/kernel/random.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 9, 1);
const random = seededRandom(4);
const normal = () => {
  let sum = -6;
  for (let n = 0; n < 12; n++) sum += random.next();
  return sum;
};

/** Bots are younger, follow more and are followed less; the abandoned have few posts. */
const traitsOf = (label: FollowerClass, ageDays: number | null = null): FollowerTraits => {
  const is = label === 'suspicious' ? 1 : 0;
  return {
    ageDays: ageDays ?? Math.exp(6.5 - 1.6 * is + normal()),
    followers: Math.floor(Math.exp(5 - 2 * is + 1.5 * normal())),
    following: Math.floor(Math.exp(5 + 1.6 * is + normal())),
    posts: Math.floor(Math.exp(label === 'inactive' ? 0.5 + 0.7 * normal() : 4 + 1.2 * normal())),
    hasAvatar: random.next() > (is ? 0.3 : 0.05),
    hasBio: random.next() > (is ? 0.5 : 0.2),
  };
};

const listed = (label: FollowerClass, ageDays: number | null = null): ListedFollower => {
  const traits = traitsOf(label, ageDays);
  return { ...traits, createdMs: NOW - (traits.ageDays as number) * DAY };
};

const labels = (n: number): LabelledFollower[] =>
  Array.from({ length: n }, (_, i) => {
    const label = i % 5 === 0 ? 'suspicious' : i % 5 === 1 ? 'inactive' : 'genuine';
    return { ...traitsOf(label), label, list: String(i % 40) };
  });

const modelOf = (sample: readonly LabelledFollower[]) => {
  const model = fitAuditModel(sample);
  if (model === 'inseparable' || 'needs' in model) throw new Error('no model');
  return model;
};

const many = (counts: Readonly<Record<FollowerClass, number>>): ListedFollower[] =>
  Object.entries(counts)
    .flatMap(([label, n]) => Array.from({ length: n }, () => listed(label as FollowerClass)))
    .map((one) => ({ one, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ one }) => one);

const model = modelOf(labels(4_000));

describe('models of labelled followers', () => {
  it('classify followers that they were not fitted to, and state how often they err', () => {
    const { sensitivity, specificity } = errorRatesOf(model);
    expect(sensitivity).toBeGreaterThan(0.8);
    expect(specificity).toBeGreaterThan(0.85);
    expect(model).toMatchObject({
      fitted: 2_000,
      heldOut: { suspicious: 400, inactive: 400, genuine: 1_200 },
    });
    const bots = Array.from({ length: 400 }, () => classOf(model, traitsOf('suspicious')));
    const caught = bots.filter((label) => label === 'suspicious').length / 400;
    expect(Math.abs(caught - sensitivity)).toBeLessThan(0.08);
  });

  it('do not depend on the unit of age', () => {
    const sample = labels(1_000);
    const inHours = (one: LabelledFollower) => ({ ...one, ageDays: 24 * (one.ageDays as number) });
    const [days, hours] = [modelOf(sample), modelOf(sample.map(inHours))];
    const agreed = sample.filter((one) => classOf(days, one) === classOf(hours, inHours(one)));
    expect(agreed.length / sample.length).toBeGreaterThan(0.98);
  });

  it('need a hundred suspicious followers and a hundred others', () => {
    const few = labels(4_000).filter(({ label }, n) => label !== 'suspicious' || n < 400);
    expect(fitAuditModel(few)).toEqual({ had: 80, needs: 100 });
  });

  it('are not fitted to labels that nothing separates', () => {
    const blind = labels(2_000).map((one) => ({ ...one, ...traitsOf('genuine') }));
    expect(fitAuditModel(blind)).toBe('inseparable');
  });
});

describe('an audit', () => {
  it('gives the shares of suspicious and inactive followers separately', () => {
    const audit = auditOf(many({ suspicious: 90, inactive: 150, genuine: 360 }), model, 3);
    expect(Math.abs((audit.suspicious?.estimate ?? 1) - 0.15)).toBeLessThan(0.05);
    expect(Math.abs((audit.inactive?.estimate ?? 1) - 0.25)).toBeLessThan(0.06);
    expect(audit.suspicious?.low).toBeGreaterThan(0);
    expect(audit.strata.map(({ from, to }) => [from, to])).toEqual([
      [0, 199],
      [200, 399],
      [400, 599],
    ]);
  });

  it('cannot distinguish a share from 0 if no follower is suspicious', () => {
    // Each with a labelled sample of its own, as one that errs does so in every audit.
    const audits = Array.from({ length: 40 }, () =>
      auditOf(many({ suspicious: 0, inactive: 60, genuine: 240 }), modelOf(labels(1_000))),
    );
    expect(audits.filter(({ suspicious }) => suspicious?.low === 0).length).toBeGreaterThanOrEqual(35);
  });

  it('names a block of bought followers but not a surge of new ones', () => {
    const followers = many({ suspicious: 20, inactive: 80, genuine: 400 });
    const block = Array.from({ length: 40 }, (_, n) => listed('suspicious', 300 + (n % 3)));
    const surge = Array.from({ length: 40 }, (_, n) => listed('genuine', 20 + (n % 3)));
    const all = [
      ...followers.slice(0, 100),
      ...block,
      ...followers.slice(100, 300),
      ...surge,
      ...followers.slice(300),
    ];
    const { clusters, suspicious } = auditOf(all, model);
    const [bought, organic] = (['bought', 'organic'] as const).map((kind) =>
      clusters.filter((one) => one.kind === kind).flatMap(({ members }) => members),
    );
    expect(clusters).toHaveLength(2);
    // By chance a neighbour is of the same week.
    for (const [members, from] of [
      [bought, 100],
      [organic, 340],
    ] as const)
      expect(members?.filter((position) => position >= from && position < from + 40)).toHaveLength(40);
    // 60 of 580: the surge's age counts for nothing.
    expect(Math.abs((suspicious?.estimate ?? 1) - 60 / 580)).toBeLessThan(0.05);
  });

  it('gives classes but no shares without labels, and still tells blocks from surges', () => {
    const followers = many({ suspicious: 10, inactive: 80, genuine: 400 });
    const marked = Array.from({ length: 60 }, (_, n) => ({
      ...listed('suspicious', 300 + (n % 3)),
      followers: 1,
      following: 900,
      hasAvatar: false,
    }));
    const surge = Array.from({ length: 60 }, (_, n) => listed('genuine', 20 + (n % 3)));
    const audit = auditOf([...followers, ...marked, ...surge], null);
    expect(audit).toMatchObject({ suspicious: null, inactive: null });
    expect(audit.classified.suspicious.estimate).toBeGreaterThan(0.1);
    expect(audit.clusters.map(({ kind }) => kind).toSorted()).toEqual(['bought', 'undecided']);
  });

  it('leaves unknown what a list does not show', () => {
    const light = many({ suspicious: 50, inactive: 50, genuine: 200 }).map((one) => ({
      ...one,
      followers: null,
      following: null,
      posts: null,
    }));
    const lightLabels = labels(2_000).map((one) => ({
      ...one,
      followers: null,
      following: null,
      posts: null,
    }));
    const audit = auditOf(light, modelOf(lightLabels));
    expect(audit.inactive).toBeNull();
    expect(audit.classified.inactive).toBeNull();
    expect(audit.suspicious).not.toBeNull();
    expect(audit.signals).toMatchObject({ without_posts: null, follows_20_times_its_followers: null });
    expect(audit.signals.without_picture).toBeGreaterThan(0);
  });
});

describe('classes without labels', () => {
  const plain: FollowerTraits = {
    ageDays: 2_000,
    followers: 200,
    following: 300,
    posts: 400,
    hasAvatar: true,
    hasBio: true,
  };

  it('add up points: a new account without a picture that follows many and has no followers', () => {
    expect(conventionalClass(plain)).toBe('genuine');
    expect(conventionalClass({ ...plain, ageDays: 30 })).toBe('genuine');
    expect(conventionalClass({ ...plain, ageDays: 30, hasAvatar: false })).toBe('suspicious');
    expect(conventionalClass({ ...plain, followers: 2, following: 900, hasBio: false })).toBe('suspicious');
  });

  it('count fewer than a post a year as inactive, and ignore unknown marks', () => {
    expect(conventionalClass({ ...plain, posts: 3 })).toBe('inactive');
    const unknown = {
      ageDays: null,
      followers: null,
      following: null,
      posts: null,
      hasAvatar: null,
      hasBio: null,
    };
    expect(conventionalClass(unknown)).toBe('genuine');
  });
});
