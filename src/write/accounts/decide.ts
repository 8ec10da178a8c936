import type { Platform } from '../../kernel/platform.ts';
import { ripeMsOf } from '../../platforms/index.ts';
import type { LeadFacts } from '../leads/facts.ts';
import type { AccountEvent, AccountEventData } from './events.ts';
import { type Aged, type Kept, keptAfter, keptBy, NOTHING_KEPT } from './kept.ts';
import { type KnownPosts, noPosts, postNews, withPosts } from './known-posts.ts';
import { evolveOwner, isSameOwner, isTakenOver, noOwner, type Owner } from './owner.ts';
import type { Post, PostOrder } from './post.ts';
import {
  isSameValue,
  type Measurable,
  MOVED_FIELDS,
  type Moved,
  mergedProfile,
  movedProfile,
  type Profile,
  SIGHTED_FIELDS,
} from './profile.ts';

/** State folded from the newest events of an account: enough to decide what a reading adds. */
export interface AccountState {
  readonly observedAt: string | null;
  /** Null if the window contains no full profile. */
  readonly seen: Aged['seen'] | null;
  /** The last reading that found it to exist. */
  readonly seenAt: string | null;
  /** Values of `seen` that are older than that reading. */
  readonly kept: Kept;
  readonly gone: AccountEventData['AccountUnavailable']['status'] | null;
  readonly owner: Owner;
  readonly posts: KnownPosts;
}

export const noAccount: AccountState = {
  observedAt: null,
  seen: null,
  seenAt: null,
  kept: NOTHING_KEPT,
  gone: null,
  owner: noOwner,
  posts: noPosts,
};

/**
 * Window of events folded for a decision. If it contains no full profile, one is written again, so that the cost
 * per account stays constant however long its stream grows.
 */
export const WINDOW = 48;

export const evolve = (before: AccountState, event: AccountEvent): AccountState => {
  const state = { ...before, owner: evolveOwner(before.owner, event) };
  switch (event.type) {
    case 'AccountSighted': {
      const { observed_at, status, profile } = event.data;
      const posts = isTakenOver(before.owner, profile) ? noPosts : state.posts;
      const seen = { status, profile };
      const kept = keptOf(before, event.data.kept, profile);
      return { ...state, observedAt: observed_at, seen, seenAt: observed_at, kept, gone: null, posts };
    }
    case 'AccountUnchanged': {
      const { observed_at, moved } = event.data;
      const seen = state.seen && { ...state.seen, profile: movedProfile(state.seen.profile, moved) };
      const kept = seen === null ? NOTHING_KEPT : keptOf(before, event.data.kept, seen.profile);
      return { ...state, observedAt: observed_at, seen, seenAt: observed_at, kept, gone: null };
    }
    case 'AccountUnavailable':
      return { ...state, observedAt: event.data.observed_at, gone: event.data.status };
    case 'PostsSighted':
      return { ...state, posts: withPosts(state.posts, event.data) };
  }
};

/** The account as its last reading left it; null if another one owns the name since, or none is known. */
const agedOf = ({ seen, seenAt, kept, owner }: AccountState, now: Profile): Aged | null =>
  seen === null || !isSameOwner(owner, now) ? null : { seen, seenAt, kept };

/** What an event kept, as it says. */
const keptOf = (before: AccountState, kept: Kept | undefined, profile: Profile): Kept =>
  // Nothing is kept of a former owner.
  isTakenOver(before.owner, profile) ? NOTHING_KEPT : keptAfter(kept, agedOf(before, profile));

/** The result of a conclusive reading. */
export interface Sighting {
  readonly observedAt: string;
  readonly source: 'crawler' | 'live';
  readonly surface: string;
  /** Facts of the page that belong to the stream of a company or person. */
  readonly facts?: LeadFacts;
  readonly found:
    | {
        readonly status: 'active' | 'private';
        readonly profile: Profile;
        readonly posts: readonly Post[] | null;
        /** How they were listed; `unknown` by default. */
        readonly postOrder?: PostOrder;
        /** The instant from which on no post is missing, null if none is; left out if that is unknown. */
        readonly postsSince?: string | null;
        /** What the reading measured: an empty value there is empty on the platform. */
        readonly measured: readonly Measurable[];
      }
    | { readonly status: 'absent' | 'suspended' | 'deactivated' };
}

const isSame = (a: Profile, b: Profile): boolean =>
  a.id === b.id && a.handle === b.handle && SIGHTED_FIELDS.every((field) => isSameValue(a[field], b[field]));

const movedBetween = (before: Profile, after: Profile): Moved =>
  Object.fromEntries(
    MOVED_FIELDS.filter((field) => !isSameValue(before[field], after[field])).map((field) => [
      field,
      after[field],
    ]),
  );

type Shown = Extract<Sighting['found'], { readonly profile: Profile }>;

/** Completes a reading with the known values of what it did not measure, so that every event is a full profile. */
const completed = (state: AccountState, found: Shown): Shown & { readonly kept: Kept } => {
  const before = agedOf(state, found.profile);
  if (before === null) return { ...found, kept: NOTHING_KEPT };
  const { status, profile } = before.seen;
  return {
    ...found,
    status: found.measured.includes('private') || found.status === 'private' ? found.status : status,
    profile: mergedProfile(found.profile, profile, found.measured),
    kept: keptBy(before, found, found.measured),
  };
};

type Read = Pick<AccountEventData['AccountUnchanged'], 'observed_at' | 'source' | 'surface'>;

/** Events that a sighting adds to a stream. The latest reading wins: older and repeated sightings add nothing. */
export const decideSighting = (
  state: AccountState,
  sighting: Sighting,
  platform: Platform,
): readonly AccountEvent[] => {
  if (state.observedAt !== null && sighting.observedAt <= state.observedAt) return [];
  const read: Read = { observed_at: sighting.observedAt, source: sighting.source, surface: sighting.surface };
  if (sighting.found.status !== 'active' && sighting.found.status !== 'private') {
    return [{ type: 'AccountUnavailable', data: { ...read, status: sighting.found.status } }];
  }
  const { seen } = state;
  const found = completed(state, sighting.found);
  const unchanged =
    seen !== null &&
    state.gone === null &&
    seen.status === found.status &&
    isSame(seen.profile, found.profile);
  const kept = found.kept === NOTHING_KEPT ? {} : { kept: found.kept };
  const sighted: AccountEvent = unchanged
    ? {
        type: 'AccountUnchanged',
        data: { ...read, moved: movedBetween(seen.profile, found.profile), ...kept },
      }
    : { type: 'AccountSighted', data: { ...read, status: found.status, profile: found.profile, ...kept } };
  const known = isTakenOver(state.owner, found.profile) ? noPosts : state.posts;
  const posts = postsSighted(known, found, read, platform);
  return posts === null ? [sighted] : [sighted, posts];
};

/** The event of what a reading shows of an account's posts; null if nothing of it is new. */
const postsSighted = (
  known: KnownPosts,
  found: Shown,
  read: Read,
  platform: Platform,
): AccountEvent | null => {
  const { posts: shown, postOrder: order = 'unknown', postsSince } = found;
  if (shown === null) return null;
  const { posts, moved, isWhole } = postNews(known, shown, {
    observedMs: Date.parse(read.observed_at),
    ripeMs: ripeMsOf(platform),
  });
  if (posts.length + moved.length === 0) return null;
  const span = postsSince === undefined || !isWhole ? null : { from: postsSince, to: read.observed_at };
  return { type: 'PostsSighted', data: { ...read, posts, moved, order, span } };
};
