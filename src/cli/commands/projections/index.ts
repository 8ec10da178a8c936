import { Command } from 'commander';
import { dropCommand } from './drop.ts';
import { lagCommand } from './lag.ts';
import { listCommand } from './list.ts';
import { parkedCommand } from './parked.ts';
import { rebuildCommand } from './rebuild.ts';
import { skipCommand } from './skip.ts';
import { verifyCommand } from './verify.ts';

/** `sightline projections`: the read models and how they follow the log. */
export const projectionsCommand = (): Command => {
  const command = new Command('projections').description('the read models').addHelpText(
    'after',
    `
Examples:
  sightline projections list
  sightline projections lag --watch
  sightline projections rebuild directory                     readers go on meanwhile
  sightline projections rebuild directory --as-of 2026-11-01  a copy as it was then
  sightline projections verify directory                      is it what the log says?
  sightline projections parked list                           what waits in the dead-letter queue
  sightline projections skip 4711 --why "…"                   past an event that can't be taken in`,
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
