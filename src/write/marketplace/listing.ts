/** Listings and placements: events, observations, decisions, snapshots, and the recorder of batches. */

import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Clock } from '../../kernel/clock.ts';
import { uuidV5 } from '../../kernel/ids.ts';
import { type Platform, platformSchema } from '../../kernel/platform.ts';
import { MAX_KEY } from '../accounts/post.ts';
import { type Decider, handleCommand } from '../log/command-handler.ts';
import { address, count, type EventOf, event, instant, key, text } from '../log/event-definition.ts';
import type { Append, AppendOutcome, EventLog } from '../log/port.ts';

/** The ID of a listing is its source's name and its ID there, so that two sources never share one. */
export const listingId = (source: string, native: string): string => `${source}:${native}`;
export const listingStream = (id: string): string => `listing-${id}`;

/** Placements have streams of their own: a source may give one the ID of a listing. */
export const placementId = (source: string, native: string): string => `${source}/placement:${native}`;

/** The stream of a source's sweeps. */
export const sweepStream = (source: string): string => `listing-${source}/sweeps`;

/** Names of sources. They contain no separator, so no combination of source and ID equals another. */
export const SOURCE = /^[a-z0-9][a-z0-9.-]{0,99}$/;

/** The listing or placement of a stream. */
export const marketIdOf = (stream: string): string => stream.slice('listing-'.length);

export const MAX_TITLE = 1_000;
export const MAX_SELLER_NAME = 500;
export const MAX_URL = 4_096;
/** A billion dollars. */
export const MAX_PRICE_MICRO_USD = 1e15;

/** Micro-dollars, at most a billion dollars. */
const price = z.int().positive().max(MAX_PRICE_MICRO_USD);

const sellerSchema = z.strictObject({ id: key(MAX_KEY), name: text(MAX_SELLER_NAME).nullable() });
/** The seller. */
export type Seller = z.infer<typeof sellerSchema>;

/** The details of a listing besides its price. Null is a value that the source does not state. */
export const listingDetails = z.strictObject({
  /** Normalized. */
  handle: key(MAX_KEY).nullable(),
  title: text(MAX_TITLE).nullable(),
  /** As the seller states it. */
  followers: count.nullable(),
  seller: sellerSchema.nullable(),
  url: address(MAX_URL).nullable(),
  listed_at: instant.nullable(),
});
export type ListingDetails = z.infer<typeof listingDetails>;

/** The details of a placement besides its account and price. */
export const placementDetails = z.strictObject({
  followers: count.nullable(),
  /** Views that the offer states. */
  views: count.nullable(),
  seller: sellerSchema.nullable(),
  url: address(MAX_URL).nullable(),
});
export type PlacementDetails = z.infer<typeof placementDetails>;

export const listingEvents = {
  /** An account is offered for sale, for the first time or after it was withdrawn. */
  ListingPublished: event({
    observed_at: instant,
    source: key(100),
    /** ID at the source. */
    native: key(MAX_KEY),
    platform: platformSchema,
    /** Asking price in micro-dollars; null if it is on request. */
    price: price.nullable(),
    ...listingDetails.shape,
  }),
  /** The details of an offer, besides its price, have changed. All current values. */
  ListingRevised: event({ observed_at: instant, ...listingDetails.shape }),
  ListingRepriced: event({ observed_at: instant, price: price.nullable() }),
  /** @property price the price paid, in micro-dollars; null if the source does not state it. */
  ListingSold: event({ observed_at: instant, sold_at: instant.nullable(), price: price.nullable() }),
  ListingWithdrawn: event({ observed_at: instant }),
  /** A whole feed was read. The source's active listings are otherwise unchanged. */
  MarketplaceSwept: event({ observed_at: instant, source: key(100) }),
  /** An account offers paid posts. */
  PlacementListed: event({
    observed_at: instant,
    source: key(100),
    native: key(MAX_KEY),
    platform: platformSchema,
    handle: key(MAX_KEY),
    /** Price of one post in micro-dollars. */
    price,
    ...placementDetails.shape,
  }),
};

export type ListingEvent = EventOf<typeof listingEvents>;

export const LISTING_STATUSES = ['active', 'sold', 'withdrawn'] as const;
export type ListingStatus = (typeof LISTING_STATUSES)[number];

