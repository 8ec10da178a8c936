/** Scores and rules about an account that are conventions: score, age, trust, username. */

import type { Platform } from '../kernel/platform.ts';
import { descriptorOf } from '../platforms/index.ts';
import { CAUSED_BY_OTHERS } from './evidence.ts';

/** Points that each part is worth, of 100. */
const ACCOUNT_WEIGHTS = {
  reach: 25,
  engagement: 30,
  growth: 15,
  activity: 10,
  age: 10,
  reactions: 10,
} as const satisfies Readonly<Record<keyof (typeof CAUSED_BY_OTHERS)['account-score'], number>>;

export const SCORE_PARTS = Object.keys(ACCOUNT_WEIGHTS) as [
  keyof typeof ACCOUNT_WEIGHTS,
  ...(keyof typeof ACCOUNT_WEIGHTS)[],
];
export type ScorePartName = keyof typeof ACCOUNT_WEIGHTS;

/** Parts worth this many points have to be known. */
export const MIN_KNOWN_POINTS = 70;

/** What is known of an account; null is unknown. */
export interface ScoredAccount {
  /** Percentiles among the accounts of the platform, and of its size. */
  readonly followersPercentile: number | null;
  readonly engagementPercentile: number | null;
  /** Slope of ln followers a day, in percent. */
  readonly growthPerDayPct: number | null;
  readonly postsPerWeek: number | null;
  readonly ageYears: number | null;
  /** Flags of `compareReactions`. */
  readonly reactionFlags: number | null;
}

export interface AccountScorePart {
  readonly name: ScorePartName;
  /** 0 to 1; null if it is unknown, and has no weight. */
  readonly value: number | null;
  /** Points of 100. Unknown parts have no weight, and the weights of the others grow in proportion. */
  readonly weight: number;
  readonly points: number;
}

export const GRADES = ['A', 'B', 'C', 'D', 'E'] as const;
export type Grade = (typeof GRADES)[number];

export interface AccountScore {
  readonly total: { readonly score: number; readonly grade: Grade } | null;
  readonly parts: readonly AccountScorePart[];
  /** Points of the parts that are known, of 100. */
  readonly known: number;
}

/** Change of followers in 30 days that earns all points. The same decrease earns none. */
const FULL_GROWTH_PCT = 10;
/** Posts a week, years, and flags that count as much as any more. */
const [FULL_POSTS, FULL_YEARS, FULL_FLAGS] = [7, 5, 2];

const within = (value: number): number => Math.min(1, Math.max(0, value));
const scaled = (value: number | null, by: (known: number) => number): number | null =>
  value === null ? null : within(by(value));

const LEAST_OF: readonly (readonly [Grade, number])[] = [
  ['A', 80],
  ['B', 65],
  ['C', 50],
  ['D', 35],
];

/**
 * A score of an account: a sum of six parts with fixed weights. It is a convention and not an estimate: the weights are chosen, and
 * no measurement could prove it wrong. An unknown part has no weight, and the weights of the others grow in proportion.
 * @returns no total if the known parts are worth fewer than 70 of 100 points.
 */
export const accountScore = (account: ScoredAccount): AccountScore => {
  const values: Readonly<Record<ScorePartName, number | null>> = {
    reach: scaled(account.followersPercentile, (percentile) => percentile / 100),
    engagement: scaled(account.engagementPercentile, (percentile) => percentile / 100),
    growth: scaled(account.growthPerDayPct, (pct) => 0.5 + (30 * pct) / (2 * FULL_GROWTH_PCT)),
    activity: scaled(account.postsPerWeek, (posts) => posts / FULL_POSTS),
    age: scaled(account.ageYears, (years) => years / FULL_YEARS),
    reactions: scaled(account.reactionFlags, (flags) => 1 - flags / FULL_FLAGS),
  };
  const known = SCORE_PARTS.reduce(
    (sum, name) => sum + (values[name] === null ? 0 : ACCOUNT_WEIGHTS[name]),
    0,
  );
  const parts = SCORE_PARTS.map((name) => {
    const value = values[name];
    const weight = value === null ? 0 : (100 * ACCOUNT_WEIGHTS[name]) / known;
    return { name, value, weight, points: (value ?? 0) * weight };
  });
  if (known < MIN_KNOWN_POINTS) return { total: null, parts, known };
  const score = parts.reduce((sum, { points }) => sum + points, 0);
  const grade = LEAST_OF.find(([, least]) => score >= least)?.[0] ?? 'E';
  return { total: { score, grade }, parts, known };
};

