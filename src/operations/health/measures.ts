/** Measures of the service, from which alarms are raised and which `/metrics` shows. */

import type { EngineState, PoolBacklog } from '../../read/engines.ts';
import type { Facts } from './facts.ts';
import { isAlive, missingRoles, type ServiceProcess } from './processes.ts';

/** A value, and what it is of. */
export interface Value {
  readonly subject: string;
  readonly value: number;
}

export interface Measure {
  /** In metrics `sightline_<name>`. */
  readonly name: string;
  readonly help: string;
  /** The label that names the subject; null for a measure of the whole service. */
  readonly label: string | null;
  /** The metric that shows it already, if it is not its own. */
  readonly shownBy?: string;
  /** Values; null if what they need could not be read. */
  readonly of: (facts: Facts) => readonly Value[] | null;
}

/** The subject of what there is one of. */
const WHOLE = 'service';

const one = (values: readonly number[] | null): readonly Value[] | null =>
  values?.map((value) => ({ subject: WHOLE, value })) ?? null;

/** A measure of engines; undefined leaves one out. */
const ofEngines =
  (of: (engine: EngineState, nowMs: number) => number | undefined) =>
  ({ engines, nowMs }: Facts): readonly Value[] | null =>
    engines?.flatMap((engine) => {
      const value = of(engine, nowMs);
      return value === undefined ? [] : [{ subject: engine.key, value }];
    }) ?? null;

/** Readings and requests that a share is taken of at least. */
const LEAST = 20;

/** Seconds in which accounts were due and none was read. */
const silence = ({ row, status, backlog, oldestDueS }: EngineState, nowMs: number): number | undefined => {
  if (backlog === null || status === 'paused') return undefined;
  if (backlog === 0 || oldestDueS === null) return 0;
  const readAt = row?.read_at ?? null;
  return readAt === null
    ? oldestDueS
    : Math.max(0, Math.min(oldestDueS, (nowMs - Date.parse(readAt)) / 1_000));
};

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

const ofPools =
  (of: (pool: PoolBacklog) => number) =>
  ({ engines }: Facts): readonly Value[] | null =>
    engines?.flatMap(({ pools }) => pools.map((each) => ({ subject: each.pool, value: of(each) }))) ?? null;

/** The least value of each host's processes. */
const ofHosts =
  (of: (process: ServiceProcess) => number | null) =>
  ({ processes }: Facts): readonly Value[] | null => {
    if (processes === null) return null;
    const values = processes.filter(isAlive).flatMap((each) => {
      const value = of(each);
      return value === null ? [] : [{ subject: each.host, value }];
    });
    return [...Map.groupBy(values, ({ subject }) => subject)].map(([subject, all]) => ({
      subject,
      value: Math.min(...all.map(({ value }) => value)),
    }));
  };

