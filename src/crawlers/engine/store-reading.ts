import type { Clock } from '../../kernel/clock.ts';
import { uuidV7 } from '../../kernel/ids.ts';
import type { AccountSnapshots } from '../../write/accounts/account.ts';
import { accountStream, recordSighting } from '../../write/accounts/account.ts';
import type { EventLog } from '../../write/log/port.ts';
import { type Mention, mentionsOf } from '../discovery.ts';
import type { Frontier, Lease } from '../frontier.ts';
import type { PlatformAdapter } from '../platforms/adapter.ts';
import type { Recruiter } from '../recruiter.ts';
import { type ConclusiveReading, sightingOf } from './sighting.ts';

/** An ID whose account is followed by its handle is not read again soon. */
const KNOWN_BY_HANDLE_MS = 7 * 86_400_000;

/**
 * Stores the reading of a leased account: recruits the accounts that the reading names, appends the sighting, and completes
 * the lease. In this order, since a crash in between leaves the account due: it is read again, and names them again.
 * @param options.keep retries an append while the log is unavailable.
 * @param options.onDiscovered called with the number of accounts that a pool's account led to.
 * @returns a function that stores one reading and returns the handle under which it is stored.
 */
export const createReadingStore =
  (options: {
    readonly adapter: PlatformAdapter;
    readonly log: EventLog;
    readonly snapshots?: AccountSnapshots;
    readonly frontier: Pick<Frontier, 'done'>;
    readonly recruiter: Pick<Recruiter, 'recruit'>;
    readonly clock: Clock;
    readonly keep: <T>(work: () => Promise<T>) => Promise<T>;
    readonly onDiscovered: (pool: string, accounts: number) => void;
  }) =>
  async (
    { handle: named, pool, depth, isNew }: Lease,
    reading: ConclusiveReading,
    startedAt: number,
  ): Promise<string> => {
    const { adapter, log, snapshots, frontier, recruiter, clock, keep } = options;
    const { platform } = adapter;
    const seen =
      reading.status === 'present' || reading.status === 'private' ? reading.profile.handle : named;
    // The account was linked by its ID: from now on it is followed by its handle.
    const byId = adapter.isBareId(named) && seen !== named;
    // An account that has lost its handle is stored by its ID.
    const handle = byId || adapter.isBareId(seen) ? seen : named;
    const sighting = sightingOf(reading, startedAt, 'crawler');
    // The same events on every retry, so that one with unknown outcome is not appended twice.
    const ids = new Map<string, string>();
    const nowMs = clock.now();
    const idOf = ({ type }: { readonly type: string }) => {
      const id = ids.get(type) ?? uuidV7(nowMs);
      ids.set(type, id);
      return id;
    };
    const from = accountStream(platform, handle);
    const recruit = async (found: readonly Mention[]): Promise<void> => {
      const { discovered } = await keep(() => recruiter.recruit(found, { from, pool, depth }, clock.now()));
      options.onDiscovered(pool, discovered);
    };
    if (byId) await recruit([{ platform, handle, via: 'link', isRenamed: true }]);
    if (reading.status === 'present') await recruit(mentionsOf(reading, platform));
    const context = { nowMs, idOf, snapshots, isNew: isNew && !byId };
    await keep(() => recordSighting(log, platform, handle, sighting, context));
    await frontier.done(platform, named, clock.now() + (byId ? KNOWN_BY_HANDLE_MS : 0));
    return handle;
  };
