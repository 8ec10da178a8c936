import { suspiciousShare } from '../../../src/analysis/audit/audit.ts';
import {
  type AuditModel,
  classOf,
  errorRatesOf,
  fitAuditModel,
  type LabelledFollower,
  suspicionOf,
  type TransferError,
} from '../../../src/analysis/audit/model.ts';
import type { ShareInterval } from '../../../src/analysis/audit/prevalence.ts';
import { seededRandom } from '../../../src/kernel/random.ts';
import { realRows } from './rows.ts';

const YEAR = 2017;

/** Labelled accounts of X. */
export const labelledOfX: readonly LabelledFollower[] = realRows('labelled-followers-x-2017.tsv').map(
  ([age, followers, following, posts, picture, bio, _verified, bot]) => ({
    ageDays: Number(age),
    followers: Number(followers),
    following: Number(following),
    posts: Number(posts),
    hasAvatar: picture === '1',
    hasBio: bio === '1',
    label: bot === '1' ? 'suspicious' : 'genuine',
    list: String(YEAR),
  }),
);

/** Every second one of a class: those that weights are not fitted to. */
export const heldOutOf = (labelled: readonly LabelledFollower[]): readonly LabelledFollower[] =>
  (['suspicious', 'genuine'] as const).flatMap((label) =>
    labelled.filter((one) => one.label === label).filter((_, n) => n % 2 === 1),
  );

/** A model. @throws {RangeError} if the labelled accounts carry none. */
const fitted = (...given: Parameters<typeof fitAuditModel>): AuditModel => {
  const model = fitAuditModel(...given);
  if (model === 'inseparable' || 'needs' in model)
    throw new RangeError('the labelled accounts carry no model');
  return model;
};

const SHARE = 0.1;
const QUARTERS = [0, 1, 2, 3];

/**
 * How far a share of a tenth is off in audiences that are a quarter of all held-out accounts by one trait: the youngest, those
 * with the fewest followers and so on.
 */
const transferOf = (model: AuditModel, heldOut: readonly LabelledFollower[]): TransferError => {
  const { sensitivity, specificity } = errorRatesOf(model);
  const caught = (some: readonly LabelledFollower[]) =>
    some.filter((one) => classOf(model, one) === 'suspicious').length / some.length;
  const errors = (['ageDays', 'followers', 'following', 'posts'] as const).flatMap((trait) => {
    const sorted = heldOut.toSorted((a, b) => (a[trait] ?? 0) - (b[trait] ?? 0));
    return QUARTERS.map((quarter) => {
      const own = sorted.slice((quarter * sorted.length) / 4, ((quarter + 1) * sorted.length) / 4);
      const [bots, others] = [true, false].map((is) =>
        own.filter(({ label }) => (label === 'suspicious') === is),
      );
      const flagged = SHARE * caught(bots ?? []) + (1 - SHARE) * caught(others ?? []);
      const estimate = (flagged - (1 - specificity)) / (sensitivity + specificity - 1);
      return Math.abs(Math.min(1, Math.max(0, estimate)) - SHARE);
    });
  });
  const sorted = errors.toSorted((a, b) => a - b);
  return { median: sorted[sorted.length / 2] as number, largest: sorted.at(-1) as number };
};

/** The model of X that is used without labels of the operator. */
export const fitDefaultOfX = (): AuditModel => {
  const source = { name: 'x-2017', year: YEAR };
  const model = fitted(labelledOfX);
  return { ...model, source: { ...source, transfer: transferOf(model, heldOutOf(labelledOfX)) } };
};

/** Area under the ROC curve of a model among accounts. */
export const areaOf = (model: AuditModel, some: readonly LabelledFollower[]): number => {
  const scores = (is: boolean) =>
    some.filter(({ label }) => (label === 'suspicious') === is).map((one) => suspicionOf(model, one));
  const [bots, others] = [scores(true), scores(false)];
  let wins = 0;
  for (const bot of bots) for (const other of others) wins += bot > other ? 1 : bot === other ? 0.5 : 0;
  return wins / (bots.length * others.length);
};

