import { uuidV7 } from '../../kernel/ids.ts';
import type { Platform } from '../../kernel/platform.ts';
import { type Decider, type Decision, decideOn } from '../command.ts';
import type { EventLog, Metadata } from '../log/port.ts';
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

const decider: Decider<AccountState, AccountEvent> = { initial: noAccount, evolve, window: WINDOW };

/** Appends what a sighting adds to what is known; the same sighting twice adds nothing the second time. */
export const recordSighting = (
  log: EventLog,
  platform: Platform,
  handle: string,
  sighting: Sighting,
  context: { readonly nowMs: number; readonly metadata?: Metadata },
): Promise<Decision<AccountState, AccountEvent>> =>
  decideOn(
    log,
    decider,
    accountStream(platform, handle),
    (state) => decideSighting(state, sighting),
    context,
  );

/**
 * Appends discoveries of accounts that have no stream yet; those that have one are known already.
 * @returns how many were new.
 */
export const recordDiscoveries = async (
  log: EventLog,
  found: readonly {
    readonly platform: Platform;
    readonly handle: string;
    readonly data: AccountEventData['AccountDiscovered'];
  }[],
): Promise<number> => {
  const outcomes = await log.appendMany(
    found.map(({ platform, handle, data }) => {
      const stream = accountStream(platform, handle);
      const events = decideDiscovery(noAccount, data);
      // An id of its own each time: with the same one, a second discovery would pass for the first, taken.
      return {
        stream,
        events: events.map((e) => ({ id: uuidV7(Date.parse(data.observed_at)), ...e })),
        expected: 'no_stream',
      };
    }),
  );
  return outcomes.filter((outcome) => outcome.status === 'appended').length;
};
