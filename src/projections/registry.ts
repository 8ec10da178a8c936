import type { Projection } from './projection.ts';
import { accounts } from './views/accounts/projection.ts';
import { directory } from './views/directory/projection.ts';
import { frontier } from './views/frontier/projection.ts';
import { holders } from './views/holders/projection.ts';

/** Every projection that this program keeps; their names are in `names.ts`. */
export const projections: readonly Projection[] = [accounts, directory, frontier, holders];
