import type { PoolRow } from '../../read/pools.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import {
  type PoolEvent,
  type PoolState,
  type PoolTuning,
  poolDecider,
  poolStream,
  TUNABLE,
} from '../../write/pools/pool.ts';

/** Shares and caps that a pool had within an hour: what limits per hour are measured from. */
export interface RecentSettings {
  readonly share_least: number;
  readonly share_greatest: number;
  readonly size_cap_least: number;
}

const HOUR_MS = 3_600_000;
const PAGE = 20;
const LIMITED = ['share', 'size_cap'] as const;
type Limited = (typeof LIMITED)[number];

/** Events of a pool, the newest first. */
type NewestFirst = readonly RecordedEvent[];

const settingOf = ({ data }: RecordedEvent, name: Limited): number | undefined =>
  (data as Partial<PoolTuning>)[name];

/** Events that set a setting within the hour before an instant, and those that set it before. */
const settingEvents = (events: NewestFirst, name: Limited, nowMs: number) => {
  const setting = events.filter((event) => settingOf(event, name) !== undefined);
  const isRecent = ({ recorded_at }: RecordedEvent) => Date.parse(recorded_at) > nowMs - HOUR_MS;
  return { recent: setting.filter(isRecent), former: setting.filter((event) => !isRecent(event)) };
};

/** Whether events go back to what limited settings were at the beginning of the hour. */
const haveHour = (events: NewestFirst, nowMs: number): boolean => {
  const oldest = events.at(-1);
  if (oldest === undefined || Date.parse(oldest.recorded_at) > nowMs - HOUR_MS) return false;
  return LIMITED.every((name) => {
    const { recent, former } = settingEvents(events, name, nowMs);
    return recent.length === 0 || former.length > 0;
  });
};

/** Reads a pool's stream backwards, as far as it takes: pools have more events than a run needs. */
const readBackwards = async (
  log: EventLog,
  pool: string,
  isEnough: (events: NewestFirst) => boolean,
): Promise<NewestFirst> => {
  const events: RecordedEvent[] = [];
  for (;;) {
    const last = events.at(-1);
    if (last?.revision === 0n || isEnough(events)) return events;
    const from = last === undefined ? {} : { from: last.revision - 1n };
    const page = await log.readStream(poolStream(pool), { direction: 'backwards', limit: PAGE, ...from });
    if (page.length === 0) return events;
    events.push(...page);
  }
};

const reach = (events: NewestFirst, position: bigint): boolean =>
  (events.at(-1)?.position ?? position + 1n) <= position;

/** Values that a setting had within the hour before an instant, with that at its beginning. */
const valuesOf = (events: NewestFirst, name: Limited, present: number, nowMs: number): readonly number[] => {
  const { recent, former } = settingEvents(events, name, nowMs);
  if (recent.length === 0) return [present];
  return [...recent, ...former.slice(0, 1)].map((event) => settingOf(event, name) as number);
};

const recentSettings = (
  events: NewestFirst,
  { share, size_cap }: Pick<PoolTuning, Limited>,
  nowMs: number,
): RecentSettings => {
  const shares = valuesOf(events, 'share', share, nowMs);
  return {
    share_least: Math.min(...shares),
    share_greatest: Math.max(...shares),
    size_cap_least: Math.min(...valuesOf(events, 'size_cap', size_cap, nowMs)),
  };
};

type Changed = Pick<PoolRow, 'pool' | 'changed' | Limited>;

/** What a pool's settings were within the hour, as of the row of its read model, and the event that the row is as of. */
export const readRecentSettings = async (
  log: EventLog,
  row: Changed,
  nowMs: number,
): Promise<{ readonly recent: RecentSettings; readonly settings: string | null }> => {
  const changed = BigInt(row.changed);
  const until = (events: NewestFirst) => events.filter(({ position }) => position <= changed);
  const events = until(await readBackwards(log, row.pool, (read) => haveHour(until(read), nowMs)));
  return { recent: recentSettings(events, row, nowMs), settings: events[0]?.id ?? null };
};

/** What a pool's settings were as of one of its events, within the hour before an instant; null if its stream has no such event. */
export const readSettingsAt = async (
  log: EventLog,
  pool: string,
  id: string,
  nowMs: number,
): Promise<(RecentSettings & Pick<PoolTuning, Limited>) | null> => {
  const from = (events: NewestFirst): NewestFirst => {
    const first = events.findIndex((event) => event.id === id);
    return first === -1 ? [] : events.slice(first);
  };
  const present = (events: NewestFirst, name: Limited) =>
    events.map((event) => settingOf(event, name)).find((value) => value !== undefined);
  const isKnown = (events: NewestFirst) => LIMITED.every((name) => present(events, name) !== undefined);
  const events = from(
    await readBackwards(log, pool, (read) => isKnown(from(read)) && haveHour(from(read), nowMs)),
  );
  const [share, size_cap] = [present(events, 'share'), present(events, 'size_cap')];
  if (share === undefined || size_cap === undefined) return null;
  return { share, size_cap, ...recentSettings(events, { share, size_cap }, nowMs) };
};

const tuningOf = (row: PoolRow): PoolTuning =>
  Object.fromEntries(TUNABLE.map((name) => [name, row[name]])) as unknown as PoolTuning;

/**
 * A pool as it is now: the row of its read model, and what its stream has since. It knows the decisions that were carried out since a position
 * of the log.
 */
export const readPool = async (
  log: EventLog,
  row: PoolRow,
  since: bigint,
  nowMs: number,
): Promise<{
  readonly state: PoolState;
  readonly revision: bigint | null;
  readonly recent: RecentSettings | null;
}> => {
  const changed = BigInt(row.changed);
  const oldest = changed < since ? changed : since;
  const events = await readBackwards(log, row.pool, (read) => reach(read, oldest) && haveHour(read, nowMs));
  const decisions = events.flatMap(
    ({ data }) => (data as { readonly decision?: string | null }).decision ?? [],
  );
  const base: PoolState = {
    ...{ exists: true, paused: row.paused, retired: row.retired_at !== null, tuning: tuningOf(row) },
    decisions: decisions.toReversed(),
  };
  const newer = events.filter(({ position }) => position > changed).toReversed();
  const state = (newer as unknown as readonly PoolEvent[]).reduce(poolDecider.evolve, base);
  const { tuning } = state;
  return {
    state,
    revision: events[0]?.revision ?? null,
    recent: tuning === null ? null : recentSettings(events, tuning, nowMs),
  };
};
