/**
 * The account aggregate, from top to bottom: events, statuses, owners, state, decisions, snapshots, and the command that records a
 * sighting.
 * Decisions: `docs/adr/0005-decisions-on-snapshots.md`, `docs/adr/0012-age-of-a-value.md`.
 */

import { z } from 'zod';
import { PLATFORMS, type Platform, platformSchema } from '../../kernel/platform.ts';
import { ripeMsOf } from '../../platforms/index.ts';
import { type LeadFacts, type LeadRecorder, openLeadRecorder } from '../leads.ts';
import { type Decider, type Decision, handleCommand, type Snapshot } from '../log/command-handler.ts';
import {
  type EventData,
  type EventOf,
  event,
  eventOf,
  instant,
  list,
  text,
} from '../log/event-definition.ts';
import type { AppendOutcome, EventLog, Metadata } from '../log/port.ts';
import { type KnownPosts, noPosts, postNews, withPosts } from './known-posts.ts';
import {
  MOVED_BOUNDS,
  movedPostSchema,
  ORDERS,
  POSTS_BOUNDS,
  type Post,
  type PostOrder,
  postSchema,
  spanSchema,
} from './post.ts';
import {
  type Aged,
  isPartial,
  isSameValue,
  type Kept,
  keptAfter,
  keptBy,
  keptMember,
  keptSchema,
  type Measurable,
  MOVED_FIELDS,
  type Moved,
  mergedProfile,
  movedProfile,
  movedSchema,
  NOTHING_KEPT,
  type Profile,
  profileSchema,
  SIGHTED_FIELDS,
} from './profile.ts';

/** The stream of an account; the handle is normalized. */
export const accountStream = (platform: Platform, handle: string): string => `account-${platform}:${handle}`;

/** The platforms by their names: rows share these strings, which a substring of a stream's name would keep alive. */
const SHARED_NAMES: ReadonlyMap<string, Platform> = new Map(
  PLATFORMS.map((platform) => [platform, platform]),
);

/** The account of a stream. */
export const accountOf = (stream: string): { readonly platform: Platform; readonly handle: string } => {
  const colon = stream.indexOf(':');
  const name = stream.slice('account-'.length, colon);
  // Hot path of every fold: only an unknown platform goes through the schema, for its message.
  const platform = SHARED_NAMES.get(name) ?? platformSchema.parse(name);
  return { platform, handle: stream.slice(colon + 1) };
};

/** When and how the platform was read. */
const read = {
  /** When the platform was read; the age of an answer counts from here. */
  observed_at: instant,
  source: z.enum(['crawler', 'live']),
  surface: text(100),
};

/** Times of values that this reading did not show and that earlier readings did; absent if there are none. */
const kept = keptSchema.optional();

export const accountEvents = {
  /** A full profile. */
  AccountSighted: event({ ...read, status: z.enum(['active', 'private']), profile: profileSchema, kept }),
  /** The last full profile is still current, except for the values in `moved`. */
  AccountUnchanged: event({ ...read, moved: movedSchema, kept }),
  /** The platform reports that the account does not exist, or is not available at present. Such a report is always conclusive. */
  AccountUnavailable: event({ ...read, status: z.enum(['absent', 'suspended', 'deactivated']) }),
  /** New posts, and figures of known posts that changed. */
  PostsSighted: eventOf(
    z
      .strictObject({
        ...read,
        /** In full: new posts, and known posts that were edited. */
        posts: list(postSchema, POSTS_BOUNDS),
        moved: list(movedPostSchema, MOVED_BOUNDS),
        order: z.enum(ORDERS),
        span: spanSchema.nullable(),
      })
      .refine(({ posts, moved }) => posts.length + moved.length > 0, { error: 'must hold a post' }),
  ),
};

export type AccountEvent = EventOf<typeof accountEvents>;
export type AccountEventData = EventData<typeof accountEvents>;
export const ACCOUNT_STATUSES = [
  'active',
  'private',
  'suspended',
  'deactivated',
  'absent',
  'unknown',
] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

/** What each status means for answers: whether the account exists, and whether its platform shows it. */
export const STATUSES: Readonly<
  Record<AccountStatus, { readonly exists: boolean | null; readonly isShown: boolean }>
> = {
  active: { exists: true, isShown: true },
  private: { exists: true, isShown: true },
  suspended: { exists: true, isShown: false },
  deactivated: { exists: true, isShown: false },
  absent: { exists: false, isShown: false },
  unknown: { exists: null, isShown: false },
};

/** Whether an account was found but its platform shows it no longer. */
export const isGone = (status: AccountStatus): status is 'suspended' | 'deactivated' | 'absent' =>
  status !== 'unknown' && !STATUSES[status].isShown;

