import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import { poolDecider } from '../../write/pools/decide.ts';
import { type PoolEvent, poolStream } from '../../write/pools/events.ts';

/** Shares and caps that a pool had within an hour: what limits per hour are measured from. */
export interface RecentSettings {
  readonly share_least: number;
  readonly share_greatest: number;
  readonly size_cap_least: number;
}

const HOUR_MS = 3_600_000;

interface Settings {
  readonly share: number;
  readonly size_cap: number;
}

const settingsAfter = (
  events: readonly RecordedEvent[],
): readonly (Settings & { readonly atMs: number })[] => {
  const found: (Settings & { readonly atMs: number })[] = [];
  let state = poolDecider.initial;
  for (const event of events) {
    state = poolDecider.evolve(state, event as unknown as PoolEvent);
    const { tuning } = state;
    if (tuning !== null)
      found.push({ share: tuning.share, size_cap: tuning.size_cap, atMs: Date.parse(event.recorded_at) });
  }
  return found;
};

/** Settings of the last hour, with those at its beginning. */
const recentSettings = (events: readonly RecordedEvent[], nowMs: number): RecentSettings | null => {
  const all = settingsAfter(events);
  const first = all.findLastIndex(({ atMs }) => atMs <= nowMs - HOUR_MS);
  const recent = all.slice(Math.max(0, first));
  if (recent.length === 0) return null;
  const shares = recent.map(({ share }) => share);
  return {
    share_least: Math.min(...shares),
    share_greatest: Math.max(...shares),
    size_cap_least: Math.min(...recent.map(({ size_cap }) => size_cap)),
  };
};

/** The same of a pool's stream, which is read only if the pool changed within the hour. */
export const readRecentSettings = async (
  log: EventLog,
  { pool, share, size_cap, changed_at }: Settings & { readonly pool: string; readonly changed_at: string },
  nowMs: number,
): Promise<RecentSettings> => {
  const same = { share_least: share, share_greatest: share, size_cap_least: size_cap };
  if (Date.parse(changed_at) < nowMs - HOUR_MS) return same;
  return recentSettings(await log.readStream(poolStream(pool)), nowMs) ?? same;
};
