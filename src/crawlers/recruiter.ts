import { isoOf } from '../kernel/clock.ts';
import { PLATFORMS } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import type { Builds } from '../read/active-builds.ts';
import { readMembers, readSizes } from '../read/frontier.ts';
import type { EventLog } from '../write/log/port.ts';
import { type Revisions, recruitMembers } from '../write/pools/pool.ts';
import type { Mention } from './discovery.ts';
import { byPool, type Find, poolsFor } from './pools/choose-pool.ts';
import type { CurrentPools } from './pools/current-pools.ts';

/** The account whose reading named others. */
export interface Namer {
  /** Its stream. */
  readonly from: string;
  /** The pool that recruited it. */
  readonly pool: string;
  readonly depth: number | null;
}

/** What became of finds. */
export interface Taken {
  /** How many were new. */
  readonly recruited: number;
  /** Handles of those whose pools have no capacity. */
  readonly refused: ReadonlySet<string>;
}

/** What a reading led to. */
export interface Found {
  /** Accounts that pools took. */
  readonly recruited: number;
  /**
   * Accounts that no pool knew and that pools with capacity would take: what a reading is worth does not depend on whether those that it
   * leads to are full. Those without capacity count once, as long as this process remembers them.
   */
  readonly discovered: number;
}

export interface Recruiter {
  /** Recruits accounts named by a reading, into pools with capacity. */
  recruit(found: readonly Mention[], namer: Namer, nowMs: number): Promise<Found>;
  /** Recruits accounts that lists and callers name, at once. */
  take(finds: readonly Find[], nowMs: number): Promise<Taken>;
}

/** The finds of a reading, which wait for those of others. */
interface Waiting {
  readonly finds: readonly Find[];
  readonly nowMs: number;
  readonly resolve: (found: Found) => void;
  readonly reject: (error: unknown) => void;
}

/** Names that were looked up recently, so that a frequently named account is not looked up each time. */
const MAX_REMEMBERED = 200_000;
const SIZES_MS = 5_000;
/** How long finds wait for those of other readings, with which they share a look-up and an event a pool. */
const LINGER_MS = 50;

const nameOf = ({ platform, handle }: Pick<Find, 'platform' | 'handle'>): string => `${platform}:${handle}`;

export const createRecruiter = (
  db: Queryable,
  builds: Builds,
  pools: Pick<CurrentPools, 'recruiting'>,
  log: EventLog,
): Recruiter => {
  const tried = new Set<string>();
  /** Names that counted as discovered although no pool had capacity for them. */
  const credited = new Set<string>();
  /** Accounts by pool, with those that this process recruited since they were read. */
  let sizes = new Map<string, number>();
  let askedAtMs = Number.NEGATIVE_INFINITY;
  let waiting: Waiting[] = [];
  const revisions: Revisions = new Map();

  const refreshSizes = async (nowMs: number): Promise<void> => {
    if (nowMs - askedAtMs <= SIZES_MS) return;
    askedAtMs = nowMs;
    sizes = new Map(await readSizes(db, builds));
  };
  /** The pool for each find that one takes, and finds whose pools are full. The frontier leaves out what is beyond a cap. */
  const chosen = (finds: readonly Find[]): { readonly taken: Map<Find, string>; readonly full: Find[] } => {
    const recruiting = PLATFORMS.flatMap((platform) => pools.recruiting(platform));
    const capacityOf = new Map(
      recruiting.map(({ pool, size_cap }) => [pool, size_cap - (sizes.get(pool) ?? 0)]),
    );
    const taken = new Map<Find, string>();
    const full: Find[] = [];
    for (const find of finds) {
      const candidates = poolsFor(find, recruiting);
      const pool = candidates.find((each) => (capacityOf.get(each) ?? 0) > 0);
      if (pool === undefined) {
        if (candidates.length > 0) full.push(find);
        continue;
      }
      capacityOf.set(pool, (capacityOf.get(pool) ?? 0) - 1);
      sizes.set(pool, (sizes.get(pool) ?? 0) + 1);
      taken.set(find, pool);
    }
    return { taken, full };
  };
  /** @returns the finds that were recruited, and those whose pools are full. */
  const recruitNew = async (finds: readonly Find[], nowMs: number): Promise<ReturnType<typeof chosen>> => {
    await refreshSizes(nowMs);
    const known = await readMembers(db, builds, finds);
    const unknown = finds.filter((find) => !known.has(nameOf(find)));
    const { taken, full } = chosen(unknown);
    // There may be capacity later.
    for (const find of unknown) if (!taken.has(find)) tried.delete(nameOf(find));
    await recruitMembers(
      log,
      byPool(taken).map(([platform, pool, members]) => ({
        platform,
        pool,
        observed_at: isoOf(nowMs),
        members: members.map(({ handle, via, from, depth }) => ({ handle, via, from, depth })),
      })),
      revisions,
    );
    return { taken, full };
  };
  /** What became of the finds of a reading. An account under another name is not a new one. */
  const foundBy = (finds: readonly Find[], { taken, full }: ReturnType<typeof chosen>): Found => {
    const waitingFor = new Set(full);
    const discovered = finds.filter(
      (find) =>
        find.isRenamed !== true && (taken.has(find) || waitingFor.has(find)) && !credited.has(nameOf(find)),
    );
    if (credited.size > MAX_REMEMBERED) credited.clear();
    for (const find of discovered) if (!taken.has(find)) credited.add(nameOf(find));
    return { recruited: finds.filter((find) => taken.has(find)).length, discovered: discovered.length };
  };
  const flush = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const finds = batch.flatMap((each) => each.finds);
    try {
      const became = await recruitNew(finds, Math.max(...batch.map(({ nowMs }) => nowMs)));
      for (const each of batch) each.resolve(foundBy(each.finds, became));
    } catch (error) {
      for (const find of finds) tried.delete(nameOf(find));
      for (const each of batch) each.reject(error);
    }
  };
  return {
    take: async (finds, nowMs) => {
      const once = [...new Map(finds.map((find) => [nameOf(find), find])).values()];
      const { taken, full } = await recruitNew(once, nowMs);
      return { recruited: taken.size, refused: new Set(full.map(({ handle }) => handle)) };
    },
    recruit: async (found, { from, pool, depth }, nowMs) => {
      const fresh = found.filter((each) => !tried.has(nameOf(each)));
      if (fresh.length === 0) return { recruited: 0, discovered: 0 };
      // Before the attempt: readings that name the same account at the same time try it once.
      if (tried.size > MAX_REMEMBERED) tried.clear();
      for (const each of fresh) tried.add(nameOf(each));
      const finds = fresh.map((each) => ({
        ...each,
        from,
        source: pool,
        depth: depth === null || each.isRenamed === true ? depth : depth + 1,
      }));
      return new Promise((resolve, reject) => {
        if (waiting.length === 0) setTimeout(flush, LINGER_MS);
        waiting.push({ finds, nowMs, resolve, reject });
      });
    },
  };
};
