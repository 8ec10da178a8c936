import { createHash } from 'node:crypto';
import { adapterOf } from '../../crawlers/platforms/registry.ts';
import { ensureSeedPool, seedPool } from '../../crawlers/pools/choose-pool.ts';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { frontier } from '../../projections/views/frontier/projection.ts';
import { pools as poolsView } from '../../projections/views/pools/projection.ts';
import { type Builds, watchBuilds } from '../../read/active-builds.ts';
import {
  type PoolFigures,
  type PoolMember,
  readMembers,
  readPoolFigures,
  readPoolMembers,
  readSizes,
} from '../../read/frontier.ts';
import { findPool, listPools as listRows, type PoolRow, readersOf } from '../../read/pools.ts';
import { accountStream } from '../../write/accounts/account.ts';
import { isErasedName } from '../../write/erasure/cleanse.ts';
import type { EventLog } from '../../write/log/port.ts';
import { changeMembers, poolStream, recruitMembers } from '../../write/pools/pool.ts';
import type { IntakeContext, OperationsContext } from '../context.ts';
import { handleNamed, parseHandles, parsePlatform } from '../crawl/read-accounts.ts';
import { currentSchema } from '../projections/read-model.ts';

/** Whether a pool is crawled. */
export type PoolStatus = 'active' | 'paused' | 'retired';

/** A pool with its settings and its accounts. */
export interface PoolListing extends Omit<PoolRow, 'changed' | 'paused'>, PoolFigures {
  readonly status: PoolStatus;
}

/** All pools, by platform and name. Their figures are null before the first build of the crawl schedule. */
export const listPools = async (context: OperationsContext): Promise<readonly PoolListing[]> =>
  withFigures(context, await listRows(context.db, await currentSchema(context, poolsView)));

export const unknownPool = (pool: string): OperatorError =>
  new OperatorError('pool_unknown', `There is no pool ${pool}.`, { params: { pool } });

/** @throws {OperatorError} `pool_unknown` */
export const poolNamed = async (context: OperationsContext, pool: string): Promise<PoolRow> => {
  const row = await findPool(context.db, await currentSchema(context, poolsView), pool);
  if (row === null) throw unknownPool(pool);
  return row;
};

/** A pool, and the retired ones whose accounts it reads. */
export interface PoolDetails extends PoolListing {
  readonly took_over: readonly Pick<PoolListing, 'pool' | 'accounts'>[];
}

/** @throws {OperatorError} `pool_unknown` */
export const showPool = async (context: OperationsContext, pool: string): Promise<PoolDetails> => {
  const pools = await listPools(context);
  const listing = pools.find((each) => each.pool === pool);
  if (listing === undefined) throw unknownPool(pool);
  const readers = readersOf(pools);
  const taken = pools.filter((each) => each.pool !== pool && readers.get(each.pool) === pool);
  return { ...listing, took_over: taken.map(({ pool: name, accounts }) => ({ pool: name, accounts })) };
};