/** A listing as a source shows it. Prices are micro-dollars. */
export interface ListingObservation {
  readonly kind: 'listing';
  readonly source: string;
  /** ID at the source. */
  readonly native: string;
  readonly observedAt: string;
  readonly platform: Platform;
  readonly status: ListingStatus;
  readonly details: ListingDetails;
  /** The asking price; null if it is on request. */
  readonly price: number | null;
  /** For a sold listing; null is unknown. */
  readonly soldAt: string | null;
  readonly soldPrice: number | null;
}

/** A paid post that an account offers. */
export interface PlacementObservation extends PlacementDetails {
  readonly kind: 'placement';
  readonly source: string;
  readonly native: string;
  readonly observedAt: string;
  readonly platform: Platform;
  readonly handle: string;
  /** For one post. */
  readonly price: number;
}

export type MarketObservation = ListingObservation | PlacementObservation;

/** This many listings may be withdrawn at once, whatever share they are. */
const FEW = 10;
/** Maximum share of a source's active listings that one reading withdraws. */
const MAX_WITHDRAWN_SHARE = 0.2;

/**
 * Whether it is plausible that these listings have left their source. A truncated file, or a feed that ended early, looks like a
 * market that emptied: nothing is withdrawn then.
 */
export const isPlausibleWithdrawal = (
  { missing, active, seen }: { readonly missing: number; readonly active: number; readonly seen: number },
  maxShare: number = MAX_WITHDRAWN_SHARE,
): boolean => seen > 0 && missing <= Math.max(FEW, maxShare * active);

type Details = ListingDetails | PlacementDetails;

const DETAILS = listingDetails.keyof().options;
const OF_PLACEMENTS = placementDetails.keyof().options;

const perField = <Of extends Details>(fields: readonly (keyof Of)[], of: (field: keyof Of) => unknown): Of =>
  Object.fromEntries(fields.map((field): [PropertyKey, unknown] => [field, of(field)])) as unknown as Of;

/** The details among the other fields. */
const picked = <Of extends Details>(fields: readonly (keyof Of)[], from: Of): Of =>
  perField(fields, (field) => from[field]);

/** Values that the source does not state stay as they were, including the name of a known seller. */
const completed = <Of extends Details>(fields: readonly (keyof Of)[], shown: Of, known: Of): Of => {
  const all = perField<Of>(fields, (field) => shown[field] ?? known[field]);
  const isKnown = shown.seller?.name === null && shown.seller.id === known.seller?.id;
  return isKnown ? { ...all, seller: known.seller } : all;
};

/** The state of a listing, folded from its stream. */
export interface ListingState {
  /** Null before the listing was published. */
  readonly status: ListingStatus | null;
  /** Time of the last event. */
  readonly observedAt: string | null;
  readonly platform: Platform | null;
  readonly details: ListingDetails;
  readonly price: number | null;
  readonly soldAt: string | null;
  readonly soldPrice: number | null;
}

export const noListing: ListingState = {
  status: null,
  observedAt: null,
  platform: null,
  details: perField<ListingDetails>(DETAILS, () => null),
  price: null,
  soldAt: null,
  soldPrice: null,
};

export const evolveListing = (state: ListingState, event: ListingEvent): ListingState => {
  const { observed_at: observedAt } = event.data;
  switch (event.type) {
    case 'ListingPublished': {
      const { platform, price } = event.data;
      const details = picked(DETAILS, event.data);
      return { status: 'active', observedAt, platform, details, price, soldAt: null, soldPrice: null };
    }
    case 'ListingRevised':
      return { ...state, observedAt, details: picked(DETAILS, event.data) };
    case 'ListingRepriced':
      return { ...state, observedAt, price: event.data.price };
    case 'ListingSold': {
      const { sold_at: soldAt, price: soldPrice } = event.data;
      return { ...state, observedAt, status: 'sold', soldAt, soldPrice };
    }
    case 'ListingWithdrawn':
      return { ...state, observedAt, status: 'withdrawn' };
    case 'MarketplaceSwept':
    case 'PlacementListed':
      return state;
  }
};

/**
 * Whether an observation may add to the known state: it must be newer. Of two observations of the same instant the first counts.
 */
const isNews = (observedAt: string, known: string | null): boolean => known === null || observedAt > known;

/**
 * The events that an observation of a listing adds. None if nothing changed, if the observation is not newer than the last event,
 * or if it names another platform than before, which makes it another account's. A listing first seen as sold or withdrawn is
 * published as well. A sold listing that is withdrawn later stays sold.
 */
