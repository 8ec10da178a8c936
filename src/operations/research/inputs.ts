import type { Queryable } from '../../kernel/postgres/pool.ts';
import { sql } from '../../kernel/postgres/statement.ts';
import { checkpointOf } from '../../projections/checkpoints.ts';
import type { Projection } from '../../projections/projection.ts';
import { DUE_SLOT_MS } from '../../projections/views/frontier/tables.ts';
import { HOUR_MS } from '../../projections/views/pool-stats/tables.ts';
import { listPools, type PoolRow } from '../../read/pools.ts';
import {
  type ChangeCount,
  type EngineHourRow,
  type PoolHourRow,
  type PoolLateness,
  readEngineHours,
  readJumps,
  readLateness,
  readNewest,
  readPoolHours,
  readRenames,
  type Schemas,
} from '../../read/research/runs.ts';
import type { EventLog, RecordedEvent } from '../../write/log/port.ts';
import {
  type PoolEvent,
  type PoolState,
  type PoolTuning,
  poolDecider,
  poolStream,
  TUNABLE,
} from '../../write/pools/pool.ts';
import {
  evidenceOf,
  type Figures,
  hoursThatCount,
  type PoolInput,
  withPriors,
} from '../../write/research/policy.ts';
import { mayChangeOf, type RunLimits } from '../../write/research/research.ts';
import { openSince } from '../pools/pool-settings.ts';

/** The data that a run reads, as of one event. */
export interface Snapshot {
  /** The last event that the counters contain; null for none. */
  readonly asOf: string | null;
  /** Positions of the read models. */
  readonly builds: Readonly<Record<keyof Schemas, string>>;
  /** The time of the database, which is also that of the log's events; the clock of a process may step. */
  readonly nowMs: number;
  /** Pools that are read. */
  readonly pools: readonly PoolRow[];
  readonly poolHours: ReadonlyMap<string, readonly PoolHourRow[]>;
  readonly engineHours: ReadonlyMap<string, readonly EngineHourRow[]>;
  readonly renames: readonly ChangeCount[];
  readonly jumps: readonly ChangeCount[];
  readonly lateness: ReadonlyMap<string, PoolLateness>;
}

/** The time of the database. */
export const timeOf = async (db: Queryable): Promise<number> => {
  const { rows } = await db.query<{ now: string }>(sql`select now() as now`);
  return Date.parse((rows[0] as { now: string }).now);
};

/** Seconds after which a due account is late, counted while its pool is crawled. */
export const graceOf = ({ refresh_max_s }: Pick<PoolRow, 'refresh_max_s'>): number =>
  Math.max(GRACE_S, Math.round(GRACE_SHARE * refresh_max_s));

/** Whether a read model is at most minutes behind the log. One that is further behind shows read accounts as due. */
export const isCurrent = async (
  log: EventLog,
  { types, streamPrefixes = [] }: Projection,
  position: string,
  nowMs: number,
): Promise<boolean> => {
  for await (const { events } of log.readAll(BigInt(position), { types, streamPrefixes, pageSize: 1 })) {
    const [next] = events;
    if (next !== undefined) return nowMs - Date.parse(next.recorded_at) < LAG_MS;
  }
  return true;
};

/** Reads the inputs of a run. @param db in a transaction whose statements see one snapshot. */
export const readSnapshot = async (db: Queryable, schemas: Schemas): Promise<Snapshot> => {
  const nowMs = await timeOf(db);
  const since = Math.floor(nowMs / HOUR_MS) - HOURS;
  const from = new Date(since * HOUR_MS);
  const pools = (await listPools(db, schemas.pools)).filter(isRead);
  const slots = pools.map((row) => ({ ...row, beforeSlot: lateSlot(row, nowMs) }));
  return {
    asOf: (await readNewest(db, schemas))?.event ?? null,
    builds: await buildsOf(db, schemas),
    nowMs,
    pools,
    poolHours: Map.groupBy(await readPoolHours(db, schemas, since), ({ pool }) => pool),
    engineHours: Map.groupBy(await readEngineHours(db, schemas, since), ({ engine }) => engine),
    renames: await readRenames(db, schemas, from),
    jumps: await readJumps(db, schemas, from),
    lateness: await readLateness(db, schemas, slots),
  };
};

/** A pool with its figures, and the events they are based on. */
export interface EvaluatedPool extends PoolInput {
  readonly evidence: readonly string[];
  /** The pool's last event when its settings were read. */
  readonly settings: string | null;
}

