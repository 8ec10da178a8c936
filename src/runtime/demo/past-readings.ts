import type { PastReading } from '../../../infra/simulator/thread-messages.ts';
import { accountStream } from '../../write/accounts/events.ts';
import { recordSighting } from '../../write/accounts/record-sighting.ts';
import type { EventLog } from '../../write/log/port.ts';

/**
 * Records readings of weeks before the demo began, so that growth has a past. An account that was read before keeps its own.
 * @param readings of accounts of X, the oldest first.
 */
export const recordPast = async (
  log: EventLog,
  readings: readonly PastReading[],
  nowMs: number,
): Promise<void> => {
  const ofAccount = async (handle: string, own: readonly PastReading[]): Promise<void> => {
    const stream = await log.readStream(accountStream('x', handle), { limit: 1 });
    if (stream.length > 0) return;
    for (const { at, surface, profile } of own) {
      const links = [...profile.links];
      const found = { status: 'active' as const, profile: { ...profile, links }, posts: null, measured: [] };
      await recordSighting(
        log,
        'x',
        handle,
        { observedAt: at, source: 'crawler', surface, found },
        { nowMs },
      );
    }
  };
  const byHandle = Map.groupBy(readings, ({ profile }) => profile.handle);
  await Promise.all([...byHandle].map(([handle, own]) => ofAccount(handle, own)));
};
