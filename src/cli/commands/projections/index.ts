import { Command } from 'commander';
import { dropCommand } from './drop.ts';
import { lagCommand } from './lag.ts';
import { listCommand } from './list.ts';
import { parkedCommand } from './parked.ts';
import { rebuildCommand } from './rebuild.ts';
import { skipCommand } from './skip.ts';
import { verifyCommand } from './verify.ts';

/** `sightline projections`: the read models. */
export const projectionsCommand = (): Command => {
  const command = new Command('projections').description('the read models').addHelpText(
    'after',
    `
Examples:
  sightline projections list
  sightline projections lag --watch
  sightline projections rebuild directory                     reads continue
  sightline projections rebuild directory --as-of 2026-11-01  a point-in-time copy
  sightline projections verify directory                      does it match the event log?
  sightline projections parked list                           the dead-letter queue
  sightline projections skip 4711 --reason "…"                past an event that can't be applied`,
  );
  const makers = [
    listCommand,
    lagCommand,
    rebuildCommand,
    verifyCommand,
    parkedCommand,
    skipCommand,
    dropCommand,
  ];
  for (const make of makers) command.addCommand(make());
  return command;
};
