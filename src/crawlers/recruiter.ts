import { createBatcher } from '../kernel/batch.ts';
import { isoOf } from '../kernel/clock.ts';
import { PLATFORMS, type Platform } from '../kernel/platform.ts';
import type { Queryable } from '../kernel/postgres/pool.ts';
import { urlsIn } from '../kernel/text.ts';
import { accountOfUrl, descriptorOf } from '../platforms/index.ts';
import { handlesIn } from '../platforms/mentions.ts';
import type { Builds } from '../read/active-builds.ts';
import { readMembers, readSizes } from '../read/frontier.ts';
import { isErasedName, type Named } from '../write/erasure/cleanse.ts';
import type { EventLog } from '../write/log/port.ts';
import { type Revisions, recruitMembers } from '../write/pools/pool.ts';
import type { Reading } from './platforms/adapter.ts';
import { type Candidate, candidateFound, candidateMissed, nameCandidates } from './pools/candidates.ts';
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
  /** Notes the accounts that a reading names: those that no pool has wait to be read. */
  name(found: readonly Mention[], namer: Namer, nowMs: number): Promise<void>;
  /**
   * Recruits an account that a reading named and another one found.
   * @param handle the one that it has.
   * @returns whether no pool knew it. What a reading is worth does not depend on whether the pools are full that it leads to.
   */
  found(candidate: Candidate, handle: string, nowMs: number): Promise<boolean>;
  /** The reading that found it is stored. @returns whether it is the first account that its namer led to within a day. */
  settle(candidate: Candidate, nowMs: number): Promise<boolean>;
  /** A reading did not find an account that another one named. */
  missed(candidate: Candidate): Promise<void>;
  /** Recruits accounts named by lists and callers, but none that was erased. */
  take(finds: readonly Find[], nowMs: number): Promise<Taken>;
}

/** Decision: `docs/adr/0017-recruitment.md`. */
export const createRecruiter = (
  db: Queryable,
  builds: Builds,
  pools: Pick<CurrentPools, 'recruiting'>,
  log: EventLog,
  fence: Named,
): Recruiter => {
  const isRefused = ({ platform, handle }: Pick<Find, 'platform' | 'handle'>): boolean =>
    isErasedName(fence, platform, handle);
  /** Members of pools, so that an account that readings name often is not looked up each time. */
  const members = new Set<string>();
  /** Accounts by pool that count against its cap, with those that this process recruited since they were read. */
  let sizes = new Map<string, number>();
  let askedAtMs = Number.NEGATIVE_INFINITY;
  const revisions: Revisions = new Map();

  const refreshSizes = async (nowMs: number): Promise<void> => {
    if (nowMs - askedAtMs <= SIZES_MS) return;
    askedAtMs = nowMs;
    sizes = new Map([...(await readSizes(db, builds))].map(([pool, { found }]) => [pool, found]));
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
  /** The finds that no pool has. */
  const unknownOf = async <Named extends Find>(finds: readonly Named[]): Promise<readonly Named[]> => {
    if (finds.length === 0) return [];
    const known = await readMembers(db, builds, finds);
    if (members.size > MAX_REMEMBERED) members.clear();
    for (const name of known.keys()) members.add(name);
    return finds.filter((find) => !known.has(nameOf(find)));
  };
  const recruitNew = async (finds: readonly Find[], nowMs: number): Promise<ReturnType<typeof chosen>> => {
    await refreshSizes(nowMs);
    const once = [...new Map(finds.map((find) => [nameOf(find), find])).values()];
    const { taken, full } = chosen(await unknownOf(once));
    await recruitMembers(
      log,
      byPool(taken).map(([platform, pool, some]) => ({
        platform,
        pool,
        observed_at: isoOf(nowMs),
        members: some.map(({ handle, via, from, depth }) => ({ handle, via, from, depth })),
      })),
      revisions,
    );
    return { taken, full };
  };
  const note = createBatcher<Naming, void>(async (namings) => {
    const finds = await unknownOf(
      namings.flatMap(({ found, namer }) =>
        found
          .filter((each) => !members.has(nameOf(each)) && !isRefused(each))
          .map((each) => ({
            ...each,
            from: namer.from,
            source: namer.pool,
            depth: namer.depth === null ? null : namer.depth + 1,
          })),
      ),
    );
    const recruiting = PLATFORMS.flatMap((platform) => pools.recruiting(platform));
    const named = finds.flatMap((find) => {
      const [pool] = poolsFor(find, recruiting);
      return pool === undefined ? [] : [{ ...find, pool }];
    });
    if (named.length > 0) await nameCandidates(db, named, Math.max(...namings.map(({ nowMs }) => nowMs)));
    return namings.map(() => undefined);
  });
  /** Finds of readings that end together share an event of their pool. */
  const recruitFound = createBatcher<{ readonly find: Find; readonly nowMs: number }, boolean>(
    async (all) => {
      const finds = all.map(({ find }) => find);
      const { taken, full } = await recruitNew(finds, Math.max(...all.map(({ nowMs }) => nowMs)));
      return finds.map((find) => taken.has(find) || full.includes(find));
    },
  );
  return {
    name: async (found, namer, nowMs) => {
      if (found.length > 0) await note({ found, namer, nowMs });
    },
    found: (candidate, handle, nowMs) => recruitFound({ find: { ...candidate, handle }, nowMs }),
    settle: (candidate, nowMs) => candidateFound(db, candidate, nowMs),
    missed: (candidate) => candidateMissed(db, candidate),
    take: async (finds, nowMs) => {
      const { taken, full } = await recruitNew(
        finds.filter((find) => !isRefused(find)),
        nowMs,
      );
      return { recruited: taken.size, refused: new Set(full.map(({ handle }) => handle)) };
    },
  };
};

/** Another account named by a reading. */
export interface Mention {
  readonly platform: Platform;
  /** Normalized; a native ID if the platform's URLs use it. */
  readonly handle: string;
  readonly via: 'mention' | 'link';
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

/** The names of a reading. */
interface Naming {
  readonly found: readonly Mention[];
  readonly namer: Namer;
  readonly nowMs: number;
}

const MAX_REMEMBERED = 200_000;
const SIZES_MS = 5_000;

const nameOf = ({ platform, handle }: Pick<Find, 'platform' | 'handle'>): string => `${platform}:${handle}`;

const linkedAccount = (link: string): Mention | null => {
  const found = URL.canParse(link) ? accountOfUrl(new URL(link)) : null;
  if (found === null) return null;
  const { platform, address } = found;
  if (address.kind === 'handle') return { platform, handle: address.handle, via: 'link' };
  // Digits may be a handle: only an unambiguous ID names an account.
  return descriptorOf(platform).isBareId(address.id) ? { platform, handle: address.id, via: 'link' } : null;
};