export const decideListing = (state: ListingState, shown: ListingObservation): readonly ListingEvent[] => {
  const { observedAt: observed_at, source, native, platform, status } = shown;
  if (!isNews(observed_at, state.observedAt)) return [];
  if (state.platform !== null && state.platform !== platform) return [];
  const details = completed(DETAILS, shown.details, state.details);
  const events: ListingEvent[] = [];
  if (state.status === null || (status === 'active' && state.status !== 'active')) {
    events.push({
      type: 'ListingPublished',
      data: { observed_at, source, native, platform, ...details, price: shown.price },
    });
  } else if (state.status === 'active') {
    if (!isDeepStrictEqual(details, state.details))
      events.push({ type: 'ListingRevised', data: { observed_at, ...details } });
    // A listing that is no longer offered need not have a price.
    const price = status === 'active' ? shown.price : (shown.price ?? state.price);
    if (price !== state.price) events.push({ type: 'ListingRepriced', data: { observed_at, price } });
  }
  if (status === 'sold') {
    const soldAt = shown.soldAt ?? state.soldAt;
    const soldPrice = shown.soldPrice ?? state.soldPrice;
    if (state.status !== 'sold' || soldAt !== state.soldAt || soldPrice !== state.soldPrice)
      events.push({ type: 'ListingSold', data: { observed_at, sold_at: soldAt, price: soldPrice } });
  }
  if (status === 'withdrawn' && state.status !== 'withdrawn' && state.status !== 'sold')
    events.push({ type: 'ListingWithdrawn', data: { observed_at } });
  return events;
};

/** Withdraws an active listing that its source no longer has. */
export const decideWithdrawal = (state: ListingState, observedAt: string): readonly ListingEvent[] =>
  state.status === 'active' && isNews(observedAt, state.observedAt)
    ? [{ type: 'ListingWithdrawn', data: { observed_at: observedAt } }]
    : [];

/** The last offer of a placement; null before the first. */
export type PlacementState = Omit<PlacementObservation, 'kind' | 'source' | 'native'> | null;

export const evolvePlacement = (state: PlacementState, event: ListingEvent): PlacementState => {
  if (event.type !== 'PlacementListed') return state;
  const { observed_at: observedAt, source: _source, native: _native, ...offer } = event.data;
  return { observedAt, ...offer };
};

export const decidePlacement = (
  state: PlacementState,
  shown: PlacementObservation,
): readonly ListingEvent[] => {
  const { observedAt: observed_at, kind: _, ...offer } = shown;
  if (state === null) return [{ type: 'PlacementListed', data: { observed_at, ...offer } }];
  const { handle, price, platform } = state;
  if (!isNews(observed_at, state.observedAt) || platform !== shown.platform) return [];
  const known = picked(OF_PLACEMENTS, state);
  const details = completed(OF_PLACEMENTS, shown, known);
  return handle === shown.handle && price === shown.price && isDeepStrictEqual(details, known)
    ? []
    : [{ type: 'PlacementListed', data: { observed_at, ...offer, ...details } }];
};

/** The state of an offer as of a revision of its stream. */
export interface OfferSnapshot<State> {
  readonly state: State;
  readonly revision: bigint;
}

/**
 * Snapshots of offers, so that a decision need not read the stream. A snapshot may be behind: it is trusted only if the
 * append at its revision succeeds.
 */
export interface MarketSnapshots {
  /** Snapshots by ID. Offers without one are absent. */
  listings(ids: readonly string[]): Promise<ReadonlyMap<string, OfferSnapshot<ListingState>>>;
  placements(ids: readonly string[]): Promise<ReadonlyMap<string, OfferSnapshot<PlacementState>>>;
}

/** Number of appended events, by type. */
export type Recorded = { readonly [Type in ListingEvent['type']]?: number };

export interface MarketRecorder {
  /** Appends the events that observations add to their streams. It is idempotent: the same observations again add nothing. */
  record(observations: readonly MarketObservation[]): Promise<Recorded>;
  /** Withdraws listings that their source no longer has, unless they were seen at that time or later. */
  withdraw(ids: readonly string[], observedAt: string): Promise<Recorded>;
  /** Records that the whole feed of a source was read, beginning at that time. */
  swept(source: string, observedAt: string): Promise<void>;
}

/** A decision on one offer. */
interface Command<State> {
  readonly id: string;
  readonly decide: (state: State) => readonly ListingEvent[];
}

