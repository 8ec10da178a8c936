import { uuidV7 } from '../../kernel/ids.ts';
import type { Platform } from '../../kernel/platform.ts';
import { type LeadRecorder, openLeadRecorder } from '../leads/record.ts';
import { type Decider, type Decision, handleCommand, type Snapshot } from '../log/command-handler.ts';
import type { AppendOutcome, EventLog, Metadata } from '../log/port.ts';
import {
  type AccountState,
  decideDiscovery,
  decideSighting,
  evolve,
  noAccount,
  type Sighting,
  WINDOW,
} from './decide.ts';
import { type AccountEvent, type AccountEventData, accountStream } from './events.ts';
import { isPartial } from './merge.ts';
import type { AccountSnapshots } from './snapshot.ts';

const decider: Decider<AccountState, AccountEvent> = { initial: noAccount, evolve, window: WINDOW };

/** Maximum events read to complete a partial reading; values older than that are dropped. */
const REACH = 8 * WINDOW;

/** Whether a sighting has gaps that an older full profile fills. */
const leavesGaps = ({ found }: Sighting): boolean =>
  (found.status === 'active' || found.status === 'private') && isPartial(found.profile, found.measured);

/**
 * The state of an account that was discovered and never read. A stream whose account has a pool begins with its
 * discovery, or has a later event that recruited it: an append at the first revision proves the former.
 */
const NEVER_READ: Snapshot<AccountState> = {
  state: { ...noAccount, exists: true },
  revision: 0n,
  isAssumed: true,
};

/** Facts of the page go into the stream of the company or person. */
const leadOf = async (
  log: EventLog,
  { facts, observedAt, source, surface }: Sighting,
  metadata: Metadata | undefined,
): Promise<LeadRecorder | null> =>
  facts === undefined
    ? null
    : openLeadRecorder(log, facts, { observed_at: observedAt, source, surface }, metadata);

/** Appends the account's events together with the facts that are pending: each stream is atomic by itself. */
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
 * Appends what a sighting adds. Idempotent: the same sighting again adds nothing.
 * @param context.snapshots saves reading the stream of an account that has one.
 */
export const recordSighting = async (
  log: EventLog,
  platform: Platform,
  handle: string,
  sighting: Sighting,
  {
    snapshots,
    leased = false,
    ...context
  }: {
    readonly nowMs: number;
    readonly metadata?: Metadata;
    readonly idOf?: (event: AccountEvent) => string;
    readonly snapshots?: AccountSnapshots | undefined;
    /** Whether a pool has the account, as it has every account of the frontier. */
    readonly leased?: boolean;
  },
): Promise<Decision<AccountState, AccountEvent>> => {
  const lead = await leadOf(log, sighting, context.metadata);
  const decision = await handleCommand(
    log,
    leavesGaps(sighting) ? { ...decider, lacks: ({ seen }) => seen === null, reach: REACH } : decider,
    accountStream(platform, handle),
    (state) => decideSighting(state, sighting),
    {
      ...context,
      snapshot: (await snapshots?.find(platform, handle)) ?? (leased ? NEVER_READ : null),
      ...(lead === null ? {} : { append: appendWith(log, lead) }),
    },
  );
  await lead?.finish();
  const { state, outcome } = decision;
  if (outcome !== null) snapshots?.remember(platform, handle, { state, revision: outcome.revision });
  return decision;
};

/** An account to recruit for a pool, and why. */
export interface Discovery {
  readonly platform: Platform;
  readonly handle: string;
  readonly data: AccountEventData['AccountDiscovered'];
}

/** Streams that are checked concurrently. */
const AT_ONCE = 16;

/** Recruits an account whose stream exists, unless it has a pool. @returns whether it was recruited. */
const recruitKnown = async (log: EventLog, { platform, handle, data }: Discovery): Promise<boolean> => {
  const stream = accountStream(platform, handle);
  // Nearly every stream begins with its discovery, so that one event decides.
  const [first] = await log.readStream(stream, { limit: 1 });
  if (first?.type === 'AccountDiscovered') return false;
  const { events } = await handleCommand(
    log,
    { ...decider, lacks: ({ pool }) => pool === null },
    stream,
    (state) => decideDiscovery(state, data),
    { nowMs: Date.parse(data.observed_at) },
  );
  return events.length > 0;
};

/**
 * Discovers accounts without a stream, and recruits those that were read before any pool had them. The first of
 * several recruiters wins.
 * @returns how many accounts were recruited.
 */
export const recordDiscoveries = async (log: EventLog, found: readonly Discovery[]): Promise<number> => {
  const outcomes = await log.appendMany(
    found.map(({ platform, handle, data }) => {
      const stream = accountStream(platform, handle);
      const events = decideDiscovery(noAccount, data);
      // A new ID each time: with a reused one the log would report a later discovery as the first one.
      return {
        stream,
        events: events.map((e) => ({ id: uuidV7(Date.parse(data.observed_at)), ...e })),
        expected: 'no_stream',
      };
    }),
  );
  const known = found.filter((_, i) => outcomes[i]?.status === 'conflict');
  let taken = outcomes.length - known.length;
  for (let from = 0; from < known.length; from += AT_ONCE) {
    const group = known.slice(from, from + AT_ONCE).map((discovery) => recruitKnown(log, discovery));
    taken += (await Promise.all(group)).filter(Boolean).length;
  }
  return taken;
};
