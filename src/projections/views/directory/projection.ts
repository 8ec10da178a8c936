import { isInDirectory, versionPerPlatform } from '../../../kernel/platform.ts';
import { accountOf } from '../../../write/accounts/events.ts';
import type { Profile } from '../../../write/accounts/reading.ts';
import { accountOfStream, namesOf, settle } from '../../identity/settle.ts';
import {
  dispatch,
  type Fold,
  type Handlers,
  type ProjectedEvent,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { type State, Store } from './entry-store.ts';
import { dayOf, grow, hasJumped } from './growth.ts';
import { type ChangeRow, type EntryRow, indexes, tables } from './tables.ts';

type AccountEventOf<Type extends 'AccountSighted' | 'AccountUnchanged' | 'AccountUnavailable'> =
  ProjectedEvent<Type>;

/**
 * Records changes at the position where their event takes effect: readers of the feed are past the original
 * position of a parked one.
 */
const changesOf = (
  state: State,
  event: ProjectedEvent,
  { handle, native_id }: Pick<EntryRow, 'handle' | 'native_id'>,
  at: string,
) => {
  return (kind: ChangeRow['kind'], before: ChangeRow['before'], after: ChangeRow['after']): void => {
    const { platform } = accountOf(event.stream);
    state.addChange({
      position: String(event.appliedAt ?? event.position),
      at,
      platform,
      native_id,
      handle,
      kind,
      before,
      after,
    });
  };
};

const isBack = (before: EntryRow): boolean =>
  before.status === 'suspended' || before.status === 'deactivated' || before.status === 'absent';

const withHandle = (previous: readonly string[], handle: string | null): readonly string[] =>
  handle === null || previous.includes(handle) ? previous : [...previous, handle];

const displace = (state: State, entry: EntryRow): void =>
  state.put(entry, {
    ...entry,
    handle: null,
    previous_handles: withHandle(entry.previous_handles, entry.handle),
  });

const sameLinks = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((link, i) => link === b[i]);

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
  if (displaced !== undefined) displace(state, displaced);
  // The same account twice: the older entry is kept.
  if (absorbed !== undefined) state.remove(absorbed);
  // Immutable facts are kept if a surface does not show them.
  const nativeId = id ?? before?.native_id ?? null;
  const change = changesOf(state, event, { handle, native_id: nativeId }, at);
  if (before === undefined) {
    change('discovered', null, handle);
  } else {
    // A "not found" under the former handle says nothing about the new one.
    if (at <= (isRenamed ? before.last_seen_at : before.observed_at)) {
      if (at < before.first_seen_at) state.put(before, { ...before, first_seen_at: at });
      return;
    }
    if (isRenamed) change('renamed', before.handle, handle);
    if (before.verified === false && profile.verified === true) change('verified', false, true);
    if (before.verified === true && profile.verified === false) change('unverified', true, false);
    // The old handle was found empty first, as with any rename: not a restored account.
    const moved = isRenamed && before.handle !== null && before.status === 'absent';
    if (isBack(before) && !moved) change('restored', before.status, status);
    if (hasJumped(before.followers, profile.followers)) change('jumped', before.followers, profile.followers);
  }
  const links = before !== undefined && sameLinks(before.links, profile.links) ? before.links : profile.links;
  const row: EntryRow = {
    platform,
    entry: before?.entry ?? String(event.position),
    handle,
    native_id: nativeId,
    created_at: profile.created_at ?? before?.created_at ?? null,
    display_name: profile.display_name,
    followers: profile.followers,
    following: profile.following,
    posts: profile.posts,
    verified: profile.verified,
    first_seen_at: before?.first_seen_at ?? at,
    last_seen_at: at,
    observed_at: at,
    bio: profile.bio,
    avatar_url: profile.avatar_url,
    location: profile.location,
    links,
    status,
    previous_handles: withHandle(
      before?.previous_handles ?? [],
      isRenamed ? (before?.handle ?? null) : null,
    ).filter((h) => h !== handle),
    ...grow(before?.growth_samples ?? '', at, profile.followers),
  };
  state.put(before, row);
  const isNews =
    before === undefined ||
    dayOf(before.last_seen_at) !== dayOf(at) ||
    before.verified !== row.verified ||
    before.handle !== row.handle ||
    before.display_name !== row.display_name;
  if (isNews) {
    state.addHistory({
      platform,
      entry: row.entry,
      at,
      followers: row.followers,
      following: row.following,
      posts: row.posts,
      verified: row.verified,
      handle,
      display_name: row.display_name,
    });
  }
};

const isOfDirectory = ({ stream }: ProjectedEvent): boolean => isInDirectory(accountOf(stream).platform);

const handlers: Handlers<State> = {
  AccountSighted: (state, event) => {
    if (isOfDirectory(event)) see(state, event, event.data.profile, event.data.status);
  },
  AccountUnchanged: (state, event) => {
    if (!isOfDirectory(event)) return;
    const entry = accountOfStream(state, event.stream);
    if (entry === undefined) return;
    const { moved } = event.data;
    const profile: Profile = {
      id: entry.native_id,
      handle: accountOf(event.stream).handle,
      display_name: entry.display_name,
      followers: moved.followers === undefined ? entry.followers : moved.followers,
      following: moved.following === undefined ? entry.following : moved.following,
      posts: moved.posts === undefined ? entry.posts : moved.posts,
      avatar_url: moved.avatar_url === undefined ? entry.avatar_url : moved.avatar_url,
      verified: entry.verified,
      created_at: entry.created_at,
      bio: entry.bio,
      location: entry.location,
      links: [...entry.links],
    };
    see(state, event, profile, entry.status === 'private' ? 'private' : 'active');
  },
  AccountUnavailable: (state, event) => {
    if (!isOfDirectory(event)) return;
    const entry = accountOfStream(state, event.stream);
    const { status, observed_at } = event.data;
    if (entry === undefined || observed_at <= entry.observed_at) return;
    if (status === 'suspended' && entry.status !== 'suspended') {
      changesOf(state, event, entry, observed_at)('suspended', entry.status, status);
    }
    state.put(entry, { ...entry, status, observed_at });
  },
};

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

/** The directory: entries that survive renames, with history, changes and statistics. */
export const directory: Projection = {
  name: 'directory',
  version: versionPerPlatform(4),
  order: 'platform',
  types: typesOf(handlers),
  streamPrefixes: ['account-'],
  parks: ['account-'],
  tables,
  indexes,
  open,
};
