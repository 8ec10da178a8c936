import { DAY } from './account.ts';
import type { Audience } from './audience.ts';
import { mix, unit } from './hash.ts';

/** A purge of one list. */
export interface ListPurge {
  readonly at: number;
  /** Members before it. */
  readonly size: number;
  /** Share of them that it removes. */
  readonly loss: number;
}

export interface PurgedRanks {
  /** Number among all that ever followed, in order, of the member at a rank of those that are left. */
  originOf(rank: number): number;
  /** How many were removed by a time. */
  removedBy(at: number): number;
}

/** Members of a stretch that are tried until one is a bot. */
const TRIES = 48;

const removedAt = ({ at: purgedAt, size, loss }: ListPurge, at: number): number =>
  Math.floor(Math.floor(size * loss) * Math.min(1, Math.max(0, (at - purgedAt) / DAY)));

/** Until as many bots follow as before a purge. */
const RECOVERY = 60 * DAY;
/** A purge finds so much of the bots that came alone; the rest of its loss is of other accounts. */
const FOUND = 0.25;

type Bots = Pick<Audience, 'suspicious' | 'bought'>;

/** Of the members that a purge removes: how many are looked for among bots, and how many are found. */
const botsAt = ({ loss }: ListPurge, { suspicious, bought }: Bots) => {
  const alone = suspicious - bought;
  const found = 1 - (1 - alone) ** TRIES;
  const sought = found === 0 ? 0 : Math.min(1, (FOUND * alone) / (loss * found));
  return { sought, found: sought * found };
};

/** Share of a list that became bots since its purges, at a time. */
export const botsBack = (purges: readonly ListPurge[], bots: Bots, at: number): number => {
  let share = 0;
  for (const purge of purges)
    share += purge.loss * botsAt(purge, bots).found * Math.min(1, Math.max(0, (at - purge.at) / RECOVERY));
  return share;
};

/**
 * Ranks of a list after purges, computed without the list. A purge cuts the list into stretches, as long as its loss
 * demands, and removes one member of each, a bot if it finds one. So a rank before a purge gives the rank after it, and
 * the other way round.
 * @param purges of the list until the time, the oldest first.
 * @param isBot of the member with a number among all that ever followed, at a time.
 */
export const createPurgedRanks = (
  key: number,
  purges: readonly ListPurge[],
  at: number,
  bots: Bots,
  isBot: (origin: number, at: number) => boolean,
): PurgedRanks => {
  const victims = new Map<number, number>();
  const levels = purges
    .map((purge, n) => ({
      n,
      at: purge.at,
      removed: removedAt(purge, at),
      stretch: 1 / purge.loss,
      sought: botsAt(purge, bots).sought,
    }))
    .filter(({ removed }) => removed > 0);

  /** Rank before a purge and all earlier ones of a rank after it. */
  const before = (rank: number, level: number): number => {
    const purge = levels[level];
    if (!purge) return rank;
    const { stretch, removed } = purge;
    const startOf = (n: number) => Math.floor(n * stretch);
    // After the purge each stretch is one shorter.
    let n = Math.floor(rank / (stretch - 1));
    while (n > 0 && startOf(n) - n > rank) n--;
    while (startOf(n + 1) - n - 1 <= rank) n++;
    if (n >= removed) return before(rank + removed, level - 1);
    const then = rank + n;
    const gone = startOf(n) + victimOf(level, n, startOf(n), startOf(n + 1));
    return before(then >= gone ? then + 1 : then, level - 1);
  };

  /** Which member of a stretch a purge removes. */
  const victimOf = (level: number, stretch: number, from: number, to: number): number => {
    const name = level * 2 ** 32 + stretch;
    const known = victims.get(name);
    if (known !== undefined) return known;
    const purge = levels[level] as (typeof levels)[number];
    const own = mix(mix(key, purge.n), stretch);
    let victim = mix(own, 0) % (to - from);
    const tries = unit(own, TRIES) < purge.sought ? TRIES : 0;
    for (let n = 0; n < tries; n++) {
      const tried = mix(own, n) % (to - from);
      if (!isBot(before(from + tried, level - 1), purge.at)) continue;
      victim = tried;
      break;
    }
    victims.set(name, victim);
    return victim;
  };

  return {
    originOf: (rank) => before(rank, levels.length - 1),
    removedBy: (time) => purges.reduce((sum, purge) => sum + removedAt(purge, Math.min(time, at)), 0),
  };
};
