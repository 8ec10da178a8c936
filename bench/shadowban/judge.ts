import { SHADOWBAN_PARTS, type ShadowbanPart } from '../../src/analysis/shadowban.ts';
import type { Checked, Truth } from './mix.ts';

export const RECALL_BAR = 0.95;
export const PRECISION_BAR = 0.99;
export const FALSE_BAR = 0.01;

/** Which ban each part is about. */
export const BAN_OF: Readonly<Record<ShadowbanPart, Truth>> = {
  search: 'search',
  suggestion: 'suggestion',
  ghost: 'ghost',
  reply_deboost: 'replies',
};

/** Counts of one part over a mix. */
export interface PartCounts {
  readonly part: ShadowbanPart;
  /** Accounts with the ban: found, called clear, and left unknown. */
  readonly found: number;
  readonly missed: number;
  readonly unknownBanned: number;
  /** Accounts without it: called limited, clear, and left unknown. */
  readonly falseAlarms: number;
  readonly clear: number;
  readonly unknownClear: number;
}

/** A call that failed leaves all of its parts unknown. */
export const countsOf = (checked: readonly Checked[]): readonly PartCounts[] =>
  SHADOWBAN_PARTS.map((part) => {
    const count = (isBanned: boolean, verdict: string) =>
      checked.filter(
        ({ truth, verdicts }) =>
          (truth === BAN_OF[part]) === isBanned && (verdicts?.[part] ?? 'unknown') === verdict,
      ).length;
    return {
      part,
      found: count(true, 'limited'),
      missed: count(true, 'clear'),
      unknownBanned: count(true, 'unknown'),
      falseAlarms: count(false, 'limited'),
      clear: count(false, 'clear'),
      unknownClear: count(false, 'unknown'),
    };
  });

/** Of the accounts with the ban whose part is known: the share that was found. */
export const recallOf = ({ found, missed }: PartCounts): number => found / (found + missed);

/** Of the accounts that were called limited: the share that is. */
export const precisionOf = ({ found, falseAlarms }: PartCounts): number => found / (found + falseAlarms);

/** Of all accounts without the ban: the share that was called limited. */
export const falseRateOf = ({ falseAlarms, clear, unknownClear }: PartCounts): number =>
  falseAlarms / (falseAlarms + clear + unknownClear);

/** Of all accounts with the ban: the share that was found. */
export const foundOf = ({ found, missed, unknownBanned }: PartCounts): number =>
  found / (found + missed + unknownBanned);
