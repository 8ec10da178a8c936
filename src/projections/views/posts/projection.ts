import { FIGURES_WINDOW_DAYS } from '../../../analysis/account-figures.ts';
import { binOf } from '../../../kernel/log-bins.ts';
import { versionPerPlatform } from '../../../kernel/platform.ts';
import { type AccountEvent, accountOf } from '../../../write/accounts/events.ts';
import { evolveOwner, isTakenOver } from '../../../write/accounts/owner.ts';
import {
  type AppliedEvent,
  dispatch,
  type Fold,
  type Handlers,
  type ProjectedEvent,
  type Projection,
  typesOf,
} from '../../projection.ts';
import { type AccountPosts, clearPosts, emptyPosts, noteSize, sightPosts } from './account-posts.ts';
import { retainChunks } from './chunk-list.ts';
import { createStore, type State } from './post-store.ts';
import { indexes, tables } from './tables.ts';

type Sighting = ProjectedEvent<'AccountSighted' | 'AccountUnchanged' | 'AccountUnavailable' | 'PostsSighted'>;

const DAY_MS = 86_400_000;

/** Notes an event that concerns posts or the owner. */
const note = (account: AccountPosts, event: Sighting): void => {
  account.owner = evolveOwner(account.owner, event as AccountEvent);
  account.revision = Number(event.revision);
  anchor(account, event);
};

/** Figures and retention refer to the newest sighting. */
const anchor = (account: AccountPosts, { data }: Sighting): void => {
  account.observedMs = Math.max(account.observedMs, Date.parse(data.observed_at));
  retainChunks(account.chunks, account.observedMs);
};

/** Whether figures of an account are as of an earlier day, and may be others by now: its window moves with each sighting. */
const isOtherDay = ({ digest, observedMs }: AccountPosts, sightedMs: number): boolean => {
  if (Math.floor(sightedMs / DAY_MS) <= Math.floor(observedMs / DAY_MS)) return false;
  const fromMs = observedMs - FIGURES_WINDOW_DAYS * DAY_MS;
  for (const { atMs } of digest.values()) if (atMs !== null && atMs > fromMs) return true;
  return false;
};

/** Whether followers moved by more than the counts tell apart. Smaller moves would rewrite the row at each reading. */
const isOtherBin = (before: number | null, after: number | null): boolean =>
  before === null || after === null ? before !== after : binOf(before) !== binOf(after);

const handlers: Handlers<State> = {
  AccountSighted: (state, event) => {
    const account = state.change(event.stream);
    const { profile } = event.data;
    if (isTakenOver(account.owner, profile)) clearPosts(account);
    account.isGone = false;
    noteSize(account, profile.followers, Date.parse(event.data.observed_at));
    note(account, event);
  },
  AccountUnchanged: (state, event) => {
    const known = state.account(event.stream);
    const { isGone, followers: before } = known;
    const { followers = before } = event.data.moved;
    const isMoved = isOtherBin(before, followers) || isOtherDay(known, Date.parse(event.data.observed_at));
    if (!isGone && !isMoved) return;
    const account = state.change(event.stream);
    account.isGone = false;
    noteSize(account, followers, Date.parse(event.data.observed_at));
    if (isGone) note(account, event);
    else anchor(account, event);
  },
  AccountUnavailable: (state, event) => {
    const account = state.change(event.stream);
    account.isGone = true;
    note(account, event);
  },
  PostsSighted: (state, event) => {
    const account = state.change(event.stream);
    sightPosts(account, event.data);
    account.postsRevision = Number(event.revision);
    note(account, event);
  },
};

const apply = dispatch(handlers);

/**
 * The posts of one account after its events, in memory: what the view has of it, without a database.
 * @param events of one stream, in its order.
 */
export const accountPostsAfter = (stream: string, events: Iterable<AppliedEvent>): AccountPosts => {
  const { platform, handle } = accountOf(stream);
  const account = emptyPosts(platform, handle);
  const state: State = { account: () => account, change: () => account };
  for (const event of events) apply(state, event);
  return account;
};

const open = (schema: string): Fold => {
  let store = createStore(schema);
  return {
    load: (db, events) => store.load(db, events),
    apply: (event) => apply(store.state, event),
    store: (db) => store.write(db),
    // Every row may change again until the cache is full.
    building: { flush: async () => undefined, isFull: () => store.isFull() },
    reset: () => {
      store = createStore(schema);
    },
  };
};

/** Posts by handle: their content, a digest of the newest ones, and distributions of figures over accounts. */
export const posts: Projection = {
  name: 'posts',
  version: versionPerPlatform(2),
  order: 'stream',
  types: typesOf(handlers),
  streamPrefixes: ['account-'],
  parks: ['account-'],
  tables,
  indexes,
  open,
};
