import { Command } from 'commander';
import type { Skip } from '../../../operations/projections/skip.ts';
import { positionArg } from '../../parse/position-arg.ts';
import { projectionNames } from '../../parse/projection-arg.ts';
import { withRuntime } from '../../with-runtime.ts';

interface Options {
  readonly reason: string;
  readonly projection?: readonly string[];
}

/** A skip for people. */
export const skipLines = ({ projection, event, isNew, wasParked, isServed }: Skip): readonly string[] => {
  const { position, type, stream } = event;
  const lines = [
    isNew
      ? `${projection} now skips position ${position} (${type} in ${stream}).`
      : `${projection} already skips position ${position}.`,
  ];
  if (wasParked) lines.push(`The events after it in ${stream} were parked, and are applied now.`);
  else if (isServed)
    lines.push(`The served rows contain it; to remove it: sightline projections rebuild ${projection}`);
  return lines;
};

/** `sightline projections skip`: the way past an event that can't be applied. */
export const skipCommand = (): Command =>
  new Command('skip')
    .description('have projections skip an event, now and in every rebuild')
    .argument('<position>', 'position of the event in the log', positionArg)
    .requiredOption('--reason <text>', 'the reason, which the log keeps')
    .option(
      '--projection <name...>',
      `only these; all that subscribe to the event where not given (${projectionNames})`,
    )
    .addHelpText(
      'after',
      `
The skip is an event itself, in the stream projection-<name>: rebuilds, verifications and copies skip the event too.
A projection that is stalled at the event resumes within seconds.

Examples:
  sightline projections lag     which projections are stalled, where and why
  sightline projections skip 4711 --reason "written by a broken build of 12 May"
  sightline projections skip 4711 --projection directory --reason "renames in a circle"`,
    )
    .action((position: bigint, { reason, projection }: Options) =>
      withRuntime(async (runtime) => {
        const { skipEvent } = await import('../../../operations/projections/skip.ts');
        for (const skip of await skipEvent(runtime, { position, reason, projections: projection })) {
          for (const line of skipLines(skip)) console.log(line);
        }
      }),
    );
