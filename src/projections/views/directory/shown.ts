import { accountOf } from '../../../write/accounts/events.ts';
import { type Aged, keptAfter, NOTHING_KEPT } from '../../../write/accounts/kept.ts';
import { emptyProfile, factsOf, type Profile } from '../../../write/accounts/profile.ts';
import { type ValueTimes, valueTimes } from '../../../write/accounts/value-ages.ts';
import { accountOfStream, namesOf } from '../../identity/settle.ts';
import type { ProjectedEvent } from '../../projection.ts';
import type { State } from './entry-store.ts';
import type { EntryRow } from './tables.ts';
import { wordsOfEntry } from './words.ts';

/** The profile of an entry, under the name of a stream. */
const profileOf = (entry: EntryRow, handle: string): Profile => ({
  id: entry.native_id,
  handle,
  ...factsOf(entry),
});

/** Whether an entry was private when it was last seen. */
const statusOf = (entry: EntryRow): 'active' | 'private' =>
  entry.status === 'private' ? 'private' : 'active';

/** An entry as its last reading left it, under the name of a stream. */
export const agedOf = (entry: EntryRow, name: string): Aged => ({
  seen: { status: statusOf(entry), profile: profileOf(entry, name) },
  seenAt: entry.last_seen_at,
  kept: entry.kept ?? NOTHING_KEPT,
});

/** What a stream showed last, of the account that has its name or of one that stands elsewhere since. */
export const shownIn = (state: State, stream: string): Aged | null => {
  const { platform, handle: name } = accountOf(stream);
  const former = state.formerName(platform, name);
  if (former !== undefined) return former.shown;
  const entry = accountOfStream(state, stream);
  return entry === undefined ? null : agedOf(entry, name);
};

/** The values of an account that a reading did not show, with their times. */
export const keptIn = (
  state: State,
  { stream, data }: ProjectedEvent<'AccountSighted' | 'AccountUnchanged'>,
  before: EntryRow | undefined,
): ValueTimes | null => {
  if (data.kept === undefined) return null;
  const at = data.observed_at;
  if (before === undefined) return valueTimes(keptAfter(data.kept, null), at, at);
  const { platform, handle: name } = accountOf(stream);
  const former = state.formerName(platform, name);
  const aged = former?.entry === before.entry ? former.shown : null;
  return valueTimes(keptAfter(data.kept, aged ?? agedOf(before, name)), before.first_seen_at, at);
};

/** The entry of an account of which no more is known than that its platform has it and does not show it. */
export const hiddenEntry = ({
  stream,
  position,
  data: { status, observed_at: at },
}: ProjectedEvent<'AccountUnavailable'>): EntryRow => {
  const { platform, handle, namedId } = namesOf(stream);
  return {
    platform,
    entry: String(position),
    handle,
    native_id: namedId,
    ...factsOf(emptyProfile('')),
    first_seen_at: at,
    last_seen_at: at,
    kept: null,
    observed_at: at,
    status,
    previous_handles: [],
    words: wordsOfEntry(handle, null),
    growth_samples: '',
    growth_7d: null,
    growth_30d: null,
  };
};
