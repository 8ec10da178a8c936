import type { Platform } from '../../kernel/platform.ts';
import { type LeadRecorder, openLeadRecorder } from '../leads/record.ts';
import { type Decider, type Decision, handleCommand, type Snapshot } from '../log/command-handler.ts';
import type { AppendOutcome, EventLog, Metadata } from '../log/port.ts';
import { type AccountState, decideSighting, evolve, noAccount, type Sighting, WINDOW } from './decide.ts';
import { type AccountEvent, accountStream } from './events.ts';
import { isPartial } from './profile.ts';
import type { AccountSnapshots } from './snapshot.ts';

const decider: Decider<AccountState, AccountEvent> = { initial: noAccount, evolve, window: WINDOW };

/** Maximum events read to complete a partial reading; values older than that are dropped. */
const REACH = 8 * WINDOW;

/** Whether a sighting has gaps that an older full profile fills. */
const leavesGaps = ({ found }: Sighting): boolean =>
  (found.status === 'active' || found.status === 'private') && isPartial(found.profile, found.measured);

/** The state of an account that was never read, which an append without a stream proves. */
const NEVER_READ: Snapshot<AccountState> = { state: noAccount, revision: null, isAssumed: true };

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
    isNew = false,
    ...context
  }: {
    readonly nowMs: number;
    readonly metadata?: Metadata;
    readonly idOf?: (event: AccountEvent) => string;
    readonly snapshots?: AccountSnapshots | undefined;
    /** Whether the account was never read, as far as the caller knows. */
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