/** A change of a pool from its stream. */
export interface PoolChange {
  readonly at: string;
  readonly type: string;
  /** Who decided it; null for the program itself. */
  readonly actor: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Everything that was decided about a pool, oldest first. @throws {OperatorError} `pool_unknown` */
export const poolHistory = async (
  { log }: Pick<OperationsContext, 'log'>,
  pool: string,
): Promise<readonly PoolChange[]> => {
  const events = await log.readStream(poolStream(pool));
  if (events.length === 0) throw unknownPool(pool);
  return events.map(({ type, data, metadata }) => {
    const { at, ...rest } = data as { at: string };
    return { at, type, actor: metadata.actor ?? null, data: rest };
  });
};

/** The accounts of a list, and its invalid lines. */
export interface SeedList {
  readonly handles: readonly string[];
  readonly rejected: readonly { readonly line: number; readonly text: string }[];
  /** SHA-256 of the handles, in order. */
  readonly digest: string;
}

/**
 * Parses a text with one handle or address of a profile per line. Empty lines and lines that begin with # are ignored.
 * @throws {OperatorError} `argument_invalid` if nothing is left.
 */
export const parseSeedList = (platform: Platform, text: string): SeedList => {
  const lines = text
    .split(/\r?\n/)
    .map((each, i) => ({ line: i + 1, text: each.trim() }))
    .filter((each) => each.text !== '' && !each.text.startsWith('#'));
  if (lines.length === 0)
    throw new OperatorError(
      'argument_invalid',
      'No account is named: give handles, or a file with one a line.',
    );
  const parsed = lines.map((each) => ({ ...each, handle: handleNamed(platform, each.text) }));
  const handles = [...new Set(parsed.flatMap(({ handle }) => (handle === null ? [] : [handle])))];
  return {
    handles,
    rejected: parsed
      .filter(({ handle }) => handle === null)
      .map(({ line, text: bad }) => ({ line, text: bad })),
    digest: createHash('sha256').update(handles.join('\n')).digest('hex'),
  };
};

/** What became of accounts that an operator named. */
export interface Added {
  readonly named: number;
  /** Accounts that the pool has from now on. */
  readonly recruited: number;
  /** Those that a pool had. */
  readonly present: number;
  /** Handles that the pool did not take: its cap has no room for them. */
  readonly refused: readonly string[];
  /** Handles of accounts that were erased. */
  readonly erased: readonly string[];
  readonly pool: string;
}

const retired = (pool: string): OperatorError =>
  new OperatorError('pool_retired', `The pool ${pool} is retired and takes no accounts.`, {
    params: { pool },
  });

/**
 * Recruits accounts into a pool. What it reports is what the crawl schedule has then.
 * @throws {OperatorError} `pool_retired`, `read_model_behind`
 */
export const addMembers = async (
  context: IntakeContext,
  { platform, pool, size_cap, retired_at }: Pick<PoolRow, 'platform' | 'pool' | 'size_cap' | 'retired_at'>,
  handles: readonly string[],
): Promise<Added> => {
  if (retired_at !== null) throw retired(pool);
  const all = [...new Set(handles)];
  const isErased = (handle: string): boolean => isErasedName(context.fence, platform, handle);
  const erased = all.filter(isErased);
  const named = all.filter((handle) => !isErased(handle));
  return withMembers(context, platform, named, async (builds, poolsOf) => {
    const known = await poolsOf();
    const fresh = named.filter((handle) => !known.has(handle));
    const { seeds = 0 } = (await readSizes(context.db, builds)).get(pool) ?? {};
    const members = fresh
      .slice(0, Math.max(0, size_cap - seeds))
      .map((handle) => ({ handle, via: 'seed' as const, from: null, depth: 0 }));
    await recruitMembers(context.log, [{ platform, pool, observed_at: isoOf(systemClock.now()), members }]);
    const present = await poolsOf();
    const refused = named.filter((handle) => !present.has(handle));
    return {
      named: all.length,
      recruited: fresh.length - refused.length,
      present: named.length - fresh.length,
      refused,
      erased,
      pool,
    };
  });
};

/** What became of accounts that an operator moved to a pool, or removed from one. */
export interface Changed {
  readonly named: number;
  readonly changed: number;
  /** Handles that no pool has; to remove: that the pool doesn't have. */
  readonly unknown: readonly string[];
  /** Handles that the pool did not take: its cap has no room for them. */
  readonly refused: readonly string[];
}

/**
 * Moves accounts to a pool from others of its platform.
 * @throws {OperatorError} `pool_retired`, `read_model_behind`
 */
export const moveMembers = async (
  context: OperationsContext,
  { platform, pool, retired_at }: Pick<PoolRow, 'platform' | 'pool' | 'retired_at'>,
  handles: readonly string[],
): Promise<Changed> => {
  if (retired_at !== null) throw retired(pool);
  return withMembers(context, platform, handles, async (_, poolsOf) => {
    const before = await poolsOf();
    const moving = handles.filter((handle) => before.has(handle) && before.get(handle) !== pool);
    await changeMembers(context.log, 'MembersMoved', { platform, pool }, moving, systemClock.now());
    const after = await poolsOf();
    const refused = moving.filter((handle) => after.get(handle) !== pool);
    return {
      named: handles.length,
      changed: moving.length - refused.length,
      unknown: handles.filter((handle) => !before.has(handle)),
      refused,
    };
  });
};

/** Removes accounts from a pool: nothing reads them by itself any more, and only an operator brings them back. */
export const removeMembers = (
  context: OperationsContext,
  { platform, pool }: Pick<PoolRow, 'platform' | 'pool'>,
  handles: readonly string[],
): Promise<Changed> =>
  withMembers(context, platform, handles, async (_, poolsOf) => {
    const before = await poolsOf();
    const removing = handles.filter((handle) => before.get(handle) === pool);
    await changeMembers(context.log, 'MembersRemoved', { platform, pool }, removing, systemClock.now());
    const after = await poolsOf();
    return {
      named: handles.length,
      changed: removing.filter((handle) => !after.has(handle)).length,
      unknown: handles.filter((handle) => before.get(handle) !== pool),
      refused: [],
    };
  });

/**
 * Does work on accounts of a platform.
 * @param work called with a function that reads the pool of each account that has one, once the crawl schedule is up to date.
 */
const withMembers = async <T>(
  context: OperationsContext,
  platform: Platform,
  handles: readonly string[],
  work: (builds: Builds, poolsOf: () => Promise<ReadonlyMap<string, string>>) => Promise<T>,
): Promise<T> => {
  await currentSchema(context, frontier);
  const builds = await watchBuilds(context.db, context.logger);
  try {
    return await work(builds, async () => {
      await currentSchema(context, frontier);
      await builds.refresh();
      const members = await readMembers(
        context.db,
        builds,
        handles.map((handle) => ({ platform, handle })),
      );
      return new Map(
        handles.flatMap((handle): [string, string][] => {
          const member = members.get(`${platform}:${handle}`);
          return member === undefined || member.isRemoved ? [] : [[handle, member.pool]];
        }),
      );
    });
  } finally {
    builds.close();
  }
};

/** Which event recruited an account, for whom and through which rule. */
export interface Recruited {
  readonly at: string;
  readonly via: string;
  /** Stream of the account whose reading named it; null for an operator's or callers' accounts. */
  readonly from: string | null;
  readonly position: string;
}

/** Schema of the crawl schedule. @throws {OperatorError} `build_missing` before its first build. */
export const crawlSchedule = async ({ db }: Pick<OperationsContext, 'db'>): Promise<string> => {
  const build = await activeBuild(db, frontier.name, frontier.version);
  if (build !== null) return build.schema;
  throw new OperatorError('build_missing', 'The crawl schedule has no build yet: start the role project.');
};

/** A member of a pool; `why` if requested. */
export interface MemberListing extends Omit<PoolMember, 'recruited'> {
  readonly why: Recruited | null;
}

/**
 * Members of a pool, those that are due first.
 * @param options.handles only these; all if empty. `named`: how their handles begin.
 * @throws {OperatorError} `pool_unknown`, `build_missing` before the first build of the crawl schedule.
 */
export const listMembers = async (
  context: OperationsContext,
  pool: string,
  options: {
    readonly handles?: readonly string[];
    readonly named?: string;
    readonly limit: number;
    readonly why: boolean;
  },
): Promise<readonly MemberListing[]> => {
  const { platform } = await poolNamed(context, pool);
  const schema = await crawlSchedule(context);
  const { parseHandle } = adapterOf(platform);
  const { handles: names = [], named = '', limit } = options;
  const handles = names.length === 0 ? null : names.map((name) => parseHandle(name) ?? name);
  const members = await readPoolMembers(context.db, schema, { platform, pool }, { handles, named, limit });
  const listings: MemberListing[] = [];
  for (const member of members) {
    const { recruited: _, ...rest } = member;
    listings.push({ ...rest, why: options.why ? await recruitedAt(context.log, platform, member) : null });
  }
  return listings;
};

/**
 * Recruits accounts into a platform's seed pool.
 * @throws {OperatorError} `platform_unknown`, `handle_invalid`, `read_model_behind`
 */
export const addSeeds = async (
  context: IntakeContext,
  platform: string,
  names: readonly string[],
): Promise<Added> => {
  const name = parsePlatform(platform);
  const handles = parseHandles(adapterOf(name), names);
  await ensureSeedPool(context.log, name, systemClock.now());
  return addMembers(context, await poolNamed(context, seedPool(name)), handles);
};

const NO_FIGURES: PoolFigures = { accounts: null, read: null, due: null, oldest_due_at: null };

const listingOf = ({ changed: _, paused, ...row }: PoolRow, figures: PoolFigures): PoolListing => ({
  ...row,
  ...figures,
  status: row.retired_at !== null ? 'retired' : paused ? 'paused' : 'active',
});

const withFigures = async (
  context: OperationsContext,
  rows: readonly PoolRow[],
): Promise<readonly PoolListing[]> => {
  const schema = (await activeBuild(context.db, frontier.name, frontier.version))?.schema ?? null;
  const figures =
    schema === null ? new Map<string, PoolFigures>() : await readPoolFigures(context.db, schema, rows);
  return rows.map((row) => listingOf(row, figures.get(row.pool) ?? NO_FIGURES));
};

/** The recruiting event of an account at a position; null if the event is about others. */
const recruitedAt = async (
  log: EventLog,
  platform: Platform,
  { handle, recruited }: PoolMember,
): Promise<Recruited | null> => {
  for await (const { events } of log.readAll(recruited - 1n, { to: recruited, pageSize: 1 })) {
    for (const { data, position, stream } of events) {
      const event = data as {
        observed_at: string;
        via?: string;
        from?: string | null;
        members?: readonly { handle: string; via: string; from: string | null }[];
      };
      const isOwn = stream === accountStream(platform, handle);
      const member = event.members?.find((each) => each.handle === handle) ?? (isOwn ? event : undefined);
      if (member === undefined) continue;
      const { via = 'demand', from = null } = member;
      return { at: event.observed_at, via, from, position: String(position) };
    }
  }
  return null;
};