/** The hours of a pool that count as evidence. */
export const evidenceHours = (
  hours: readonly PoolHourRow[],
  nowMs: number,
  halfLifeH: number,
): readonly PoolHourRow[] => {
  const now = Math.floor(nowMs / HOUR_MS);
  return hours.filter(({ hour }) => hour > now - hoursThatCount(halfLifeH));
};

/** Figures of all pools of a snapshot, as the policy takes them. */
export const evaluatePools = async (
  log: EventLog,
  { pools, poolHours, lateness, nowMs }: Snapshot,
  runLimits: RunLimits,
): Promise<readonly EvaluatedPool[]> => {
  const { limits } = runLimits;
  const mayChange = mayChangeOf(runLimits);
  const evaluated: (Omit<EvaluatedPool, 'figures'> & { readonly figures: Omit<Figures, 'prior'> })[] = [];
  for (const row of pools) {
    const hours = evidenceHours(poolHours.get(row.pool) ?? [], nowMs, limits.half_life_h);
    const { recent, settings } = await readRecentSettings(log, row, nowMs);
    const figures = {
      share: row.share,
      size_cap: row.size_cap,
      ...recent,
      accounts: lateness.get(row.pool)?.accounts ?? null,
      ...evidenceOf(hours, Math.floor(nowMs / HOUR_MS), limits.half_life_h),
      may_change: mayChange(row.pool) ? 1 : 0,
    };
    evaluated.push({ pool: row.pool, platform: row.platform, figures, evidence: reportsOf(hours), settings });
  }
  return withPriors(evaluated);
};

/** A pool's settings within the last hour, as of its row in the read model, and the event that the row includes last. */
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

/** A pool's settings as of one of its events, within the hour before an instant; null if its stream lacks the event. */
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

/**
 * A pool as it is now: its row in the read model with the later events of its stream. Includes the decisions that were
 * carried out since a log position.
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

const buildsOf = async (db: Queryable, schemas: Schemas): Promise<Snapshot['builds']> => {
  const positions: [string, string][] = [];
  for (const [name, schema] of Object.entries(schemas))
    positions.push([name, String(await checkpointOf(db, schema))]);
  return Object.fromEntries(positions) as Snapshot['builds'];
};

/** Hours that findings compare, and the longest half-life needs. */
const HOURS = 390;
const GRACE_S = 7_200;
/** Fraction of their longest interval by which accounts may be late. */
const GRACE_SHARE = 0.1;

/** Accounts that became due before this slot are late; 0 if the pool was not crawled for long enough. */
const lateSlot = (row: Pick<PoolRow, 'refresh_max_s' | 'schedule'>, nowMs: number): number => {
  const since = openSince(row.schedule, nowMs, graceOf(row));
  return since === null ? 0 : Math.floor(since / DUE_SLOT_MS);
};

const isRead = ({ paused, retired_at }: PoolRow): boolean => !paused && retired_at === null;

/** Maximum age of events that the read model may still lack. */
const LAG_MS = 300_000;

const MAX_EVIDENCE = 50;

/** The last and the first report of hours, newest hour first. */
const reportsOf = (hours: readonly PoolHourRow[]): readonly string[] => {
  const ids = hours
    .toReversed()
    .flatMap(({ last_report, first_report }) => [last_report, first_report])
    .filter((id) => id !== null);
  return [...new Set(ids)].slice(0, MAX_EVIDENCE);
};

/** Extremes of a pool's share and cap within an hour, from which hourly limits are measured. */
interface RecentSettings {
  readonly share_least: number;
  readonly share_greatest: number;
  readonly size_cap_least: number;
}

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

/** Whether the events go back far enough to know the limited settings at the beginning of the hour. */
const haveHour = (events: NewestFirst, nowMs: number): boolean => {
  const oldest = events.at(-1);
  if (oldest === undefined || Date.parse(oldest.recorded_at) > nowMs - HOUR_MS) return false;
  return LIMITED.every((name) => {
    const { recent, former } = settingEvents(events, name, nowMs);
    return recent.length === 0 || former.length > 0;
  });
};

/** Reads a pool's stream backwards until it is enough, since pools have more events than a run needs. */
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

const tuningOf = (row: PoolRow): PoolTuning =>
  Object.fromEntries(TUNABLE.map((name) => [name, row[name]])) as unknown as PoolTuning;
