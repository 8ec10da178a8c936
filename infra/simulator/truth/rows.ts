import { z } from 'zod';
import { isoOf } from '../../../src/kernel/clock.ts';
import { faultTruth } from '../fault-plan.ts';
import type { Faults } from '../faults.ts';
import { PLATFORMS, type Platform, platformSchema } from '../simulated-platforms.ts';
import { DAY } from '../world/account.ts';
import type { World } from '../world/world.ts';
import { accountTruth, banTruth, changesTruth, effectsTruth, personTruth, seriesTruth } from './accounts.ts';
import { companyTruth, decisionMakerTruth, listingTruth, placementTruth } from './leads.ts';
import { followsTruth, postsTruth } from './posts.ts';

export interface TruthSource {
  readonly world: World;
  readonly faults: Faults;
}

export interface TruthQuery {
  readonly from: number;
  readonly limit: number;
  readonly at: number;
  readonly weeks: number;
}

/** A part of a list: positions that have no row are left out. */
export interface TruthPage {
  readonly rows: Iterable<unknown>;
  /** Where the next part begins; null at the end. */
  readonly next: number | null;
}

const page = (total: number, { from, limit }: TruthQuery, row: (n: number) => unknown): TruthPage => {
  const end = Math.min(total, from + limit);
  return {
    rows: (function* () {
      for (let n = from; n < end; n++) {
        const made = row(n);
        if (made !== null) yield made;
      }
    })(),
    next: end < total ? end : null,
  };
};

const listed = (rows: readonly unknown[], total: number, { from, limit }: TruthQuery): TruthPage => ({
  rows,
  next: from + limit < total ? from + limit : null,
});

const index = z.coerce.number().int().min(0);
const PURGES_FROM = Date.UTC(2014, 0, 1);

/** Rows by account of a platform. */
const BY_ACCOUNT = {
  accounts: accountTruth,
  effects: effectsTruth,
  bans: banTruth,
  changes: changesTruth,
} as const;

/**
 * A list of the truth: `accounts x`, `people`, `posts x 17`, `followers x 17`, `bans x` and so on.
 * @returns null if there is no such list.
 * @throws {z.ZodError} if a platform or a number is malformed.
 */
export const truthRows = (
  { world, faults }: TruthSource,
  [list = '', ...rest]: readonly string[],
  query: TruthQuery,
): TruthPage | null => {
  const { at, from, limit } = query;
  const { hidden, market } = world;
  const of = (): Platform => platformSchema.parse(rest[0]);
  const one = (): number => index.max(world.count(of()) - 1).parse(rest[1]);
  switch (list) {
    case 'accounts':
    case 'effects':
    case 'bans':
    case 'changes': {
      const platform = of();
      // Companies have accounts and nothing else.
      const total = list === 'accounts' ? world.count(platform) : world.size;
      return page(total, query, (n) => BY_ACCOUNT[list](world, platform, n, at));
    }
    case 'series': {
      const platform = of();
      return page(world.size, query, (n) => seriesTruth(world, platform, n, at, query.weeks));
    }
    case 'follows': {
      const platform = of();
      return page(world.size, query, (n) => ({ index: n, follows: hidden.follows(platform, n, at) }));
    }
    case 'people':
      return page(world.size, query, (n) => personTruth(world, n, at));
    case 'posts': {
      const [platform, owner] = [of(), one()];
      const { posts } = world.account(platform, owner, at);
      return listed(postsTruth(world, platform, owner, at, from, limit), posts, query);
    }
    case 'followers':
    case 'following': {
      const [platform, owner] = [of(), one()];
      const members = world[list](platform, owner, at);
      return listed(followsTruth(world, platform, members, from, limit), members.total, query);
    }
    case 'companies':
      return page(world.count('linkedin') - world.size, query, (n) => companyTruth(world, n, at));
    case 'decision-makers':
      return page(world.size, query, (n) => decisionMakerTruth(world, n, at));
    case 'listings':
      return page(market.listings, query, (n) => listingTruth(world, n, at));
    case 'placements':
      return page(market.placements, query, (n) => placementTruth(world, n, at));
    case 'communities': {
      const { all } = hidden.communities;
      return page(all.length, query, (n) => {
        const { number, size, state, density, wave } = all[n] as (typeof all)[number];
        return { number, size, state, density, wave: wave === null ? null : isoOf(wave) };
      });
    }
    case 'purges': {
      const all = PLATFORMS.flatMap((platform) =>
        hidden.growth.purges(platform, PURGES_FROM, at + 3650 * DAY),
      );
      return page(all.length, query, (n) => {
        const { platform, at: when, loss } = all[n] as (typeof all)[number];
        return { platform, at: isoOf(when), loss };
      });
    }
    case 'faults': {
      const all = [
        ...faults.plan.map(faultTruth),
        ...faults.list().map((fault) => ({ ...fault, id: null, from: null, to: null })),
      ];
      return page(all.length, query, (n) => all[n]);
    }
    default:
      return null;
  }
};
