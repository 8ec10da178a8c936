/** What the answers of tools rest on, and what of it somebody else can cause. */

import type { ClusterKind } from './audit/audit.ts';
import type { AUTHENTICITY_RULES } from './authenticity.ts';
import type { FACTORS } from './market.ts';
import type { Look } from './shadowban.ts';

/** Of each kind of evidence: whether somebody else can cause it, without the account's doing. */
type Causes<Kind extends string> = Readonly<Record<Kind, boolean>>;

const REACTIONS = { followers: true, reactions: true, posts: false } as const;

/**
 * The evidence of each tool by its kinds. What others can cause is shown, and decides no verdict about an account:
 * anybody can buy followers, likes and comments for another one, name himself like him, or offer what looks like his.
 * Tools that only state figures say what these rest on. Where a tool's answer has a kind without a row, it does not compile.
 */
export const CAUSED_BY_OTHERS = {
  'account-age': { created_at: false, first_seen: false },
  'account-compare': REACTIONS,
  // Who follows and reacts is up to others, and so is their part of the score.
  'account-score': {
    reach: true,
    engagement: true,
    growth: true,
    activity: false,
    age: false,
    reactions: true,
  },
  'audience-overlap': { followers: true },
  'best-time-to-post': REACTIONS,
  'cross-platform-match': { own_links: false, links_of_others: true, likeness: true },
  'engagement-authenticity': {
    reactions_constant: true,
    reactions_erratic: true,
    few_comments: true,
    many_comments: true,
    few_reposts: true,
    many_reposts: true,
    few_views: true,
  } satisfies Causes<(typeof AUTHENTICITY_RULES)[number]>,
  'engagement-rate': REACTIONS,
  'follower-audit': { bought: true, organic: true, undecided: true } satisfies Causes<ClusterKind>,
  'follower-rank': { followers: true },
  'growth-projection': { followers: true },
  'handle-availability': { taken: true, rules_of_the_platform: false },
  // A likeness has two sides, and the other one may have made it.
  'handle-similarity': {
    skeleton: true,
    distance: true,
    size: true,
    prior: false,
    name_as_written: true,
    name_equal: true,
    name_compatible: true,
    name_partial: true,
    bio_equal: true,
    picture_equal: true,
    links_equal: true,
    links_equal_to_accounts: true,
    no_links: false,
    links_missing: true,
    links_of_its_own: false,
    handle_similar: true,
    former_handle: false,
    same_person: false,
    other_person: true,
    person_on_platform: true,
    same_platform: false,
    disclaimer: false,
    size_apart: true,
    larger: true,
    younger: false,
    verified: false,
  },
  'post-price': { placements_of_others: true, views: true },
  // The author of a thread can hide a reply: it takes threads of several authors.
  'shadowban-check': { search: false, suggestions: false, thread: true } satisfies Causes<Look['surface']>,
  'trust-report': {
    audience: true,
    bought_followers: true,
    age: false,
    look_alike: true,
    score: true,
  },
  'username-score': { name: false },
  valuation: { followers: true, platform: false, age: false, engagement: true } satisfies Causes<
    (typeof FACTORS)[number]
  >,
  'virality-check': REACTIONS,
} as const satisfies Readonly<Record<string, Causes<string>>>;

/** Every tool has its row. */
export type ToolName = keyof typeof CAUSED_BY_OTHERS;