const MEASURES_OF = {
  role_silent_seconds: {
    help: 'Time since a process of a role was heard of, where no process has the role any more; 0 while one has it.',
    label: 'role',
    of: ({ processes }) => {
      if (processes === null) return null;
      const missing = new Map(missingRoles(processes).map(({ role, silent_s }) => [role, silent_s]));
      const roles = new Set(processes.flatMap((each) => each.roles));
      return [...roles].map((role) => ({ subject: role, value: missing.get(role) ?? 0 }));
    },
  },
  failing_requests_ratio: {
    help: 'Share of the requests of the last five minutes that the service failed (5xx), of 20 or more.',
    label: null,
    of: ({ processes }) => {
      if (processes === null) return null;
      const alive = processes.filter(isAlive);
      const requests = sum(alive.map((each) => each.requests ?? 0));
      return requests < LEAST ? [] : one([sum(alive.map((each) => each.failed ?? 0)) / requests]);
    },
  },
  projection_lag_seconds: {
    help: 'Age of the oldest event that a read model has not seen yet; 0 if it has seen all.',
    label: 'projection',
    of: ({ lags }) =>
      lags?.map(({ projection, seconds }) => ({ subject: projection, value: seconds })) ?? null,
  },
  projection_stalls: {
    help: 'Partitions of a read model that are stalled.',
    label: 'projection',
    shownBy: 'sightline_projection_stalled',
    of: ({ stalls }) => {
      if (stalls === null) return null;
      return [...Map.groupBy(stalls, ({ projection }) => projection)].map(([subject, all]) => ({
        subject,
        value: all.length,
      }));
    },
  },
  parked_streams: {
    help: 'Streams in the dead-letter queue of a read model.',
    label: 'projection',
    shownBy: 'sightline_projection_parked_streams',
    of: ({ parked }) =>
      parked?.map(({ projection, streams }) => ({ subject: projection, value: streams })) ?? null,
  },
  relay_lag_seconds: {
    help: 'Age of the oldest event that was not published to Kafka yet; absent before the relay first ran.',
    label: null,
    of: ({ relay }) => one(relay),
  },
  crawl_silent_seconds: {
    help: 'Time without a reading while accounts are due; 0 while none is. Engines that an operator paused are left out.',
    label: 'engine',
    of: ofEngines(silence),
  },
  engine_degraded: {
    help: '1 while the platform refuses requests or shows what can’t be read.',
    label: 'engine',
    of: ofEngines(({ status }) => (status === 'blocked' || status === 'degraded' ? 1 : 0)),
  },
  engine_paused: {
    help: '1 while an operator’s pause is in force, or one that failed readings began.',
    label: 'engine',
    of: ofEngines(({ status, pause }) => (status === 'paused' || pause !== null ? 1 : 0)),
  },
  inconclusive_readings_ratio: {
    help: 'Share of the readings of the last minute without a conclusive outcome, of 20 or more.',
    label: 'engine',
    of: ofEngines(({ successRate, outcomes }) =>
      successRate === null || sum(Object.values(outcomes)) < LEAST ? undefined : 1 - successRate,
    ),
  },
  freshness_over_target: {
    help: 'Age of the readings of 95 % of the accounts, divided by the age that pools allow.',
    label: 'engine',
    of: ofEngines(({ freshness: { p95_s, target_s } }) =>
      p95_s === null || target_s === null ? undefined : p95_s / target_s,
    ),
  },
  backlog_age_seconds: {
    help: 'Time for which the oldest due account has waited; 0 if none is due.',
    label: 'engine',
    of: ofEngines(({ backlog, oldestDueS }) => (backlog === null ? undefined : (oldestDueS ?? 0))),
  },
  backlog_accounts: {
    help: 'Accounts that are due.',
    label: 'engine',
    of: ofEngines(({ backlog }) => backlog ?? undefined),
  },
  readings_per_minute: {
    help: 'Readings a minute in the last hour.',
    label: 'engine',
    of: ofEngines(({ perMin }) => perMin['1h'] ?? undefined),
  },
  pool_accounts: {
    help: 'Accounts of a pool.',
    label: 'pool',
    of: ofPools(({ members }) => members),
  },
  pool_due_accounts: {
    help: 'Accounts of a pool that are due.',
    label: 'pool',
    of: ofPools(({ backlog }) => backlog),
  },
  usable_sessions: {
    help: 'Sessions that can send requests now, of platforms that have sessions.',
    label: 'platform',
    of: ({ sessions }) => {
      if (sessions === null) return null;
      return [...Map.groupBy(sessions, ({ platform }) => platform)].map(([subject, all]) => ({
        subject,
        value: all.filter(({ status }) => status === 'active').length,
      }));
    },
  },
  wallet_balance_usd: {
    help: 'The twenty lowest balances of wallets, US dollars.',
    label: 'holder',
    of: ({ balances }) => balances?.map(({ holder, usd }) => ({ subject: holder, value: usd })) ?? null,
  },
  disk_free_bytes: {
    help: 'Space that is left on the file system of SIGHTLINE_HOME.',
    label: 'host',
    of: ofHosts(({ disk_free }) => disk_free),
  },
  disk_hours_left: {
    help: 'Time until that file system is full, at the pace of the last hour; absent where it does not fill.',
    label: 'host',
    of: ofHosts(({ disk_hours_left }) => disk_hours_left),
  },
  backup_age_seconds: {
    help: 'Age of the last verified backup; of the log where there is none.',
    label: null,
    of: ({ backupsMs, nowMs }) => one(backupsMs?.map((ms) => Math.max(0, (nowMs - ms) / 1_000)) ?? null),
  },
  research_failed: {
    help: '1 if the last run of research failed.',
    label: null,
    of: ({ research }) => one(research?.map(Number) ?? null),
  },
  research_capped_pools: {
    help: 'Full pools whose cap research may not raise: it has reached the limit of runs.',
    label: null,
    of: ({ pools, engines }) => {
      if (pools === null || engines === null) return null;
      const members = new Map(
        engines.flatMap((engine) => engine.pools.map((each) => [each.pool, each.members] as const)),
      );
      const full = pools.rows.filter(
        ({ pool, size_cap, retired_at }) =>
          retired_at === null && size_cap >= pools.mostAccounts && (members.get(pool) ?? 0) >= size_cap,
      );
      return one([full.length]);
    },
  },
  pending_builds: {
    help: 'Builds of a read model that don’t serve yet.',
    label: 'projection',
    of: ({ pending }) =>
      pending?.map(({ projection, builds }) => ({ subject: projection, value: builds })) ?? null,
  },
} as const satisfies Readonly<Record<string, Omit<Measure, 'name'>>>;

export type MeasureName = keyof typeof MEASURES_OF;

export const MEASURES: readonly Measure[] = Object.entries(MEASURES_OF).map(([name, measure]) => ({
  name,
  ...measure,
}));

/** Values by measure; null for one that could not be read. */
export type Measured = Readonly<Record<string, readonly Value[] | null>>;

export const measure = (facts: Facts): Measured =>
  Object.fromEntries(MEASURES.map(({ name, of }) => [name, of(facts)]));