/** A category of offers: how their states are folded and found. */
interface Offers<State> {
  readonly decider: Decider<State, ListingEvent>;
  readonly find: (ids: readonly string[]) => Promise<ReadonlyMap<string, OfferSnapshot<State>>>;
}

/** Newest events of a stream that a decision without a snapshot reads first. */
const WINDOW = 200;
/** Maximum events of an append, which is one transaction. */
const MAX_EVENTS = 500;
/** Maximum events that an observation adds. */
const MAX_EVENTS_OF_ONE = 3;
/** Streams that are read concurrently after a conflict. */
const AT_ONCE = 16;
/** Offers that are decided on together. */
const TOGETHER = 1_000;
/** Number of states kept in memory, for offers that occur again before the read model has them. */
const MAX_KEPT = 10_000;

/** A retry of the same decision on the same state is the same event. */
const eventId = (stream: string, revision: bigint, { type, data }: ListingEvent): string =>
  uuidV5(`${stream} ${revision} ${type} ${JSON.stringify(data)}`);

/** Events in order of time: each observation is decided on the state that those before it left. */
const decideAll =
  <State, Shown>(
    evolve: (state: State, event: ListingEvent) => State,
    decide: (state: State, shown: Shown) => readonly ListingEvent[],
    observations: readonly Shown[],
  ) =>
  (initial: State): readonly ListingEvent[] => {
    const events: ListingEvent[] = [];
    let state = initial;
    for (const shown of observations) {
      for (const event of decide(state, shown)) {
        events.push(event);
        state = evolve(state, event);
      }
    }
    return events;
  };

const addOutcomes = (into: Map<string, number>, events: readonly ListingEvent[]): void => {
  for (const { type } of events) into.set(type, (into.get(type) ?? 0) + 1);
};

/** Adds up counts by type. */
const sum = (all: readonly Recorded[]): Recorded => {
  const total: Record<string, number> = {};
  for (const counted of all)
    for (const [type, n] of Object.entries(counted)) total[type] = (total[type] ?? 0) + n;
  return total;
};

const isOwn = (outcome: AppendOutcome, after: bigint): boolean =>
  outcome.status === 'appended' && outcome.position > after;

/** Appends the events that commands decide, all in one call. Streams that have gone on are read. */
const handleSome = async <State>(
  log: EventLog,
  { decider, find }: Offers<State>,
  commands: readonly Command<State>[],
  kept: Map<string, OfferSnapshot<State>>,
  clock: Clock,
): Promise<Map<string, number>> => {
  const counted = new Map<string, number>();
  if (commands.length === 0) return counted;
  if (kept.size > MAX_KEPT) kept.clear();
  const found = await find(commands.map(({ id }) => id));
  /** The newer of two states: other processes may have recorded events after the state that this one keeps. */
  const baseOf = (id: string): OfferSnapshot<State> | null => {
    const [own, stored] = [kept.get(id), found.get(id)];
    if (own === undefined || stored === undefined) return own ?? stored ?? null;
    return own.revision >= stored.revision ? own : stored;
  };
  // If an interrupted run has already made an append, the answer is the same as then.
  const before = await log.head();
  const pending: { readonly command: Command<State>; readonly state: State; readonly append: Append }[] = [];
  const decided: (readonly ListingEvent[])[] = [];
  for (const command of commands) {
    const base = baseOf(command.id);
    const state = base?.state ?? decider.initial;
    const events = command.decide(state);
    if (events.length === 0) continue;
    const stream = listingStream(command.id);
    const revision = base?.revision ?? -1n;
    pending.push({
      command,
      state: events.reduce(decider.evolve, state),
      append: {
        stream,
        events: events.map((event, i) => ({ ...event, id: eventId(stream, revision + BigInt(i), event) })),
        expected: base === null ? 'no_stream' : base.revision,
      },
    });
    decided.push(events);
  }
  if (pending.length === 0) return counted;
  const outcomes = await log.appendMany(pending.map(({ append }) => append));
  const conflicts: Command<State>[] = [];
  for (const [i, outcome] of outcomes.entries()) {
    const { command, state } = pending[i] as (typeof pending)[number];
    if (outcome.status === 'conflict') {
      kept.delete(command.id);
      conflicts.push(command);
    } else {
      kept.set(command.id, { state, revision: outcome.revision });
      if (isOwn(outcome, before)) addOutcomes(counted, decided[i] as readonly ListingEvent[]);
    }
  }
  for (let from = 0; from < conflicts.length; from += AT_ONCE) {
    const group = conflicts.slice(from, from + AT_ONCE).map(async ({ id, decide }) => {
      const { state, events, outcome } = await handleCommand(log, decider, listingStream(id), decide, {
        nowMs: clock.now(),
      });
      if (outcome === null) return;
      kept.set(id, { state, revision: outcome.revision });
      addOutcomes(counted, events);
    });
    await Promise.all(group);
  }
  return counted;
};

