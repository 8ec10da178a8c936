import type { Clock } from '../../kernel/clock.ts';
import type { Platform } from '../../kernel/platform.ts';
import { recordSighting } from '../../write/accounts/record-sighting.ts';
import type { AccountSnapshots } from '../../write/accounts/snapshot.ts';
import type { LogAvailability } from '../../write/log/availability.ts';
import { type EventLog, LogUnavailableError } from '../../write/log/port.ts';
import { sightingOf } from '../engine/sighting.ts';
import type { Http } from '../http/port.ts';
import type { Pauses } from '../http/rate-limited-http.ts';
import type { Address, PlatformAdapter, Reading } from '../platforms/adapter.ts';
import { logUnavailableError, platformPausedError, toServiceError } from './error-mapping.ts';

/** A conclusive reading, and when it was made. */
export interface LiveReading {
  readonly reading: Exclude<Reading, { status: 'unknown' }>;
  readonly observedAtMs: number;
}

export interface LiveReader {
  /**
   * Reads an account from its platform and appends the sighting. Concurrent calls for one account share a reading.
   * @throws {ServiceError} `platform_…` if the reading is inconclusive or the platform is paused;
   * `service_unavailable`, before the platform is asked, if the event log is unavailable.
   */
  read(platform: Platform, address: Address, requestId: string): Promise<LiveReading>;
}

/** Timeout of the log's availability check before a platform is asked. */
const LOG_MS = 2_000;

export const createLiveReader = (options: {
  readonly adapterOf: (platform: Platform) => PlatformAdapter;
  readonly http: Http;
  readonly pauses: Pauses;
  readonly log: EventLog;
  readonly snapshots?: AccountSnapshots;
  /** Nothing is read that could not be stored. */
  readonly availability: Pick<LogAvailability, 'answers'>;
  readonly clock: Clock;
}): LiveReader => {
  const { http, pauses, log, availability, clock } = options;
  const under = new Map<string, Promise<LiveReading>>();

  const read = async (platform: Platform, address: Address, requestId: string): Promise<LiveReading> => {
    const pausedMs = await pauses.pausedMs(platform);
    if (pausedMs > 0) throw platformPausedError(pausedMs);
    if (!(await availability.answers(LOG_MS))) throw logUnavailableError();
    const reading = await options.adapterOf(platform).read(address, { http, posts: false });
    // It respects the breaker but never opens it: a caller's failures must not stop the crawl.
    if (reading.status === 'unknown') throw toServiceError(reading);
    const observedAtMs = clock.now();
    const handle =
      reading.status === 'present' || reading.status === 'private'
        ? reading.profile.handle
        : address.kind === 'handle'
          ? address.handle
          : null;
    // A verdict on an ID without a known handle has no stream to be appended to.
    if (handle !== null) {
      const sighting = sightingOf(reading, observedAtMs, 'live');
      const { snapshots } = options;
      const context = { nowMs: observedAtMs, metadata: { request_id: requestId }, snapshots };
      await recordSighting(log, platform, handle, sighting, context).catch((error: unknown) => {
        throw error instanceof LogUnavailableError ? logUnavailableError() : error;
      });
    }
    return { reading, observedAtMs };
  };

  return {
    read: (platform, address, requestId) => {
      const key = `${platform} ${address.kind} ${address.kind === 'id' ? address.id : address.handle}`;
      let pending = under.get(key);
      if (pending === undefined) {
        pending = read(platform, address, requestId).finally(() => under.delete(key));
        under.set(key, pending);
      }
      return pending;
    },
  };
};