const DAY_MS = 86_400_000;
/** The source of an account's age. */
export type AgeBasis = 'profile' | 'id' | 'first_seen';

export interface AccountAge {
  /** Null if only a bound is known. */
  readonly createdMs: number | null;
  readonly ageDays: number;
  /** Whether the account may be older. */
  readonly isLeast: boolean;
  readonly basis: AgeBasis;
}

/** When an ID was created, if it tells; null otherwise, or if that is not before `nowMs`. */
export const timeOfId = (platform: Platform, id: string | null, nowMs: number): number | null => {
  if (id === null || !/^\d{1,20}$/.test(id)) return null;
  const ms = descriptorOf(platform).msOfId?.(BigInt(id)) ?? null;
  return ms !== null && ms <= nowMs ? ms : null;
};

/**
 * The age of an account: from its profile, else from its ID, else at least since it was first seen.
 * @param nowMs the time of reference.
 */
export const accountAgeOf = (
  {
    platform,
    id,
    created_at,
    first_seen_at,
  }: {
    readonly platform: Platform;
    readonly id: string | null;
    readonly created_at: string | null;
    readonly first_seen_at: string;
  },
  nowMs: number,
): AccountAge => {
  const daysSince = (ms: number): number => Math.max(0, Math.floor((nowMs - ms) / DAY_MS));
  const stated = created_at === null ? null : Date.parse(created_at);
  const createdMs = stated ?? timeOfId(platform, id, nowMs);
  if (createdMs === null)
    return {
      createdMs,
      ageDays: daysSince(Date.parse(first_seen_at)),
      isLeast: true,
      basis: 'first_seen',
    };
  return {
    createdMs,
    ageDays: daysSince(createdMs),
    isLeast: false,
    basis: stated === null ? 'id' : 'profile',
  };
};

/** The result of a rule for an account; unknown if too little is known. */
export type Concern = 'none' | 'some' | 'serious' | 'unknown';

export type TrustRule = keyof (typeof CAUSED_BY_OTHERS)['trust-report'];
export const TRUST_RULES = Object.keys(CAUSED_BY_OTHERS['trust-report']) as [TrustRule, ...TrustRule[]];

export const TRUST_VERDICTS = ['no_concerns', 'some_concerns', 'serious_concerns', 'unknown'] as const;
export type TrustVerdict = (typeof TRUST_VERDICTS)[number];

/** What is known of an account; null is unknown. */
export interface TrustFacts {
  /** Whether the platform shows the account: it is active or private. */
  readonly isShown: boolean;
  /** The 95 % interval of the suspicious share of its followers. */
  readonly suspicious: { readonly low: number; readonly high: number } | null;
  /** Blocks of followers that were created together: bought ones, and those that may be either. */
  readonly blocks: { readonly bought: number; readonly undecided: number } | null;
  /** Days since it was created, or since it was first seen. */
  readonly age: { readonly days: number; readonly isLeast: boolean } | null;
  /** Accounts with ten times its followers or more whose handles look the same or are one edit away; null if there may be others. */
  readonly largerLookAlikes: number | null;
  /** Its score, of 100. */
  readonly score: number | null;
}

/** Shares of suspicious followers from which they are of some concern, and of serious concern. */
const SUSPICIOUS = { some: 0.25, serious: 0.5 } as const;
/** Maximum age of a new account in days. */
const AGE_DAYS = { some: 180, serious: 30 } as const;
/** Points below which a score is of concern: grade E. */
const SCORE = 35;
/** Rules whose evidence nobody else can cause: these alone decide the verdict. */
const DECISIVE = TRUST_RULES.filter((rule) => !CAUSED_BY_OTHERS['trust-report'][rule]);

const audience = (found: TrustFacts['suspicious']): Concern => {
  if (found === null) return 'unknown';
  if (found.low > SUSPICIOUS.serious) return 'serious';
  if (found.low > SUSPICIOUS.some) return 'some';
  return found.high < SUSPICIOUS.some ? 'none' : 'unknown';
};

const bought = (found: TrustFacts['blocks']): Concern => {
  if (found === null) return 'unknown';
  if (found.bought > 0) return 'some';
  return found.undecided > 0 ? 'unknown' : 'none';
};

const newness = (found: TrustFacts['age']): Concern => {
  if (found === null) return 'unknown';
  if (found.days >= AGE_DAYS.some) return 'none';
  if (found.isLeast) return 'unknown';
  return found.days < AGE_DAYS.serious ? 'serious' : 'some';
};

