import { isoOf, systemClock } from '../../kernel/clock.ts';
import { activeBuild } from '../../projections/builds.ts';
import { holders } from '../../projections/holders.ts';
import {
  findHolder,
  findKey,
  type HolderListing,
  type HolderTerms,
  type KeyListing,
  listHolders,
  listKeys,
} from '../../read/holders.ts';
import { decideOn } from '../../write/command.ts';
import { type HolderDecision, holderDecider } from '../../write/holders/decide.ts';
import { type HolderEvent, holderStream } from '../../write/holders/events.ts';
import type { Program } from './open.ts';
import { projected } from './projected.ts';

/** Schema of the holders' read model, with everything in it that the log has by now. */
export const currentSchema = async (program: Program): Promise<string> => {
  await projected(program, await program.log.head());
  return (await activeBuild(program.db, holders.name, holders.version))?.schema ?? '';
};

export const readHolders = async (program: Program): Promise<readonly HolderListing[]> =>
  listHolders(program.db, await currentSchema(program));

export const readHolder = async (program: Program, holder: string): Promise<HolderTerms | null> =>
  findHolder(program.db, await currentSchema(program), holder);

export const readKeys = async (program: Program, holder: string | null): Promise<readonly KeyListing[]> =>
  listKeys(program.db, await currentSchema(program), holder);

export const readKey = async (program: Program, keyId: string): Promise<KeyListing | null> =>
  findKey(program.db, await currentSchema(program), keyId);

/**
 * Carries out a holder's command. What it changed holds, for every reader, when this returns.
 * @param onAppended told what was written as soon as the log has it: what can be shown only once is not to wait for a
 * read model, which may not follow.
 * @returns what was written; nothing where all was so already.
 * @throws {UsageError} where the command is refused.
 */
export const changeHolder = async (
  program: Program,
  holder: string,
  decisionAt: (at: string) => HolderDecision,
  onAppended: () => void = () => undefined,
): Promise<readonly HolderEvent[]> => {
  const nowMs = systemClock.now();
  const { events, outcome } = await decideOn(
    program.log,
    holderDecider,
    holderStream(holder),
    decisionAt(isoOf(nowMs)),
    { nowMs },
  );
  if (outcome === null) return events;
  onAppended();
  await projected(program, outcome.position);
  return events;
};
