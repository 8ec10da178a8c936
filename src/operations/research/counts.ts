import { HOUR_MS } from '../../projections/views/pool-stats/tables.ts';
import type { ChangeCount, EngineHourRow, PoolHourRow } from '../../read/research/counters.ts';
import type { Counts, EngineCounts, PoolCounts } from '../../write/research/findings/rules.ts';
import type { CountedHour } from '../../write/research/findings/series.ts';
import { graceOf, type Snapshot } from './inputs.ts';

const known = (...ids: readonly (string | null)[]): readonly string[] => ids.flatMap((id) => id ?? []);

const reports = (row: PoolHourRow | EngineHourRow | undefined): readonly string[] =>
  row === undefined ? [] : known(row.last_report, row.first_report);

/** Part of an hour that has passed. */
const passed = (hour: number, nowMs: number): number => Math.min(1, (nowMs - hour * HOUR_MS) / HOUR_MS);

/** Every hour from the first one with a row on: where nothing was counted, hours count as none. */
const everyHour = <Row extends { readonly hour: number }>(
  rows: readonly Row[],
  nowMs: number,
): readonly { readonly hour: number; readonly row: Row | undefined }[] => {
  const byHour = new Map(rows.map((row) => [row.hour, row]));
  const first = rows[0]?.hour;
  const last = Math.floor(nowMs / HOUR_MS);
  if (first === undefined || first > last) return [];
  return Array.from({ length: last - first + 1 }, (_, n) => ({
    hour: first + n,
    row: byHour.get(first + n),
  }));
};

type Changes = ReadonlyMap<string, readonly ChangeCount[]>;

const changesBy = (changes: readonly ChangeCount[]): Changes => Map.groupBy(changes, ({ by }) => by);

/** Changes of accounts, of readings. */
const ofReadings = (
  changes: readonly ChangeCount[] = [],
  rows: readonly (PoolHourRow | EngineHourRow)[],
): readonly CountedHour[] => {
  const found = new Map(changes.map(({ hour, n }) => [hour, n]));
  return rows.map((row) => ({
    hour: row.hour,
    count: found.get(row.hour) ?? 0,
    exposure: row.readings,
    evidence: reports(row),
  }));
};

const poolCounts = (
  { poolHours, lateness, nowMs }: Snapshot,
  jumps: Changes,
  isFrontierCurrent: boolean,
  row: Snapshot['pools'][number],
): PoolCounts => {
  const rows = poolHours.get(row.pool) ?? [];
  const late = lateness.get(row.pool);
  return {
    pool: row.pool,
    platform: row.platform,
    discovered: rows.map((each) => ({
      hour: each.hour,
      count: each.discovered,
      exposure: each.requests,
      evidence: reports(each),
    })),
    demanded: everyHour(rows, nowMs).map(({ hour, row: each }) => ({
      hour,
      count: each?.demanded ?? 0,
      exposure: passed(hour, nowMs),
      evidence: known(each?.last_demand ?? null),
    })),
    jumps: ofReadings(jumps.get(row.pool), rows),
    late:
      !isFrontierCurrent || late === undefined || late.accounts === 0
        ? null
        : { late: late.late, accounts: late.accounts, graceS: graceOf(row) },
  };
};

const engineCounts = (
  { nowMs }: Snapshot,
  renames: Changes,
  engine: string,
  rows: readonly EngineHourRow[],
): EngineCounts => ({
  engine,
  errors: rows.map((row) => ({
    hour: row.hour,
    count: row.errors,
    exposure: row.readings,
    evidence: reports(row),
  })),
  alarms: rows.map((row) => ({
    hour: row.hour,
    count: row.alarms,
    exposure: passed(row.hour, nowMs),
    evidence: known(row.last_alarm),
  })),
  renames: ofReadings(renames.get(engine), rows),
});

/** The counters that rules of findings look at. @param isFrontierCurrent whether it is known which accounts are late. */
export const countsOf = (snapshot: Snapshot, isFrontierCurrent: boolean): Counts => {
  const [jumps, renames] = [changesBy(snapshot.jumps), changesBy(snapshot.renames)];
  return {
    now: Math.floor(snapshot.nowMs / HOUR_MS),
    pools: snapshot.pools.map((row) => poolCounts(snapshot, jumps, isFrontierCurrent, row)),
    engines: [...snapshot.engineHours].map(([engine, rows]) => engineCounts(snapshot, renames, engine, rows)),
  };
};
