import type { Candidate } from './account.ts';
import type { Comparison } from './cluster.ts';
import { commonPages, type Links } from './links.ts';
import type { Weights } from './log-odds.ts';
import { SIGNAL_NAMES, type SignalName } from './signals.ts';

/** What a piece of evidence is about. */
export const EVIDENCE_KINDS = [
  'mutual_link',
  'bio_link',
  'same_native_link',
  'name_and_handle',
  'copied_profile',
  'silence',
  'disclaimer',
  'conflict',
  'size',
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

const KINDS: Readonly<Record<SignalName, EvidenceKind>> = {
  mutual: 'mutual_link',
  mutual_twice: 'mutual_link',
  claim: 'bio_link',
  more_links: 'bio_link',
  page: 'same_native_link',
  and_page: 'same_native_link',
  page_named: 'same_native_link',
  mutual_handle_equal: 'name_and_handle',
  mutual_handle_alike: 'name_and_handle',
  mutual_name_agrees: 'name_and_handle',
  handle_equal: 'name_and_handle',
  handle_alike: 'name_and_handle',
  original_alike: 'name_and_handle',
  named_unlike: 'name_and_handle',
  name_equal: 'name_and_handle',
  name_alike: 'name_and_handle',
  name_short: 'name_and_handle',
  name_partial: 'name_and_handle',
  name_common: 'name_and_handle',
  copied_links: 'copied_profile',
  copied_links_more: 'copied_profile',
  copied_bio: 'copied_profile',
  copied_all: 'copied_profile',
  other_picture: 'copied_profile',
  silent: 'silence',
  disclaimed: 'disclaimer',
  conflict: 'conflict',
  mutual_conflict: 'conflict',
  much_smaller: 'size',
  much_larger: 'size',
};

/** A step of the waterfall from even odds to the log odds of a comparison. */
export interface Evidence {
  readonly kind: EvidenceKind;
  /** Added to the log odds. */
  readonly weight: number;
  /** Keys of the accounts that the evidence is between; null if it is about all of them. */
  readonly from: string | null;
  readonly to: string | null;
}

/** Decimals of a weight. */
const rounded = (weight: number): number => Math.round(weight * 100) / 100;

type Ends = Pick<Evidence, 'from' | 'to'>;
const OF_ALL: Ends = { from: null, to: null };

/** The first link between two groups, and the first page that both have. */
const endsOf = ({ a, b }: Comparison, links: Links): Partial<Record<EvidenceKind, Ends>> => {
  const linked = (from: readonly Candidate[], to: readonly Candidate[]): Ends | null => {
    for (const one of from)
      for (const other of to) if (links.out(one.key).has(other.key)) return { from: one.key, to: other.key };
    return null;
  };
  const link = linked(a, b) ?? linked(b, a) ?? OF_ALL;
  const sharing = a
    .flatMap((one) => b.map((other) => [one, other] as const))
    .find(([one, other]) => commonPages(one, other, links).length > 0);
  return {
    mutual_link: link,
    bio_link: link,
    same_native_link: sharing === undefined ? OF_ALL : { from: sharing[0].key, to: sharing[1].key },
  };
};

/** The steps of a comparison, by kind; their weights add up to its log odds. */
export const evidenceOf = (comparison: Comparison, weights: Weights, links: Links): readonly Evidence[] => {
  const sums = new Map<EvidenceKind, number>();
  for (const name of SIGNAL_NAMES) {
    const weight = weights[name] * (comparison.signals[name] ?? 0);
    if (weight !== 0) sums.set(KINDS[name], (sums.get(KINDS[name]) ?? 0) + weight);
  }
  const ends = endsOf(comparison, links);
  return EVIDENCE_KINDS.flatMap((kind) => {
    const weight = rounded(sums.get(kind) ?? 0);
    return weight === 0 ? [] : [{ kind, weight, ...(ends[kind] ?? OF_ALL) }];
  });
};
