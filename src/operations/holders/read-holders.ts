import { isoOf, systemClock } from '../../kernel/clock.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { holders } from '../../projections/views/holders/projection.ts';
import {
  findHolder,
  findKey,
  type HolderListing,
  type HolderTerms,
  type KeyListing,
  listHolders,
  listKeys,
} from '../../read/holders/holders.ts';
import type { Runtime } from '../../runtime/open-runtime.ts';
import { type HolderDecision, holderDecider } from '../../write/holders/decide.ts';
import { type HolderEvent, holderStream } from '../../write/holders/events.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import { waitForProjections } from '../projections/wait-for-projections.ts';

/** Schema of the holders' read model, with everything in it that the log has by now. */
export const currentSchema = async (runtime: Runtime): Promise<string> => {
  await waitForProjections(runtime, await runtime.log.head());
  return (await activeBuild(runtime.db, holders.name, holders.version))?.schema ?? '';
};

export const readHolders = async (runtime: Runtime): Promise<readonly HolderListing[]> =>
  listHolders(runtime.db, await currentSchema(runtime));

export const readHolder = async (runtime: Runtime, holder: string): Promise<HolderTerms | null> =>
  findHolder(runtime.db, await currentSchema(runtime), holder);

export const readKeys = async (runtime: Runtime, holder: string | null): Promise<readonly KeyListing[]> =>
  listKeys(runtime.db, await currentSchema(runtime), holder);

export const readKey = async (runtime: Runtime, keyId: string): Promise<KeyListing | null> =>
  findKey(runtime.db, await currentSchema(runtime), keyId);

/**
 * Carries out a holder's command. What it changed holds, for every reader, when this returns.
 * @param onAppended told what was written as soon as the log has it: what can be shown only once is not to wait for a
 * read model, which may not follow.
 * @returns what was written; nothing where all was so already.
 * @throws {OperatorError} where the command is refused.
 */
export const changeHolder = async (
  runtime: Runtime,
  holder: string,
  decisionAt: (at: string) => HolderDecision,
  onAppended: () => void = () => undefined,
): Promise<readonly HolderEvent[]> => {
  const nowMs = systemClock.now();
  const { events, outcome } = await handleCommand(
    runtime.log,
    holderDecider,
    holderStream(holder),
    decisionAt(isoOf(nowMs)),
    { nowMs },
  );
  if (outcome === null) return events;
  onAppended();
  await waitForProjections(runtime, outcome.position);
  return events;
};
