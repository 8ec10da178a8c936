import {
  createRequestQuota,
  createSweepStore,
  type ListReading,
  type RequestQuota,
  readList,
} from '../../crawlers/follow-lists.ts';
import type { Http } from '../../crawlers/http/port.ts';
import type { PlatformAdapter } from '../../crawlers/platforms/adapter.ts';
import type { Registry } from '../../crawlers/platforms/registry.ts';
import { systemClock } from '../../kernel/clock.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Platform } from '../../kernel/platform.ts';
import { createAccountStates } from '../../read/accounts.ts';
import { watchBuilds } from '../../read/active-builds.ts';
import type { AccountSnapshots } from '../../write/accounts/account.ts';
import type { Profile } from '../../write/accounts/profile.ts';
import type { FollowDirection } from '../../write/follows.ts';
import type { OnProgress, OperationsContext } from '../context.ts';
import { parseHandles, parsePlatform, readAccount } from './read-accounts.ts';

export { FOLLOW_DIRECTIONS, type FollowDirection } from '../../write/follows.ts';

/** An account whose list is to be read. */
export interface ListOwner {
  readonly adapter: PlatformAdapter;
  readonly handle: string;
}

export interface FollowsResult {
  readonly platform: Platform;
  readonly handle: string;
  readonly direction: FollowDirection;
  /** Null if the account itself could not be read. */
  readonly reading: ListReading | null;
  /** What the reading of the account said, if there is no list; null otherwise. */
  readonly account: string | null;
}

/**
 * Accounts as `platform:handle`.
 * @throws {OperatorError} `platform_unknown`, `handle_invalid`, `lists_not_shown`
 */
export const parseListOwners = (registry: Registry, names: readonly string[]): readonly ListOwner[] =>
  names.map((name) => {
    const colon = name.indexOf(':');
    if (colon < 0) {
      throw new OperatorError('handle_invalid', `"${name}" is no account: write platform:handle, as x:nasa.`);
    }
    const adapter = registry.adapterOf(parsePlatform(name.slice(0, colon)));
    if (adapter.readFollows === undefined) {
      const able = registry.adapters.filter(({ readFollows }) => readFollows !== undefined);
      throw new OperatorError(
        'lists_not_shown',
        `${adapter.name} shows no follower lists. These do: ${able.map(({ platform }) => platform).join(', ')}.`,
      );
    }
    const [handle] = parseHandles(adapter, [name.slice(colon + 1)]);
    return { adapter, handle: handle as string };
  });

/**
 * Reads follower lists, one after the other, each from where the last reading stopped.
 * @param options.onProgress called with the members read of a list, and their expected number.
 * @throws {OperatorError} `follow_requests_forbidden`; `follow_requests_spent`, with everything read until then recorded.
 */
export async function* readFollowLists(
  context: OperationsContext,
  owners: readonly ListOwner[],
  options: {
    readonly direction: FollowDirection;
    readonly http: Http;
    readonly signal: AbortSignal;
    readonly onProgress: OnProgress;
  },
): AsyncGenerator<FollowsResult, void, undefined> {
  const { config, db, log } = context;
  const { direction, http, signal, onProgress } = options;
  const quota = createRequestQuota(db, requestsPerDay(config));
  const sweeps = createSweepStore(db);
  const builds = await watchBuilds(db, context.logger);
  const states = createAccountStates(db, builds, context.logger);
  try {
    for (const one of owners) {
      if (signal.aborted) return;
      const { adapter, handle } = one;
      const { platform } = adapter;
      const found = await findOwner(context, one, { direction, states, http, quota });
      if ('gone' in found) {
        yield { platform, handle, direction, reading: null, account: found.gone };
        continue;
      }
      const { owner } = found;
      const most = config.FOLLOWS_MOST;
      const total = Math.min(most, owner.members ?? most);
      const reading = await readList({
        adapter,
        list: { platform, handle, direction, owner: owner.id },
        http,
        log,
        sweeps,
        quota,
        clock: systemClock,
        most,
        stated: owner.members,
        signal,
        onMembers: (members) => onProgress(members, Math.max(members, total)),
      });
      if (reading.end.status === 'quota_spent') throw spent(reading.end.until);
      yield { platform, handle, direction, reading, account: null };
    }
  } finally {
    builds.close();
  }
}

interface Owner {
  readonly id: string;
  /** Members that its profile states; null if unknown. */
  readonly members: number | null;
}

type Found = { readonly owner: Owner } | { readonly gone: string };

const ownerFrom = (
  profile: Pick<Profile, 'id' | 'followers' | 'following'>,
  id: string,
  direction: FollowDirection,
): Owner => ({ id, members: direction === 'followers' ? profile.followers : profile.following });

/** The owner of a list from the catalog; if it is unknown there, from a reading of the account, which costs a request. */
const findOwner = async (
  context: OperationsContext,
  { adapter, handle }: ListOwner,
  options: {
    readonly direction: FollowDirection;
    readonly states: Pick<AccountSnapshots, 'find'>;
    readonly http: Http;
    readonly quota: RequestQuota;
  },
): Promise<Found> => {
  const { direction, states, http, quota } = options;
  const known = (await states.find(adapter.platform, handle))?.state ?? null;
  if (known?.owner.id != null && known.seen !== null && known.gone === null)
    return { owner: ownerFrom(known.seen.profile, known.owner.id, direction) };
  await takeRequest(quota);
  const { reading } = await readAccount(context, adapter, http, handle);
  if (reading.status === 'unknown') return { gone: `unknown: ${reading.reason}: ${reading.detail}` };
  if (reading.status !== 'present' && reading.status !== 'private') return { gone: reading.status };
  const { profile } = reading;
  return profile.id === null
    ? { gone: 'unknown: no surface shows its native id' }
    : { owner: ownerFrom(profile, profile.id, direction) };
};

const spent = (until: string): OperatorError =>
  new OperatorError(
    'follow_requests_spent',
    `All requests for follower lists of this day are used; there are more from ${until}.`,
    { params: { until } },
  );

/** @throws {OperatorError} `follow_requests_forbidden` */
const requestsPerDay = ({ FOLLOWS_REQUESTS_PER_DAY: perDay }: OperationsContext['config']): number => {
  if (perDay > 0) return perDay;
  throw new OperatorError(
    'follow_requests_forbidden',
    'FOLLOWS_REQUESTS_PER_DAY is 0, which forbids requests for follower lists.',
  );
};

const takeRequest = async (quota: RequestQuota): Promise<void> => {
  const until = await quota.take();
  if (until !== null) throw spent(until);
};
