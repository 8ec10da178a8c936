import { FAULT_KINDS, type FaultKind, supports } from '../../infra/simulator/fault-kinds.ts';
import { SOURCES, type Source } from '../../src/kernel/platform.ts';
import { type Random, seededRandom } from '../../src/kernel/random.ts';

/** Seconds of the domain per real second: 30 minutes are a day. */
export const SPEED = 48;

/** The processes of a soak by name, with the roles of each; null: all roles, with the API in a child. */
export const FLEET = {
  whole: null,
  api: 'api',
  crawl: 'crawl',
  project: 'project',
  research: 'research',
} as const;
export type ProcessName = keyof typeof FLEET;
export const PROCESSES = Object.keys(FLEET) as readonly ProcessName[];

/**
 * What is struck: each process, the API's child of `whole`, which is killed, or hangs (SIGSTOP), all connections to the
 * database, which it ends, and a process of the database, after which it recovers from its WAL.
 */
export const VICTIMS = [...PROCESSES, 'child', 'hung child', 'connections', 'database'] as const;
export type Victim = (typeof VICTIMS)[number];

/** A kill, in real seconds since the beginning of the soak. */
export interface Kill {
  readonly atS: number;
  readonly victim: Victim;
}

/** A fault of platforms, switched on and off at real seconds since the beginning of the soak. */
export interface FaultSpell {
  readonly fromS: number;
  readonly toS: number;
  readonly kind: FaultKind;
  readonly platforms: readonly Source[];
  /** Of the platforms' requests, 0 to 1. */
  readonly share: number;
  readonly retryAfterS: number;
}

export interface SoakPlan {
  /** Real seconds of load. */
  readonly lengthS: number;
  /** Nothing is struck before, nor after: then all of it recovers. */
  readonly struckFromS: number;
  readonly struckToS: number;
  readonly kills: readonly Kill[];
  readonly faults: readonly FaultSpell[];
}

/** Each victim is struck once in so long. */
const ROUND_S = 240;
/** A fault begins once in so long, at least. */
const FAULT_S = 30;
const SHARES = [0.2, 0.5, 1];

const shuffled = <T>(values: readonly T[], random: Random): T[] => {
  const left = [...values];
  return values.map(() => left.splice(random.int(left.length), 1)[0] as T);
};

/** Each of the values once a round, in the order of its draw, at a drawn time of its part of the round. */
const spread = <T>(
  values: readonly T[],
  rounds: number,
  [from, to]: readonly [number, number],
  random: Random,
) => {
  const step = (to - from) / (rounds * values.length);
  return Array.from({ length: rounds }, () => shuffled(values, random))
    .flat()
    .map((value, n) => ({ value, atS: from + (n + random.next() / 2) * step, step }));
};

const spellOf = (kind: FaultKind, fromS: number, step: number, endS: number, random: Random): FaultSpell => {
  const able = shuffled(
    SOURCES.filter((source) => supports(source, kind)),
    random,
  );
  return {
    kind,
    fromS,
    toS: Math.min(endS, fromS + step * (0.5 + random.next())),
    platforms: able.slice(0, 1 + random.int(3)),
    share: SHARES[random.int(SHARES.length)] as number,
    retryAfterS: 5 + random.int(900),
  };
};

/**
 * What happens in a soak: each victim is struck once a round, each kind of fault is on at some time.
 * @param lengthS real seconds of load, at least a minute.
 */
export const planOf = (seed: number, lengthS: number): SoakPlan => {
  const random = seededRandom(seed);
  const struckFromS = Math.min(120, lengthS * 0.2);
  const struckToS = lengthS - Math.min(60, lengthS * 0.15);
  const window = [struckFromS, struckToS] as const;
  const rounds = Math.max(1, Math.round((struckToS - struckFromS) / ROUND_S));
  const kills = spread(VICTIMS, rounds, window, random).map(({ value: victim, atS }) => ({ atS, victim }));
  const cycles = Math.max(1, Math.floor((struckToS - struckFromS) / (FAULT_S * FAULT_KINDS.length)));
  const faults = spread(FAULT_KINDS, cycles, window, random).map(({ value, atS, step }) =>
    spellOf(value, atS, step, struckToS, random),
  );
  return { lengthS, struckFromS, struckToS, kills, faults };
};