const some = (is: boolean | null): Concern => (is === null ? 'unknown' : is ? 'some' : 'none');

/**
 * The results of the rules for an account, and the overall verdict: the gravest concern of the rules whose evidence nobody else can
 * cause. Without any, it is `no_concerns` if the platform shows the account and these rules are known, else `unknown`. Whoever buys
 * followers for an account, or looks like it, changes rules and no verdict. Rules and thresholds are a convention that is fitted to
 * nothing. A concern is a reason to look at an account and its audience, and not a verdict on a person.
 */
export const trustOf = (
  facts: TrustFacts,
): {
  readonly verdict: TrustVerdict;
  readonly rules: readonly { readonly rule: TrustRule; readonly concern: Concern }[];
} => {
  const concerns: Readonly<Record<TrustRule, Concern>> = {
    audience: audience(facts.suspicious),
    bought_followers: bought(facts.blocks),
    age: newness(facts.age),
    look_alike: some(facts.largerLookAlikes === null ? null : facts.largerLookAlikes > 0),
    score: some(facts.score === null ? null : facts.score < SCORE),
  };
  const rules = TRUST_RULES.map((rule) => ({ rule, concern: concerns[rule] }));
  const has = (concern: Concern) => DECISIVE.some((rule) => concerns[rule] === concern);
  const verdict = has('serious')
    ? 'serious_concerns'
    : has('some')
      ? 'some_concerns'
      : facts.isShown && !has('unknown')
        ? 'no_concerns'
        : 'unknown';
  return { verdict, rules };
};

/** A part of a score: how much of its weight a name has. */
export interface ScorePart {
  readonly part: 'length' | 'pattern' | 'readability';
  /** 0 to 1. */
  readonly value: number;
  /** Points of 100 that the whole part is worth. */
  readonly weight: number;
}

export interface UsernameScore {
  /** The sum of the parts by their weights, 0 to 100. */
  readonly score: number;
  readonly parts: readonly ScorePart[];
  readonly length: number;
  readonly pattern: 'letters' | 'letters_and_digits' | 'separated' | 'digits';
}

const USERNAME_WEIGHTS = { length: 40, pattern: 35, readability: 25 } as const;
/** Names up to the first length have all points for it, and names from the second length on have none. */
const [SHORTEST, LONGEST] = [4, 15];

const VOWEL = /[aeiouy\u00e0-\u00ff]/;

const patternOf = (name: string): UsernameScore['pattern'] => {
  if (/^\p{N}+$/u.test(name)) return 'digits';
  if (/[._-]/.test(name)) return 'separated';
  return /\p{N}/u.test(name) ? 'letters_and_digits' : 'letters';
};

/** Letters alone are best; each digit and separator takes away, and a name of digits has none. */
const patternValue = (name: string, pattern: UsernameScore['pattern']): number => {
  if (pattern === 'letters') return 1;
  if (pattern === 'digits') return 0;
  const marks = [...name].filter((c) => !/\p{L}/u.test(c)).length;
  return Math.max(0, 0.8 - marks / name.length);
};

/** Share of neighbouring letters of which exactly one is a vowel: such names can be pronounced. */
const readabilityOf = (name: string): number => {
  const letters = [...name.toLowerCase()].filter((c) => /\p{L}/u.test(c));
  if (letters.length < 2) return 0;
  const changes = letters
    .slice(1)
    .filter((c, i) => VOWEL.test(c) !== VOWEL.test(letters[i] as string)).length;
  return changes / (letters.length - 1);
};

/**
 * How easy a name is to remember, say and type: a sum of three parts with fixed weights. It is a convention and not an estimate: no
 * measurement could prove it wrong.
 */
export const usernameScore = (name: string): UsernameScore => {
  const { length } = [...name];
  const pattern = patternOf(name);
  const parts: readonly ScorePart[] = [
    {
      part: 'length',
      value: Math.min(1, Math.max(0, (LONGEST - length) / (LONGEST - SHORTEST))),
      weight: USERNAME_WEIGHTS.length,
    },
    { part: 'pattern', value: patternValue(name, pattern), weight: USERNAME_WEIGHTS.pattern },
    { part: 'readability', value: readabilityOf(name), weight: USERNAME_WEIGHTS.readability },
  ];
  return {
    score: parts.reduce((sum, { value, weight }) => sum + value * weight, 0),
    parts,
    length,
    pattern,
  };
};