/** Handles any number of commands on different offers. */
const handleAll = async <State>(
  log: EventLog,
  offers: Offers<State>,
  commands: readonly Command<State>[],
  kept: Map<string, OfferSnapshot<State>>,
  clock: Clock,
): Promise<Recorded> => {
  const counted: ReadonlyMap<string, number>[] = [];
  for (let from = 0; from < commands.length; from += TOGETHER)
    counted.push(await handleSome(log, offers, commands.slice(from, from + TOGETHER), kept, clock));
  return sum(counted.map((each) => Object.fromEntries(each)));
};

/** Observations by ID, in rounds. In each round, an offer has at most as many as one append takes. */
const byId = <Shown>(
  observations: readonly Shown[],
  idOf: (shown: Shown) => string,
): (readonly [string, Shown[]])[][] => {
  const rounds: Map<string, Shown[]>[] = [];
  const seen = new Map<string, number>();
  for (const shown of observations) {
    const id = idOf(shown);
    const n = seen.get(id) ?? 0;
    seen.set(id, n + 1);
    const round = Math.floor((MAX_EVENTS_OF_ONE * n) / MAX_EVENTS);
    let group = rounds[round];
    if (group === undefined) {
      group = new Map();
      rounds[round] = group;
    }
    const own = group.get(id);
    if (own === undefined) group.set(id, [shown]);
    else own.push(shown);
  }
  return rounds.map((group) => [...group]);
};

/** @param snapshots save reading the streams of offers that have one. An offer without a snapshot is first assumed to be new. */
export const createMarketRecorder = (
  log: EventLog,
  snapshots: MarketSnapshots,
  clock: Clock,
): MarketRecorder => {
  const listings: Offers<ListingState> = {
    decider: {
      initial: noListing,
      evolve: evolveListing,
      window: WINDOW,
      lacks: ({ platform }) => platform === null,
    },
    find: snapshots.listings,
  };
  const placements: Offers<PlacementState> = {
    decider: { initial: null, evolve: evolvePlacement, window: WINDOW },
    find: snapshots.placements,
  };
  const keptListings = new Map<string, OfferSnapshot<ListingState>>();
  const keptPlacements = new Map<string, OfferSnapshot<PlacementState>>();
  return {
    record: async (observations) => {
      const counted: Recorded[] = [];
      const ofKind = <Kind extends MarketObservation['kind']>(kind: Kind) =>
        observations.filter(
          (shown): shown is Extract<MarketObservation, { kind: Kind }> => shown.kind === kind,
        );
      for (const round of byId(ofKind('listing'), ({ source, native }) => listingId(source, native))) {
        const commands = round.map(([id, shown]: readonly [string, ListingObservation[]]) => ({
          id,
          decide: decideAll(evolveListing, decideListing, shown),
        }));
        counted.push(await handleAll(log, listings, commands, keptListings, clock));
      }
      for (const round of byId(ofKind('placement'), ({ source, native }) => placementId(source, native))) {
        const commands = round.map(([id, shown]: readonly [string, PlacementObservation[]]) => ({
          id,
          decide: decideAll(evolvePlacement, decidePlacement, shown),
        }));
        counted.push(await handleAll(log, placements, commands, keptPlacements, clock));
      }
      return sum(counted);
    },
    withdraw: async (ids, observedAt) => {
      const commands = ids.map((id) => ({
        id,
        decide: (state: ListingState) => decideWithdrawal(state, observedAt),
      }));
      return handleAll(log, listings, commands, keptListings, clock);
    },
    swept: async (source, observedAt) => {
      const stream = sweepStream(source);
      const data = { observed_at: observedAt, source };
      await log.append(
        stream,
        [{ id: uuidV5(`${stream} ${observedAt}`), type: 'MarketplaceSwept', data }],
        'any',
      );
    },
  };
};
