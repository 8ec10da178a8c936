import { isoOf, systemClock } from '../../kernel/clock.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { holders } from '../../projections/views/holders/projection.ts';
import {
  type HolderDecision,
  type HolderEvent,
  holderDecider,
  holderStream,
} from '../../write/holders/holder.ts';
import { handleCommand } from '../../write/log/command-handler.ts';
import type { OperationsContext } from '../context.ts';
import { waitForProjection } from '../projections/wait-for-projection.ts';

/** Schema of the holders' read model, up to date with the event log. */
export const currentSchema = async (context: OperationsContext): Promise<string> => {
  await waitForProjection(context, holders, await context.log.head());
  return (await activeBuild(context.db, holders.name, holders.version))?.schema ?? '';
};

/**
 * Carries out a command on a holder. When it returns, the change is visible to every reader.
 * @param onAppended called as soon as the event log has the events: what can be shown only once does not wait for the
 * read model, which might be stalled.
 * @returns the events; none where nothing had to change.
 * @throws {OperatorError} where the command is refused.
 */
export const changeHolder = async (
  context: OperationsContext,
  holder: string,
  decisionAt: (at: string) => HolderDecision,
  onAppended: () => void = () => undefined,
): Promise<readonly HolderEvent[]> => {
  const nowMs = systemClock.now();
  const { events, outcome } = await handleCommand(
    context.log,
    holderDecider,
    holderStream(holder),
    decisionAt(isoOf(nowMs)),
    { nowMs },
  );
  if (outcome === null) return events;
  onAppended();
  await waitForProjection(context, holders, outcome.position);
  return events;
};
