import type { Projection } from './projection.ts';
import { accounts } from './views/accounts/projection.ts';
import { directory } from './views/directory/projection.ts';
import { engines } from './views/engines/projection.ts';
import { follows } from './views/follows/projection.ts';
import { frontier } from './views/frontier/projection.ts';
import { handles } from './views/handles/projection.ts';
import { holders } from './views/holders/projection.ts';
import { ladders } from './views/ladders/projection.ts';
import { leads } from './views/leads/projection.ts';
import { listings } from './views/listings/projection.ts';
import { people } from './views/people/projection.ts';
import { poolStats } from './views/pool-stats/projection.ts';
import { pools } from './views/pools/projection.ts';
import { posts } from './views/posts/projection.ts';
import { research } from './views/research/projection.ts';

/** The projections of this program; `names.ts` has their names. */
export const projections: readonly Projection[] = [
  accounts,
  directory,
  engines,
  follows,
  frontier,
  handles,
  holders,
  ladders,
  leads,
  listings,
  people,
  poolStats,
  pools,
  posts,
  research,
];
