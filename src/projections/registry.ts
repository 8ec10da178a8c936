import { accounts } from './accounts.ts';
import { directory } from './directory/index.ts';
import { frontier } from './frontier.ts';
import { holders } from './holders.ts';
import type { Projection } from './projection.ts';

/** Every projection that this program keeps. */
export const projections: readonly Projection[] = [accounts, directory, frontier, holders];
