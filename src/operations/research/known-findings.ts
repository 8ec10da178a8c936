import type { LastFinding } from '../../read/research/runs.ts';
import type { Finding } from '../../write/research/findings.ts';

const DAY_MS = 86_400_000;
/** A finding that holds is recorded once a day; one that an operator dismissed, once a week. */
const AGAIN_MS = DAY_MS;
export const DISMISSED_MS = 7 * DAY_MS;

const isKnown = ({ status, created_at, reviewed_at }: LastFinding, nowMs: number): boolean =>
  status === 'dismissed'
    ? nowMs - Date.parse(reviewed_at ?? created_at) < DISMISSED_MS
    : nowMs - Date.parse(created_at) < AGAIN_MS;

/** The same of findings of one kind about one subject. */
export const keyOf = ({ kind, subject }: Pick<LastFinding, 'kind' | 'subject'>): string =>
  `${kind}\0${subject}`;

/** Leaves out what was recorded before. @param known the last finding of each kind and subject. */
export const newFindings = (
  found: readonly Finding[],
  known: readonly LastFinding[],
  nowMs: number,
): readonly Finding[] => {
  const lasts = new Map(known.map((last) => [keyOf(last), last]));
  return found.filter((finding) => {
    const last = lasts.get(keyOf(finding));
    return last === undefined || !isKnown(last, nowMs);
  });
};
