import { PLATFORMS } from '../simulated-platforms.ts';
import type { Parameters } from '../world/parameters.ts';
import { createWorld } from '../world/world.ts';
import { accountLaws, lifeLaws } from './accounts.ts';
import { everyOf, type Law } from './law.ts';
import { postLaws } from './posts.ts';
import { createReader, type TruthReader } from './reader.ts';
import { followLaws, marketLaws, personLaws } from './relations.ts';

export interface CheckOptions {
  readonly parameters: Parameters;
  readonly seed: number;
  /** Over all platforms. */
  readonly accounts: number;
}

const AT = Date.UTC(2026, 9, 1);
const PART = 97;
/** Accounts of a platform whose posts and lists are read. */
const SOME = 40;

/** Lists of `/truth`; of one account, where each has its own. */
const LISTS = [
  ...PLATFORMS.flatMap((platform) =>
    ['accounts', 'changes', 'bans', 'effects', 'series'].map((list) => [list, platform]),
  ),
  ...PLATFORMS.map((platform) => ['posts', platform, '0']),
  ...['people', 'listings', 'placements', 'decision-makers', 'communities', 'purges'].map((list) => [list]),
  ...['followers x 0', 'following x 0', 'follows x'].map((path) => path.split(' ')),
] as [list: 'accounts', ...path: string[]][];

/** A world of the same seed has the same rows, read in another order and part by part. */
const isRepeated = (one: TruthReader, other: TruthReader): Law =>
  everyOf(
    'the same seed makes the same world, in whatever parts it is read',
    LISTS.toReversed(),
    ([list, ...path]) => {
      const whole = one.read(list, path, { limit: 3 * PART });
      const last = other.read(list, path, { from: PART, limit: 2 * PART });
      return JSON.stringify(whole) === JSON.stringify([...other.read(list, path, { limit: PART }), ...last]);
    },
  );

/** Whether what must hold of a world does, from what `/truth` serves of it and what surfaces show. */
export const checkWorld = ({ parameters, seed, accounts }: CheckOptions): readonly Law[] => {
  const size = Math.max(100, Math.ceil(accounts / PLATFORMS.length));
  const make = () => createWorld({ seed, size, parameters, clock: { now: () => AT } });
  const world = make();
  const reader = createReader(world, seed, AT);
  const rows = PLATFORMS.flatMap((platform) => reader.read('accounts', [platform]));
  return [
    isRepeated(reader, createReader(make(), seed, AT)),
    ...accountLaws(world, reader, rows),
    ...lifeLaws(reader, rows),
    ...postLaws(reader, rows, SOME),
    ...followLaws(reader, rows, SOME),
    ...personLaws(reader, rows),
    ...marketLaws(reader),
  ];
};
