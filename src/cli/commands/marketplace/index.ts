import { Command } from 'commander';
import { importCommand } from './import.ts';

/** `sightline marketplace`: accounts and posts that are for sale. */
export const marketplaceCommand = (): Command =>
  new Command('marketplace')
    .description('accounts and paid posts that are for sale')
    .addCommand(importCommand());
