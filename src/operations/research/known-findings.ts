import type { LastFinding } from '../../read/research/open-findings.ts';
import type { Finding } from '../../write/research/findings/judge.ts';

const DAY_MS = 86_400_000;
/** A finding that holds is recorded once a day; one that an operator dismissed, once a week. */
const AGAIN_MS = DAY_MS;
export const DISMISSED_MS = 7 * DAY_MS;

/** What is new among findings, with the open findings that they supersede. */
export interface NewFinding {
  readonly finding: Finding;
  readonly supersedes: LastFinding | null;
}

const isKnown = ({ status, created_at, reviewed_at }: LastFinding, nowMs: number): boolean =>
  status === 'dismissed'
    ? nowMs - (reviewed_at ?? created_at).getTime() < DISMISSED_MS
    : nowMs - created_at.getTime() < AGAIN_MS;

/** Leaves out what was recorded before. */
export const newFindings = (
  found: readonly Finding[],
  known: readonly LastFinding[],
  nowMs: number,
): readonly NewFinding[] =>
  found.flatMap((finding): readonly NewFinding[] => {
    const last = known.find(({ kind, subject }) => kind === finding.kind && subject === finding.subject);
    if (last === undefined) return [{ finding, supersedes: null }];
    if (isKnown(last, nowMs)) return [];
    return [{ finding, supersedes: last.status === 'open' ? last : null }];
  });
