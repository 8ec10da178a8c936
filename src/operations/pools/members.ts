import { createHash } from 'node:crypto';
import { adapterOf } from '../../crawlers/platforms/registry.ts';
import { isoOf, systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import { activeBuild } from '../../projections/builds/builds.ts';
import { frontier } from '../../projections/views/frontier/projection.ts';
import { watchBuilds } from '../../read/active-builds.ts';
import { type PoolMember, readMembers, readPoolMembers } from '../../read/frontier.ts';
import { accountStream } from '../../write/accounts/account.ts';
import type { EventLog } from '../../write/log/port.ts';
import { recruitMembers } from '../../write/pools/pool.ts';
import type { OperationsContext } from '../context.ts';
import { poolNamed } from './pools.ts';

/** Accounts out of a list, and the lines of it that name none. */
export interface SeedList {
  readonly handles: readonly string[];
  readonly rejected: readonly { readonly line: number; readonly text: string }[];
  /** SHA-256 of the handles, in order. */
  readonly digest: string;
}

/** Handles of a text, a line each; empty lines and those that begin with # are left out. */
export const parseSeedList = (platform: Platform, text: string): SeedList => {
  const { parseHandle } = adapterOf(platform);
  const lines = text
    .split(/\r?\n/)
    .map((each, i) => ({ line: i + 1, text: each.trim() }))
    .filter((each) => each.text !== '' && !each.text.startsWith('#'));
  const parsed = lines.map((each) => ({ ...each, handle: parseHandle(each.text) }));
  const handles = [...new Set(parsed.flatMap(({ handle }) => (handle === null ? [] : [handle])))];
  return {
    handles,
    rejected: parsed
      .filter(({ handle }) => handle === null)
      .map(({ line, text: bad }) => ({ line, text: bad })),
    digest: createHash('sha256').update(handles.join('\n')).digest('hex'),
  };
};

type AddContext = Pick<OperationsContext, 'log' | 'db' | 'logger'>;

/** The handles that no pool has, as far as the frontier knows; all of them before its first build. */
const withoutMembers = async (
  { db, logger }: AddContext,
  platform: Platform,
  handles: readonly string[],
): Promise<readonly string[]> => {
  const builds = await watchBuilds(db, logger);
  try {
    if (builds.progress('frontier') === null) return handles;
    const known = await readMembers(
      db,
      builds,
      handles.map((handle) => ({ platform, handle })),
    );
    return handles.filter((handle) => !known.has(`${platform}:${handle}`));
  } finally {
    builds.close();
  }
};

/** Recruits accounts into a pool. @returns how many of them are in no pool yet, as far as the frontier knows. */
export const addMembers = async (
  context: AddContext,
  { platform, pool }: { readonly platform: Platform; readonly pool: string },
  handles: readonly string[],
): Promise<number> => {
  const fresh = await withoutMembers(context, platform, [...new Set(handles)]);
  const members = fresh.map((handle) => ({ handle, via: 'seed' as const, from: null, depth: 0 }));
  await recruitMembers(context.log, [{ platform, pool, observed_at: isoOf(systemClock.now()), members }]);
  return fresh.length;
};

/** Which event recruited an account, for whom and through which rule. */
export interface Recruited {
  readonly at: string;
  readonly via: string;
  /** Stream of the account whose reading named it; null for an operator's or callers' accounts. */
  readonly from: string | null;
  readonly position: string;
}

/** A member of a pool; `why` where it was asked for. */
export interface MemberListing extends Omit<PoolMember, 'recruited'> {
  readonly why: Recruited | null;
}

/** The recruiting event at a position, as far as it is about an account. */
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

/**
 * Members of a pool, those that are due first.
 * @param options.handles only these; all if empty.
 * @throws {OperatorError} `pool_unknown`, `build_missing` before the first build of the crawl schedule.
 */
export const listMembers = async (
  context: OperationsContext,
  pool: string,
  options: { readonly handles: readonly string[]; readonly limit: number; readonly why: boolean },
): Promise<readonly MemberListing[]> => {
  const { platform } = await poolNamed(context, pool);
  const build = await activeBuild(context.db, frontier.name, frontier.version);
  if (build === null)
    throw new OperatorError('build_missing', 'The crawl schedule has no build yet: start the role project.');
  const { parseHandle } = adapterOf(platform);
  const handles = options.handles.map((name) => parseHandle(name) ?? name);
  const members = await readPoolMembers(
    context.db,
    build.schema,
    { platform, pool },
    handles.length === 0 ? null : handles,
    options.limit,
  );
  const listings: MemberListing[] = [];
  for (const member of members) {
    const { recruited: _, ...rest } = member;
    listings.push({ ...rest, why: options.why ? await recruitedAt(context.log, platform, member) : null });
  }
  return listings;
};
