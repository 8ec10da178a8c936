import { createFaults } from '../faults.ts';
import type { Platform } from '../simulated-platforms.ts';
import type { accountTruth, banTruth, changesTruth, personTruth, seriesTruth } from '../truth/accounts.ts';
import type { listingTruth, placementTruth } from '../truth/leads.ts';
import type { followsTruth, postsTruth } from '../truth/posts.ts';
import { type TruthQuery, truthRows } from '../truth/rows.ts';
import type { Parameters } from '../world/parameters.ts';
import type { World } from '../world/world.ts';

/** Rows of the lists of `/truth`. */
interface Rows {
  accounts: ReturnType<typeof accountTruth>;
  bans: NonNullable<ReturnType<typeof banTruth>>;
  changes: ReturnType<typeof changesTruth>;
  series: ReturnType<typeof seriesTruth>;
  people: ReturnType<typeof personTruth>;
  posts: ReturnType<typeof postsTruth>[number];
  followers: ReturnType<typeof followsTruth>[number];
  follows: { readonly index: number; readonly follows: readonly number[] };
  listings: NonNullable<ReturnType<typeof listingTruth>>;
  placements: NonNullable<ReturnType<typeof placementTruth>>;
  communities: { readonly number: number; readonly size: number; readonly state: string };
  purges: { readonly platform: Platform; readonly at: string; readonly loss: number };
}

/** Reads the truth of a world as a client of `/truth` would. */
export interface TruthReader {
  readonly parameters: Parameters;
  /** Persons per platform. */
  readonly size: number;
  /** The time at which everything is measured unless a query says otherwise. */
  readonly at: number;
  read<L extends keyof Rows>(
    list: L,
    path: readonly (string | number)[],
    query?: Partial<TruthQuery>,
  ): readonly Rows[L][];
}

export const createReader = (world: World, seed: number, at: number): TruthReader => {
  const source = { world, faults: createFaults(seed) };
  return {
    parameters: world.parameters,
    size: world.size,
    at,
    read: (list, path, query = {}) => {
      const { from = 0, limit = 1e9, weeks = 53 } = query;
      const page = truthRows(source, [list, ...path.map(String)], { from, limit, weeks, at: query.at ?? at });
      if (!page) throw new RangeError(`/truth has no ${list}`);
      return [...page.rows] as Rows[typeof list][];
    },
  };
};

export type AccountRow = Rows['accounts'];