/** Whether a platform has the account but does not show it. */
export const isHidden = (status: AccountStatus): status is 'suspended' | 'deactivated' =>
  isGone(status) && STATUSES[status].exists === true;

/**
 * The account that readings of a handle belong to. A handle can be reassigned. The native ID decides who owns it; without one, a
 * handle that was found unused in between is assumed to have a new owner.
 */
export interface Owner {
  /** Native ID; null if no reading showed it. */
  readonly id: string | null;
  /** Whether any reading showed the owner's profile. */
  readonly isSeen: boolean;
  /** Whether the handle was unused at the last reading. */
  readonly isAbsent: boolean;
}

export const noOwner: Owner = { id: null, isSeen: false, isAbsent: false };

/** Whether a profile that was read under the handle belongs to the account seen there before. */
const isSameOwner = (owner: Owner, found: { readonly id: string | null }): boolean => {
  if (!owner.isSeen) return false;
  if (owner.id !== null && found.id !== null) return owner.id === found.id;
  return !owner.isAbsent;
};

/** Whether a full profile shows that the handle has a new owner. Nothing recorded before belongs to that owner. */
export const isTakenOver = (owner: Owner, found: { readonly id: string | null }): boolean =>
  owner.isSeen && !isSameOwner(owner, found);

/** The owner after an event; the same object if the event changes nothing. */
export const evolveOwner = (owner: Owner, event: AccountEvent): Owner => {
  switch (event.type) {
    case 'AccountSighted': {
      const { id } = event.data.profile;
      // The ID stays known if a surface hides it.
      return { id: id ?? (isSameOwner(owner, { id }) ? owner.id : null), isSeen: true, isAbsent: false };
    }
    case 'AccountUnchanged':
      return owner.isAbsent ? { ...owner, isAbsent: false } : owner;
    case 'AccountUnavailable':
      // A suspended or deactivated account keeps its handle.
      return { ...owner, isAbsent: event.data.status === 'absent' };
    case 'PostsSighted':
      return owner;
  }
};

