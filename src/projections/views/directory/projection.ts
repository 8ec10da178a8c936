import { isDeepStrictEqual } from 'node:util';
import { versionPerPlatform } from '../../../kernel/platform.ts';
import { isInDirectory } from '../../../platforms/index.ts';
import { accountOf, isGone, isHidden } from '../../../write/accounts/account.ts';
import {
  type Aged,
  emptyProfile,
  type FieldName,
  factsOf,
  HISTORIC_CHANGES,
  HISTORY_FIELDS,
  isEmptyValue,
  isSameValue,
  keptAfter,
  LASTING_FIELDS,
  movedProfile,
  NOTHING_KEPT,
  type Profile,
  perField,
  REPORTED_FIELDS,
  type ValueTimes,
  valueTimes,
  versionPerField,
} from '../../../write/accounts/profile.ts';
import type { ErasedAccount } from '../../erased-accounts.ts';
import { accountOfStream, namesOf, settle } from '../../identity.ts';
import {
  dispatch,
  type Fold,
  type Handlers,
  type ProjectedEvent,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { namesOfErased, type State, Store } from './entry-store.ts';
import {
  type ChangeRow,
  type EntryRow,
  type FormerNameRow,
  indexes,
  tables,
  wordsOfEntry,
} from './tables.ts';

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
const agedOf = (entry: EntryRow, name: string): Aged => ({
  seen: { status: statusOf(entry), profile: profileOf(entry, name) },
  seenAt: entry.last_seen_at,
  kept: entry.kept ?? NOTHING_KEPT,
});

/** What a stream showed last: of the account that has its name, or of one that is now in another entry. */
const shownIn = (state: State, stream: string): Aged | null => {
  const { platform, handle: name } = accountOf(stream);
  const former = state.formerName(platform, name);
  if (former !== undefined) return former.shown;
  const entry = accountOfStream(state, stream);
  return entry === undefined ? null : agedOf(entry, name);
};

/** The times of the values that a reading did not show. */
const keptIn = (
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

/** The entry of an account that its platform has but does not show, and of which nothing else is known. */
const hiddenEntry = ({
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
    absorbed: null,
    words: wordsOfEntry(handle, null),
    growth_samples: '',
    growth_7d: null,
    growth_30d: null,
  };
};

/** What changed in an entry, as a row of the feed describes it. */
type Change = Pick<ChangeRow, 'kind' | 'before' | 'after'>;

type Values = Exclude<ChangeRow['after'], string | number | boolean | null>;

const valuesOf = (entry: EntryRow, fields: readonly (keyof Values & keyof EntryRow)[]): Values =>
  Object.fromEntries(fields.map((field) => [field, entry[field]]));

const discovered = (entry: EntryRow): Change => ({
  kind: 'discovered',
  before: null,
  after: { id: entry.native_id, ...valuesOf(entry, ['handle', 'status', 'verified', ...REPORTED_FIELDS]) },
});

/** The change of a status. `restored` ends a status in which nothing is shown. */
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
 * All changes of an entry except values that move daily. A reader that applies them to a copy of `before` gets `after`, except for
 * counts and times.
 */
const changesBetween = (before: EntryRow | undefined, after: EntryRow): readonly Change[] => {
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

type AccountEventOf<Type extends 'AccountSighted' | 'AccountUnchanged' | 'AccountUnavailable'> =
  ProjectedEvent<Type>;

type Reading = AccountEventOf<'AccountSighted' | 'AccountUnchanged' | 'AccountUnavailable'>;

/** Ordinals of changes: of the account that loses a handle, and of the one that a reading is of. */
const LOSS = -1;
const OWN = 0;

const positionOf = ({ appliedAt, position }: ProjectedEvent): string => String(appliedAt ?? position);

/**
 * Records changes at the position where their event takes effect: readers of the feed are past the original position of a
 * parked one.
 */
const report = (
  state: State,
  event: Reading,
  { platform, entry, native_id, handle }: EntryRow,
  changes: readonly Change[],
  first: typeof LOSS | typeof OWN,
): void => {
  const position = positionOf(event);
  const at = event.data.observed_at;
  for (const change of changes)
    state.addChange({ position, at, platform, entry, native_id, handle, ...change }, first);
};

/** Stores an entry, and what changed of it. */
const put = (state: State, event: Reading, before: EntryRow | undefined, after: EntryRow): void => {
  state.put(before, after);
  report(state, event, after, changesBetween(before, after), OWN);
};

/** Removes an entry without an ID that turned out to belong to another account. The feed reports that it has no name left. */
const absorb = (state: State, event: Reading, entry: EntryRow): void => {
  state.remove(entry);
  const change: Change = { kind: 'renamed', before: entry.handle, after: null };
  report(state, event, { ...entry, handle: null }, [change], LOSS);
};

const withHandle = (previous: readonly string[], handle: string | null): readonly string[] =>
  handle === null || previous.includes(handle) ? previous : [...previous, handle];

/** The text that is already in memory, for example as the key of the entry, if it is equal. */
const sameText = (known: string | null | undefined, text: string | null): string | null =>
  known === text ? known : text;

const NO_HANDLES: readonly string[] = [];

const formerHandles = (
  before: EntryRow | undefined,
  isRenamed: boolean,
  handle: string | null,
): readonly string[] => {
  if (before === undefined) return NO_HANDLES;
  const known = isRenamed ? withHandle(before.previous_handles, before.handle) : before.previous_handles;
  return handle !== null && known.includes(handle) ? known.filter((former) => former !== handle) : known;
};

/** The entries that an account turned out to have had besides its own. */
const absorbedBy = (before: EntryRow | undefined, absorbed: EntryRow | undefined): EntryRow['absorbed'] => {
  const known = before?.absorbed ?? null;
  return absorbed === undefined ? known : [...(known ?? []), absorbed.entry];
};

const displace = (state: State, event: Reading, entry: EntryRow): void => {
  const after = {
    ...entry,
    handle: null,
    previous_handles: withHandle(entry.previous_handles, entry.handle),
    words: wordsOfEntry(null, entry.display_name),
  };
  state.put(entry, after);
  report(state, event, after, changesBetween(entry, after), LOSS);
};

/** The values of a history point: what its reading showed. */
const pointOf = (row: EntryRow) =>
  perField(HISTORY_FIELDS, ({ empty }, name) => (row.kept?.[name] === undefined ? row[name] : empty)) as Pick<
    EntryRow,
    (typeof HISTORY_FIELDS)[number]
  >;

/** Whether a reading shows a value that no reading of its day has shown. */
const fillsDay = (before: EntryRow, after: EntryRow): boolean =>
  HISTORY_FIELDS.some((field) => {
    if (isEmptyValue(after[field]) || after.kept?.[field] !== undefined) return false;
    const at = before.kept?.[field] ?? before.last_seen_at;
    return isEmptyValue(before[field]) || dayOf(at) !== dayOf(after.last_seen_at);
  });

/** Adds a point to the history of an entry if a reading has news, with the values that the reading showed. */
const addPoint = (state: State, before: EntryRow | undefined, row: EntryRow): void => {
  const { platform, entry, last_seen_at: at, handle } = row;
  const isRenamed = before !== undefined && before.handle !== handle;
  const isNews =
    before === undefined ||
    isRenamed ||
    dayOf(before.last_seen_at) !== dayOf(at) ||
    HISTORIC_CHANGES.some((field) => !isSameValue(before[field], row[field])) ||
    fillsDay(before, row);
  if (!isNews) return;
  const point = pointOf(row);
  if (!isRenamed && before !== undefined && Object.values(point).every(isEmptyValue)) return;
  state.addHistory({ platform, entry, at, handle, ...point });
};

/**
 * The values of an entry after a reading. Lasting values stay if the reading does not show them, and equal links are those already
 * in memory.
 */
const shownFacts = (before: EntryRow | undefined, profile: Profile) => {
  const facts = factsOf(profile) as Record<FieldName, unknown>;
  if (before === undefined) return facts as Pick<EntryRow, FieldName>;
  for (const name of LASTING_FIELDS) facts[name] ??= before[name];
  if (isSameValue(before.links, profile.links)) facts.links = before.links;
  return facts as Pick<EntryRow, FieldName>;
};

/** The words of an entry after a reading: those already in memory, if they are equal. */
const wordsAfter = (before: EntryRow | undefined, handle: string | null, name: string | null): string =>
  before?.handle === handle && before.display_name === name ? before.words : wordsOfEntry(handle, name);

/** Applies a reading, a full profile or only the changed fields, to its entry. */
const see = (
  state: State,
  event: AccountEventOf<'AccountSighted' | 'AccountUnchanged'>,
  profile: Profile,
  status: 'active' | 'private',
): void => {
  const { platform, handle, namedId } = namesOf(event.stream);
  const at = event.data.observed_at;
  const id = profile.id ?? namedId;
  const settled = settle(state, { platform, handle, id, at });
  if (settled === 'outdated') return;
  const { own: before, isRenamed, displaced, absorbed } = settled;
  if (displaced !== undefined) displace(state, event, displaced);
  // The same account twice: the older entry is kept.
  if (absorbed !== undefined) absorb(state, event, absorbed);
  // Immutable facts are kept if a surface does not show them.
  const nativeId = id ?? before?.native_id ?? null;
  const { handle: name } = accountOf(event.stream);
  const kept = keptIn(state, event, before);
  const nameAfter = (entry: string): FormerNameRow => ({
    platform,
    name,
    entry,
    shown: {
      seen: { status, profile: { ...profile, id: nativeId } },
      seenAt: at,
      kept: kept ?? NOTHING_KEPT,
    },
  });
  // A "not found" under the former handle says nothing about the new one.
  if (before !== undefined && at <= (isRenamed ? before.last_seen_at : before.observed_at)) {
    if (at < before.first_seen_at) state.put(before, { ...before, first_seen_at: at });
    if (isRenamed) state.putFormerName(nameAfter(before.entry));
    return;
  }
  const facts = shownFacts(before, profile);
  const shownFollowers = kept?.followers === undefined ? profile.followers : null;
  const growth = grow(before?.growth_samples ?? '', at, shownFollowers);
  const row: EntryRow = {
    // The only spread, and the first member: V8 would put the members of a later spread into a separate object.
    ...facts,
    platform,
    entry: before?.entry ?? String(event.position),
    handle: sameText(before?.handle, handle),
    native_id: sameText(before?.native_id, nativeId),
    first_seen_at: before?.first_seen_at ?? at,
    last_seen_at: at,
    kept,
    observed_at: at,
    status,
    previous_handles: formerHandles(before, isRenamed, handle),
    absorbed: absorbedBy(before, absorbed),
    words: wordsAfter(before, handle, profile.display_name),
    growth_samples: growth.growth_samples,
    growth_7d: growth.growth_7d,
    growth_30d: growth.growth_30d,
  };
  put(state, event, before, row);
  addPoint(state, before, row);
  if (before !== undefined && isRenamed && before.handle !== null) {
    const left = isGone(before.status) ? null : agedOf(before, before.handle);
    state.putFormerName({ platform, name: before.handle, entry: before.entry, shown: left });
  }
  if (handle === null) state.putFormerName(nameAfter(row.entry));
  else state.removeFormerName(platform, name);
};

/** Adds an account that its platform has but does not show, and that was never seen. */
const findHidden = (state: State, event: AccountEventOf<'AccountUnavailable'>): void => {
  const row = hiddenEntry(event);
  // An account that is read by its ID may have a handle.
  if (row.native_id !== null && state.entryOf(row.platform, row.native_id) !== undefined) return;
  put(state, event, undefined, row);
};

/** The entries of an erased account: by its native ID, and of a handle that no other account has, if none is known there. */
const entriesOf = (
  state: State,
  { native_id: id }: ErasedAccount,
  { stream, data: { since } }: ProjectedEvent<'AccountErased'>,
): readonly EntryRow[] => {
  const { platform, handle } = accountOf(stream);
  const own = id === null ? undefined : state.entryOf(platform, id);
  const here = since === null ? state.entryAt(platform, handle) : undefined;
  return [own ?? [], here?.native_id === null ? here : []].flat();
};

/** Removes an erased account. The feed tells of it once, by a row that follows from the event alone and names nobody. */
const erase = (state: State, event: ProjectedEvent<'AccountErased'>): void => {
  const { at, subject, is_first } = event.data;
  const { platform } = accountOf(event.stream);
  const account = state.erased(subject);
  for (const entry of account === undefined ? [] : entriesOf(state, account, event)) {
    state.erase(entry);
    for (const name of namesOfErased(account as ErasedAccount))
      if (state.formerName(platform, name)?.entry === entry.entry) state.removeFormerName(platform, name);
  }
  if (!is_first) return;
  // Readers find the names by the digest, as long as they may be told.
  const nobody = { entry: null, native_id: null, handle: null, before: null, after: subject };
  state.addChange({ position: positionOf(event), at, platform, kind: 'erased', ...nobody }, OWN);
};

const isOfDirectory = ({ stream }: ProjectedEvent): boolean => isInDirectory(accountOf(stream).platform);

const handlers = {
  AccountSighted: (state, event) => {
    if (isOfDirectory(event)) see(state, event, event.data.profile, event.data.status);
  },
  AccountUnchanged: (state, event) => {
    if (!isOfDirectory(event)) return;
    const shown = shownIn(state, event.stream);
    if (shown === null) return;
    const { moved } = event.data;
    const { profile, status } = shown.seen;
    see(state, event, movedProfile(profile, moved), status);
  },
  AccountUnavailable: (state, event) => {
    if (!isOfDirectory(event)) return;
    const entry = accountOfStream(state, event.stream);
    const { status, observed_at } = event.data;
    const { platform, handle: name } = accountOf(event.stream);
    const former = state.formerName(platform, name);
    if (former !== undefined) state.putFormerName({ ...former, shown: null });
    else if (entry === undefined && isHidden(status)) findHidden(state, event);
    if (entry === undefined || observed_at <= entry.observed_at) return;
    put(state, event, entry, { ...entry, status, observed_at });
  },
  AccountErased: (state, event) => {
    if (isOfDirectory(event)) erase(state, event);
  },
} satisfies Handlers<State>;

const apply = dispatch(handlers);

const open = (schema: string): Fold => {
  let store = new Store(schema);
  return {
    load: (db, events) => store.load(db, events),
    apply: (event) => apply(store, event),
    store: (db) => store.write(db),
    building: { flush: (db) => store.flush(db), isFull: () => store.isFull() },
    reset: () => {
      store = new Store(schema);
    },
  };
};

/**
 * The directory: entries that survive renames, with history, changes and statistics.
 * Decision: `docs/adr/0002-entries-keyed-by-position.md`.
 */
export const directory: Projection = {
  name: 'directory',
  version: versionPerField(versionPerPlatform(3)),
  order: 'platform',
  types: typesOf(handlers),
  forgets: handlers.AccountErased,
  streamPrefixes: ['account-'],
  parks: ['account-'],
  tables,
  indexes,
  open,
};

/** Growth functions of the directory; pure. */

const DAY_MS = 86_400_000;

const dayOf = (iso: string): number => Math.floor(Date.parse(iso) / DAY_MS);

const KEEP_DAYS = 30;
/** Readings older than this are no baseline for growth. */
const MAX_DAYS = 60;

export interface Growth {
  readonly growth_samples: string;
  readonly growth_7d: number | null;
  readonly growth_30d: number | null;
}

/**
 * Adds a reading to the samples and computes growth against the newest sample at least 7 or 30 days older; null if
 * there is none within 60 days. Keeps the first sample of a day; of those older than 30 days only the newest.
 */
export const grow = (text: string, at: string, followers: number | null): Growth => {
  if (followers === null) return { growth_samples: text, growth_7d: null, growth_30d: null };
  const day = dayOf(at);
  const figures: { growth_7d: number | null; growth_30d: number | null } = {
    growth_7d: null,
    growth_30d: null,
  };
  let newest = -1;
  let kept = 0;
  // Parses newest first, without splitting: arrays for every row's samples would dominate the fold.
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf(',', end - 1) + 1;
    const colon = text.indexOf(':', start);
    const then = Number(text.slice(start, colon));
    const age = day - then;
    newest = Math.max(newest, then);
    if (age >= 7 && age <= MAX_DAYS) {
      const before = Number(text.slice(colon + 1, end));
      figures.growth_7d ??= followers - before;
      if (age >= 30) figures.growth_30d = followers - before;
    }
    kept = start;
    if (age >= KEEP_DAYS) break;
    end = start - 1;
  }
  if (newest >= day) return { growth_samples: text, ...figures };
  const rest = text.slice(kept);
  // Joined first: a text appended to a long one is a separate object in memory until the whole is read.
  const sample = `${rest === '' ? '' : ','}${day}:${followers}`;
  return { growth_samples: rest + sample, ...figures };
};

/** Whether followers changed by at least a fifth and by a thousand: more than organic growth explains. */
export const hasJumped = (before: number | null, after: number | null): boolean =>
  before !== null && after !== null && Math.abs(after - before) >= Math.max(1_000, before / 5);