/** Coverage and mean width of the 95 % interval of a share. */
export interface ShareFigures {
  readonly share: number;
  readonly coverage: number;
  /** Coverage that nine halves of ten have at least. */
  readonly mostly: number;
  readonly width: number;
  /** The width with 500 labels of the half that the model is fitted to. */
  readonly widthOfLabels: number;
}

export interface RealAudits {
  readonly halves: number;
  readonly area: number;
  readonly areaBelow: number;
  readonly shares: readonly ShareFigures[];
}

const [AUDIENCE, BELOW, LABELS] = [500, 5_000, 500];
const AUDIENCES = 100;
const SHARES = [0.02, 0.05, 0.1, 0.2, 0.4, 0.6];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const isFlagged = (account: LabelledFollower) => (model: AuditModel) =>
  classOf(model, account) === 'suspicious';

/**
 * Divides the labelled accounts into halves, as often as asked: a model is fitted to one half, which takes its own error rates from
 * a half of that, and judged on the other: its area, and the intervals of audiences that are drawn from it with replacement.
 */
export const measureRealAudits = (halves: number, seed: number): RealAudits => {
  const random = seededRandom(seed);
  const rounds = Array.from({ length: halves }, () => {
    const order = labelledOfX
      .map((one) => ({ one, at: random.next() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ one }) => one);
    const [fitting, judging] = [order.slice(0, order.length / 2), order.slice(order.length / 2)];
    const [model, ofLabels] = [fitted(fitting), fitted(fitting.slice(0, LABELS))];
    const [bots, others] = [true, false].map((is) =>
      judging
        .filter(({ label }) => (label === 'suspicious') === is)
        .map((one) => [model, ofLabels].map(isFlagged(one))),
    ) as [boolean[][], boolean[][]];
    const intervalOf = (by: AuditModel, which: 0 | 1, audience: readonly boolean[][]): ShareInterval => {
      const hits = audience.filter((one) => one[which] === true).length;
      const found = suspiciousShare(by, [{ counts: [hits, AUDIENCE - hits], rule: 0 }]);
      if (found === null) throw new RangeError('the model separates nothing');
      return found;
    };
    const shares = SHARES.map((share) => {
      const found = Array.from({ length: AUDIENCES }, () => {
        const audience = Array.from({ length: AUDIENCE }, (_, n) => {
          const from = n < Math.round(share * AUDIENCE) ? bots : others;
          return from[random.int(from.length)] as boolean[];
        });
        const [own, local] = [intervalOf(model, 0, audience), intervalOf(ofLabels, 1, audience)];
        return {
          isHeld: own.low <= share && share <= own.high,
          width: own.high - own.low,
          widthOfLabels: local.high - local.low,
        };
      });
      return {
        coverage: mean(found.map(({ isHeld }) => Number(isHeld))),
        width: mean(found.map(({ width }) => width)),
        widthOfLabels: mean(found.map(({ widthOfLabels }) => widthOfLabels)),
      };
    });
    return {
      area: areaOf(model, judging),
      areaBelow: areaOf(
        model,
        judging.filter(({ followers }) => (followers ?? 0) < BELOW),
      ),
      shares,
    };
  });
  return {
    halves,
    area: mean(rounds.map(({ area }) => area)),
    areaBelow: mean(rounds.map(({ areaBelow }) => areaBelow)),
    shares: SHARES.map((share, n) => {
      const own = rounds.map(({ shares }) => shares[n] as (typeof shares)[number]);
      const sorted = own.map(({ coverage }) => coverage).toSorted((a, b) => a - b);
      return {
        share,
        coverage: mean(sorted),
        mostly: sorted[Math.floor(halves / 10)] as number,
        width: mean(own.map(({ width }) => width)),
        widthOfLabels: mean(own.map(({ widthOfLabels }) => widthOfLabels)),
      };
    }),
  };
};