/** State folded from the newest events of an account: enough to decide which events a reading adds. */
export interface AccountState {
  readonly observedAt: string | null;
  /** Null if the window contains no full profile. */
  readonly seen: Aged['seen'] | null;
  /** Time of the last reading that found the account. */
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
 * Number of events that are folded for a decision. If they contain no full profile, a new one is written, so that the cost per
 * account stays constant however long its stream grows.
 */
const WINDOW = 48;

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

/** The account as its last reading left it; null if the handle has another owner since, or no profile is known. */
const agedOf = ({ seen, seenAt, kept, owner }: AccountState, now: Profile): Aged | null =>
  seen === null || !isSameOwner(owner, now) ? null : { seen, seenAt, kept };

/** The times of kept values after an event. Nothing is kept of a former owner. */
const keptOf = (before: AccountState, kept: Kept | undefined, profile: Profile): Kept =>
  isTakenOver(before.owner, profile)
    ? NOTHING_KEPT
    : keptAfter(kept ?? NOTHING_KEPT, agedOf(before, profile));

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
        /** How the posts were listed; `unknown` by default. */
        readonly postOrder?: PostOrder;
        /** The time since which no post is missing; null if no post is missing at all; absent if unknown. */
        readonly postsSince?: string | null;
        /** The fields that the reading measured. An empty value of a measured field is empty on the platform. */
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

type FoundProfile = Extract<Sighting['found'], { readonly profile: Profile }>;

/** Fills the fields that a reading did not measure with known values, so that every event has a full profile. */
const completed = (state: AccountState, found: FoundProfile): FoundProfile & { readonly kept: Kept } => {
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
  const kept = keptMember(found.kept);
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

/** The event for the posts of a reading; null if it has no news. */
const postsSighted = (
  known: KnownPosts,
  found: FoundProfile,
  read: Read,
  platform: Platform,
): AccountEvent | null => {
  const { posts: foundPosts, postOrder: order = 'unknown', postsSince } = found;
  if (foundPosts === null) return null;
  const { posts, moved, isWhole } = postNews(known, foundPosts, {
    observedMs: Date.parse(read.observed_at),
    ripeMs: ripeMsOf(platform),
  });
  if (posts.length + moved.length === 0) return null;
  const span = postsSince === undefined || !isWhole ? null : { from: postsSince, to: read.observed_at };
  return { type: 'PostsSighted', data: { ...read, posts, moved, order, span } };
};

/** The state of an account as of a revision of its stream. */
export interface AccountSnapshot {
  readonly state: AccountState;
  readonly revision: bigint;
}

/**
 * Snapshots of account states, so that a decision need not read the stream. A snapshot may be behind: it is trusted
 * only if the append at its revision succeeds.
 */
export interface AccountSnapshots {
  /** Null if there is no snapshot, or if it may be incomplete. */
  find(platform: Platform, handle: string): Promise<AccountSnapshot | null>;
  /** Stores the state after a decision. */
  remember(platform: Platform, handle: string, snapshot: AccountSnapshot): void;
}

/** Serializes a state without its posts, which are in the digest of posts. */
export const packAccount = ({ posts: _, ...state }: AccountState): string => JSON.stringify(state);

export const unpackAccount = (packed: string): AccountState => ({ ...JSON.parse(packed), posts: noPosts });

/**
 * Keeps the most recently used states in memory, in front of another source.
 * @param max number of states; one with a hundred posts takes about 20 kB.
 */
export const withSnapshotCache = (source: Pick<AccountSnapshots, 'find'>, max = 1_000): AccountSnapshots => {
  // A map iterates over its keys in insertion order.
  const kept = new Map<string, AccountSnapshot>();
  const nameOf = (platform: Platform, handle: string) => `${platform}:${handle}`;
  const keep = (name: string, snapshot: AccountSnapshot) => {
    kept.delete(name);
    kept.set(name, snapshot);
    const oldest = kept.size > max ? kept.keys().next().value : undefined;
    if (oldest !== undefined) kept.delete(oldest);
  };
  return {
    find: async (platform, handle) => {
      const name = nameOf(platform, handle);
      const found = kept.get(name) ?? (await source.find(platform, handle));
      if (found !== null) keep(name, found);
      return found;
    },
    remember: (platform, handle, snapshot) => keep(nameOf(platform, handle), snapshot),
  };
};

const decider: Decider<AccountState, AccountEvent> = { initial: noAccount, evolve, window: WINDOW };

/** Maximum number of events read to complete a partial reading. Values older than these events are dropped. */
const REACH = 8 * WINDOW;

/** Whether a sighting has gaps that an older full profile fills. */
const leavesGaps = ({ found }: Sighting): boolean =>
  (found.status === 'active' || found.status === 'private') && isPartial(found.profile, found.measured);

/** The state of an account that was never read. An append that expects no stream verifies it. */
const NEVER_READ: Snapshot<AccountState> = { state: noAccount, revision: null, isAssumed: true };

/** A recorder for facts of the page, which go into the stream of the company or person; null without facts. */
const leadOf = async (
  log: EventLog,
  { facts, observedAt, source, surface }: Sighting,
  metadata: Metadata | undefined,
): Promise<LeadRecorder | null> =>
  facts === undefined
    ? null
    : openLeadRecorder(log, facts, { observed_at: observedAt, source, surface }, metadata);

/** Appends the account's events together with the pending facts. Each stream is atomic by itself. */
const appendWith =
  (log: EventLog, lead: LeadRecorder): EventLog['append'] =>
  async (stream, events, expected) => {
    const facts = lead.pending();
    if (facts === null) return log.append(stream, events, expected);
    const [own, other] = (await log.appendMany([{ stream, events, expected }, facts])) as [
      AppendOutcome,
      AppendOutcome,
    ];
    await lead.noted(other);
    return own;
  };

/**
 * Appends the events that a sighting adds. It is idempotent: the same sighting again adds nothing.
 * @param context.snapshots saves reading the stream of an account that has a snapshot.
 */
export const recordSighting = async (
  log: EventLog,
  platform: Platform,
  handle: string,
  sighting: Sighting,
  {
    snapshots,
    isNew = false,
    ...context
  }: {
    readonly nowMs: number;
    readonly metadata?: Metadata;
    readonly idOf?: (event: AccountEvent) => string;
    readonly snapshots?: AccountSnapshots | undefined;
    /** Whether the account was never read, to the caller's knowledge. */
    readonly isNew?: boolean;
  },
): Promise<Decision<AccountState, AccountEvent>> => {
  const lead = await leadOf(log, sighting, context.metadata);
  const decision = await handleCommand(
    log,
    leavesGaps(sighting) ? { ...decider, lacks: ({ seen }) => seen === null, reach: REACH } : decider,
    accountStream(platform, handle),
    (state) => decideSighting(state, sighting, platform),
    {
      ...context,
      snapshot: isNew ? NEVER_READ : ((await snapshots?.find(platform, handle)) ?? null),
      ...(lead === null ? {} : { append: appendWith(log, lead) }),
    },
  );
  await lead?.finish();
  const { state, outcome } = decision;
  if (outcome !== null) snapshots?.remember(platform, handle, { state, revision: outcome.revision });
  return decision;
};
