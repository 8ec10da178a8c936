/** What a rule says of an account; unknown if too little is known to say it. */
export type Concern = 'none' | 'some' | 'serious' | 'unknown';

export const TRUST_RULES = ['audience', 'bought_followers', 'age', 'look_alike', 'score'] as const;
export type TrustRule = (typeof TRUST_RULES)[number];

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

/** Shares of suspicious followers from which on they are of some, and of serious concern. */
const SUSPICIOUS = { some: 0.25, serious: 0.5 } as const;
/** Days up to which an account is new. */
const AGE_DAYS = { some: 180, serious: 30 } as const;
/** Points below which a score is of concern: grade E. */
const SCORE = 35;
/** Rules that have to be known for a verdict without concerns. */
const LEAST_KNOWN = 3;

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
 * What rules say of an account, and what they say together: the gravest concern; without any, `no_concerns` if the platform
 * shows the account and {@link LEAST_KNOWN} rules are known, else `unknown`. Rules and thresholds are a convention and fitted to nothing: a concern
 * is a reason to look, about an account and its audience, and no verdict on a person.
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
  const has = (concern: Concern) => rules.some((one) => one.concern === concern);
  const known = rules.filter(({ concern }) => concern !== 'unknown').length;
  const verdict = has('serious')
    ? 'serious_concerns'
    : has('some')
      ? 'some_concerns'
      : facts.isShown && known >= LEAST_KNOWN
        ? 'no_concerns'
        : 'unknown';
  return { verdict, rules };
};
