import { isoOf } from '../kernel/clock.ts';
import { PLATFORMS, type Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { urlsIn } from '../kernel/text.ts';
import { accountOfUrl, descriptorOf } from '../platforms/index.ts';
import type { Builds } from '../read/active-builds.ts';
import { readMembers, readSizes } from '../read/frontier.ts';
import type { EventLog } from '../write/log/port.ts';
import { type Revisions, recruitMembers } from '../write/pools/pool.ts';
import type { Reading } from './platforms/adapter.ts';
import { handlesIn } from './platforms/shared/post-tags.ts';
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

export interface Recruiter {
  /** Recruits accounts named by a reading, into pools with capacity. */
  recruit(found: readonly Mention[], namer: Namer, nowMs: number): Promise<Found>;
  /** Recruits accounts named by lists and callers, without waiting for other finds. */
  take(finds: readonly Find[], nowMs: number): Promise<Taken>;
}

/** Decision: `docs/adr/0017-recruitment.md`. */
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
  /** The pool for each find, and finds whose pools are full. The frontier itself leaves out accounts beyond a cap. */
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
  /** The results of a reading's finds. An account under another name is not new. */
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
      // Noted before the attempt, so that concurrent readings that name the same account try it once.
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

/** Another account named by a reading. */
export interface Mention {
  readonly platform: Platform;
  /** Normalized; a native ID if the platform's URLs use it. */
  readonly handle: string;
  readonly via: 'mention' | 'link';
  /** Whether it is the account that was read, under the handle that the reading showed. */
  readonly isRenamed?: boolean;
}

/**
 * Accounts that a profile and its posts mention: by handle on the same platform, or by profile URL on any; and the
 * company that a person works for.
 * Deduplicated by first occurrence; never the account itself.
 */
export const mentionsOf = (reading: Reading, platform: Platform): Mention[] => {
  if (reading.status !== 'present' && reading.status !== 'private') return [];
  const { profile, posts } = reading;
  const { parseHandle } = descriptorOf(platform);
  const texts = [profile.bio, ...(posts ?? []).map(({ text }) => text)].filter((text) => text !== null);
  const found = new Map<string, Mention>();
  const add = (mention: Mention): void => {
    const self = mention.platform === platform && [profile.handle, profile.id].includes(mention.handle);
    const key = `${mention.platform}:${mention.handle}`;
    if (!self && !found.has(key)) found.set(key, mention);
  };
  for (const text of texts) {
    if (!descriptorOf(platform).hasMentions) continue;
    for (const handle of handlesIn(text, parseHandle)) add({ platform, handle, via: 'mention' });
  }
  for (const link of [...profile.links, ...texts.flatMap(urlsIn)]) {
    const linked = linkedAccount(link);
    if (linked !== null) add(linked);
  }
  const employer = reading.facts?.kind === 'person' ? (reading.facts.facts.company?.slug ?? null) : null;
  if (employer !== null) add({ platform, handle: `company:${employer}`, via: 'link' });
  return [...found.values()];
};

/** The results of finds. */
interface Taken {
  /** How many were new. */
  readonly recruited: number;
  /** Handles of those whose pools have no capacity. */
  readonly refused: ReadonlySet<string>;
}

/** The discoveries of a reading. */
interface Found {
  /** Accounts that pools took. */
  readonly recruited: number;
  /**
   * Accounts that no pool knew and that pools with capacity would take: what a reading is worth does not depend on
   * whether those that it leads to are full. Those without capacity count once, as long as this process remembers them.
   */
  readonly discovered: number;
}

/** The finds of a reading, waiting for the finds of other readings. */
interface Waiting {
  readonly finds: readonly Find[];
  readonly nowMs: number;
  readonly resolve: (found: Found) => void;
  readonly reject: (error: unknown) => void;
}

/** Names that were looked up recently, so that a frequently named account is not looked up each time. */
const MAX_REMEMBERED = 200_000;
const SIZES_MS = 5_000;
/** How long finds wait for finds of other readings, to share a look-up and one event per pool. */
const LINGER_MS = 50;

const nameOf = ({ platform, handle }: Pick<Find, 'platform' | 'handle'>): string => `${platform}:${handle}`;

const linkedAccount = (link: string): Mention | null => {
  const found = URL.canParse(link) ? accountOfUrl(new URL(link)) : null;
  if (found === null) return null;
  const { platform, address } = found;
  if (address.kind === 'handle') return { platform, handle: address.handle, via: 'link' };
  // Digits may be a handle: only an unambiguous ID names an account.
  return descriptorOf(platform).isBareId(address.id) ? { platform, handle: address.id, via: 'link' } : null;
};
