import { isDeepStrictEqual } from 'node:util';
import { REPORTED_FIELDS } from '../../../write/accounts/profile.ts';
import { isGone } from '../../../write/accounts/status.ts';
import { hasJumped } from './growth.ts';
import type { ChangeRow, EntryRow } from './tables.ts';

/** What changed of an entry, as a row of the feed says it. */
export type Change = Pick<ChangeRow, 'kind' | 'before' | 'after'>;

type Values = Exclude<ChangeRow['after'], string | number | boolean | null>;

const valuesOf = (entry: EntryRow, fields: readonly (keyof Values & keyof EntryRow)[]): Values =>
  Object.fromEntries(fields.map((field) => [field, entry[field]]));

const discovered = (entry: EntryRow): Change => ({
  kind: 'discovered',
  before: null,
  after: { id: entry.native_id, ...valuesOf(entry, ['handle', 'status', 'verified', ...REPORTED_FIELDS]) },
});

/** The change of a status; `restored` ends those in which nothing is shown. */
const statusKind = (before: EntryRow, { status }: EntryRow): ChangeRow['kind'] => {
  if (isGone(status)) return status;
  if (isGone(before.status)) return 'restored';
  return status === 'private' ? 'private' : 'public';
};

/** The fields of the profile that changed. The native ID is among them: it may be learned later. */
const profileChange = (before: EntryRow, after: EntryRow): Change | null => {
  const fields = REPORTED_FIELDS.filter(
    (field) => before[field] !== after[field] && !isDeepStrictEqual(before[field], after[field]),
  );
  const isIdentified = before.native_id !== after.native_id;
  if (fields.length === 0 && !isIdentified) return null;
  const of = (entry: EntryRow): Values => ({
    ...(isIdentified ? { id: entry.native_id } : {}),
    ...valuesOf(entry, fields),
  });
  return { kind: 'profile', before: of(before), after: of(after) };
};

/**
 * All that changed of an entry but what moves daily: who applies it to a copy of `before` has `after`, except for counts and
 * times.
 */
export const changesBetween = (before: EntryRow | undefined, after: EntryRow): readonly Change[] => {
  if (before === undefined) return [discovered(after)];
  const changes: Change[] = [];
  if (before.handle !== after.handle)
    changes.push({ kind: 'renamed', before: before.handle, after: after.handle });
  if (before.verified !== after.verified) {
    const kind = after.verified === true ? 'verified' : 'unverified';
    changes.push({ kind, before: before.verified, after: after.verified });
  }
  if (before.status !== after.status)
    changes.push({ kind: statusKind(before, after), before: before.status, after: after.status });
  const profile = profileChange(before, after);
  if (profile !== null) changes.push(profile);
  if (hasJumped(before.followers, after.followers))
    changes.push({ kind: 'jumped', before: before.followers, after: after.followers });
  return changes;
};
