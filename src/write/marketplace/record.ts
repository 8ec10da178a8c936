import type { Clock } from '../../kernel/clock.ts';
import { uuidV5 } from '../../kernel/ids.ts';
import { type Decider, handleCommand } from '../log/command-handler.ts';
import type { Append, AppendOutcome, EventLog } from '../log/port.ts';
import {
  decideListing,
  decidePlacement,
  decideWithdrawal,
  evolveListing,
  evolvePlacement,
  type ListingState,
  noListing,
  type PlacementState,
} from './decide.ts';
import { type ListingEvent, listingId, listingStream, placementId, sweepStream } from './events.ts';
import type { ListingObservation, MarketObservation, PlacementObservation } from './observation.ts';
import type { MarketSnapshots, OfferSnapshot } from './snapshot.ts';

/** Events that were appended, by type. */
export type Recorded = { readonly [Type in ListingEvent['type']]?: number };

export interface MarketRecorder {
  /** Appends what observations add to their streams. Idempotent: the same ones again add nothing. */
  record(observations: readonly MarketObservation[]): Promise<Recorded>;
  /** Withdraws listings that their source no longer has, unless they were seen at that time or later. */
  withdraw(ids: readonly string[], observedAt: string): Promise<Recorded>;
  /** Notes that the whole feed of a source was read, from that time on. */
  swept(source: string, observedAt: string): Promise<void>;
}

/** What is decided on one offer. */
interface Command<State> {
  readonly id: string;
  readonly decide: (state: State) => readonly ListingEvent[];
}

/** A category of offers: how their states are made and found. */
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
/** States kept in memory, for offers that occur again before the read model has them. */
const MAX_KEPT = 10_000;

/** A retry of the same decision on the same state is the same event. */
const eventId = (stream: string, revision: bigint, { type, data }: ListingEvent): string =>
  uuidV5(`${stream} ${revision} ${type} ${JSON.stringify(data)}`);

/** Events of one instant after another: each observation is decided on what those before it left. */
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

const count = (into: Map<string, number>, events: readonly ListingEvent[]): void => {
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

/** Appends what commands decide, in one call for all of them; streams that have gone on are read. */
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
  /** The newer one: other processes may have recorded what this one keeps an older state of. */
  const baseOf = (id: string): OfferSnapshot<State> | null => {
    const [own, stored] = [kept.get(id), found.get(id)];
    if (own === undefined || stored === undefined) return own ?? stored ?? null;
    return own.revision >= stored.revision ? own : stored;
  };
  // Appends that an interrupted run made already are answered as they were then.
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
      if (isOwn(outcome, before)) count(counted, decided[i] as readonly ListingEvent[]);
    }
  }
  for (let from = 0; from < conflicts.length; from += AT_ONCE) {
    const group = conflicts.slice(from, from + AT_ONCE).map(async ({ id, decide }) => {
      const { state, events, outcome } = await handleCommand(log, decider, listingStream(id), decide, {
        nowMs: clock.now(),
      });
      if (outcome === null) return;
      kept.set(id, { state, revision: outcome.revision });
      count(counted, events);
    });
    await Promise.all(group);
  }
  return counted;
};

/** Handles any number of commands, of different offers. */
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

/** Observations by ID, each in rounds: of a round no offer has more than an append takes. */
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

/** @param snapshots save reading the streams of offers that have one; an offer without is taken for a new one first. */
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
