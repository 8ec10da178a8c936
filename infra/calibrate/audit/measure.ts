import { type Audit, auditOf, type CreationCluster } from '../../../src/analysis/audit/audit.ts';
import { type AuditModel, fitAuditModel, suspicionOf } from '../../../src/analysis/audit/model.ts';
import type { FollowMember } from '../../simulator/world/follow-list.ts';
import type { World } from '../../simulator/world/world.ts';
import { AT } from '../observed.ts';
import { type AuditedPlatform, labelledSample, seenOf } from './labels.ts';

/** An audit beside the truth of the followers that it read. */
export interface AuditResult {
  readonly audit: Audit;
  /** Number of the labelled sample. */
  readonly sample: number;
  readonly suspicious: number;
  readonly inactive: number;
}

/** A follower's score. */
export interface ScoredFollower {
  readonly score: number;
  readonly is: boolean;
}

/** A block of bought followers, or a surge, with the number of its members in a sample. */
export interface BlockResult {
  readonly members: number;
  /** Whether a cluster of its members is named as bought: with a labelled sample, and without. */
  readonly named: boolean;
  readonly namedWithout: boolean;
}

export interface MeasuredAudits {
  readonly platform: AuditedPlatform;
  readonly results: readonly AuditResult[];
  readonly scored: readonly ScoredFollower[];
  readonly bought: readonly BlockResult[];
  /** Of accounts that had surges. */
  readonly surges: readonly BlockResult[];
  /** Audits without any run of followers by the truth, and those of them that name one. */
  readonly quiet: number;
  readonly quietNamed: number;
}

export interface AuditOptions {
  readonly platform: AuditedPlatform;
  /** Accounts that are judged. */
  readonly accounts: number;
  /** Labelled samples, each of other accounts: coverage is over them too. */
  readonly samples: number;
  /** Followers that are read of each account. */
  readonly size: number;
  /** Accounts with surges that are judged besides. */
  readonly surging: number;
  readonly onAccount?: (done: number) => void;
}

const LEAST_FOLLOWERS = 60;
/** Followers of each account whose scores are compared. */
const SCORED = 100;
/** Fewer members of a block are no block. */
const LEAST_BLOCK = 8;
/** An account that surges has blocks of followers that were created in these days; of others chance makes pairs at most. */
const SURGE_DAYS = 4 * 86_400_000;

const shareOf = (members: readonly FollowMember[], kind: FollowMember['kind']): number =>
  members.filter((one) => one.kind === kind).length / members.length;

const isNamed = (clusters: readonly CreationCluster[], positions: readonly number[]): boolean => {
  const block = new Set(positions);
  return clusters.some(
    ({ kind, members }) =>
      kind === 'bought' && 2 * members.filter((position) => block.has(position)).length > block.size,
  );
};

/** Places of members by what they were bought in. */
const campaignsOf = (members: readonly FollowMember[]): readonly (readonly number[])[] => {
  const campaigns = new Map<number, number[]>();
  members.forEach(({ campaign }, position) => {
    if (campaign === null) return;
    const known = campaigns.get(campaign) ?? [];
    known.push(position);
    campaigns.set(campaign, known);
  });
  return [...campaigns.values()].filter((positions) => positions.length >= LEAST_BLOCK);
};

/** Places of genuine members next to each other that were created within days. */
const surgesOf = (members: readonly FollowMember[]): readonly (readonly number[])[] => {
  const runs: number[][] = [];
  members.forEach(({ kind, createdAt }, position) => {
    if (kind !== 'genuine') return;
    const last = runs.at(-1);
    const before = last === undefined ? undefined : members[last.at(-1) as number];
    if (before !== undefined && Math.abs(before.createdAt - createdAt) < SURGE_DAYS) last?.push(position);
    else runs.push([position]);
  });
  return runs.filter((positions) => positions.length >= LEAST_BLOCK);
};

const blocksOf = (positions: readonly (readonly number[])[], audit: Audit, without: Audit): BlockResult[] =>
  positions.map((block) => ({
    members: block.length,
    named: isNamed(audit.clusters, block),
    namedWithout: isNamed(without.clusters, block),
  }));

/** Audits of accounts of a world as the program makes them, with labelled samples of other accounts. */
export const measureAudits = (world: World, options: AuditOptions): MeasuredAudits => {
  const { platform } = options;
  const models: AuditModel[] = [];
  for (let n = 0, from = Math.floor(world.size / 2); n < options.samples; n++) {
    const { labelled, next } = labelledSample(world, platform, from);
    from = next;
    const model = fitAuditModel(labelled);
    if (model !== 'inseparable' && !('needs' in model)) models.push(model);
  }
  const [results, scored, bought, surges]: [AuditResult[], ScoredFollower[], BlockResult[], BlockResult[]] = [
    [],
    [],
    [],
    [],
  ];
  let [quiet, quietNamed, surging] = [0, 0, 0];
  if (models.length === 0) return { platform, results, scored, bought, surges, quiet, quietNamed };
  for (let index = 0; index < world.size / 2; index++) {
    const isJudged = results.length < options.accounts;
    if (!isJudged && surging >= options.surging) break;
    const surges_ = world.hidden.audience(platform, index).surging;
    if (!isJudged && !surges_) continue;
    const account = world.account(platform, index, AT);
    if (account.status !== 'active' || account.followers < LEAST_FOLLOWERS) continue;
    const members = world.followers(platform, index, AT).page(0, options.size);
    const seen = members.map((member) => seenOf(platform, member));
    const model = models[index % models.length] as AuditModel;
    const audit = auditOf(seen, model);
    const without = auditOf(seen, null);
    const campaigns = campaignsOf(members);
    const runs = surgesOf(members);
    if (surges_ && runs.length > 0) surging += 1;
    surges.push(...blocksOf(runs, audit, without));
    if (!isJudged) continue;
    results.push({
      audit,
      sample: index % models.length,
      suspicious: shareOf(members, 'suspicious'),
      inactive: shareOf(members, 'inactive'),
    });
    bought.push(...blocksOf(campaigns, audit, without));
    if (runs.length === 0 && members.every(({ campaign }) => campaign === null)) {
      quiet += 1;
      if (audit.clusters.length > 0) quietNamed += 1;
    }
    members.slice(0, SCORED).forEach((member, position) => {
      scored.push({
        score: suspicionOf(model, seen[position] as (typeof seen)[number]),
        is: member.kind === 'suspicious',
      });
    });
    options.onAccount?.(results.length);
  }
  return { platform, results, scored, bought, surges, quiet, quietNamed };
};
