/** What measures are taken of: everything that alarms ask, read at once. */

import { systemClock } from '../../kernel/clock.ts';
import type { Db, Queryable } from '../../kernel/postgres/pool.ts';
import { ident, sql } from '../../kernel/postgres/statement.ts';
import { listBuilds } from '../../projections/builds/builds.ts';
import { countParked } from '../../projections/dead-letters/parking.ts';
import { lagOf } from '../../projections/engine/lag.ts';
import { projections } from '../../projections/registry.ts';
import { listStalls } from '../../projections/stalls.ts';
import type { Builds } from '../../read/active-builds.ts';
import { type EngineState, readEngines } from '../../read/engines.ts';
import { listBalances } from '../../read/holders.ts';
import type { ListReads } from '../../read/lists.ts';
import { listPools, type PoolRow } from '../../read/pools.ts';
import type { EventLog } from '../../write/log/port.ts';
import { readRelayCheckpoint } from '../../write/messaging/relay.ts';
import type { Keyring } from '../../write/secrets.ts';
import { BACKUPS_STREAM } from '../../write/upkeep.ts';
import { readActiveLimits } from '../research/limits.ts';
import { listSessions, type SessionListed } from '../sessions/sessions.ts';
import { listProcesses, type ServiceProcess } from './processes.ts';

/** Each null if it could not be read. */
export interface Facts {
  readonly nowMs: number;
  readonly processes: readonly ServiceProcess[] | null;
  /** Seconds since the oldest event that a read model has not seen; of those that are built. */
  readonly lags: readonly { readonly projection: string; readonly seconds: number }[] | null;
  readonly stalls: readonly { readonly projection: string; readonly partition: string }[] | null;
  readonly parked: readonly { readonly projection: string; readonly streams: number }[] | null;
  /** The same for the relay to Kafka; none before it first ran. */
  readonly relay: readonly number[] | null;
  readonly engines: readonly EngineState[] | null;
  readonly pools: { readonly rows: readonly PoolRow[]; readonly mostAccounts: number } | null;
  readonly sessions: readonly Pick<SessionListed, 'platform' | 'status'>[] | null;
  /** The least balances of wallets, US dollars. */
  readonly balances: readonly { readonly holder: string; readonly usd: number }[] | null;
  /** When the last verified backup was made, or the log began; none for an empty log. */
  readonly backupsMs: readonly number[] | null;
  /** Whether the last run of research that ended failed; none before the first. */
  readonly research: readonly boolean[] | null;
  /** Builds that don't serve yet, by projection. */
  readonly pending: readonly { readonly projection: string; readonly builds: number }[] | null;
}

export interface FactSources {
  readonly db: Db;
  readonly log: EventLog;
  readonly builds: Builds;
  readonly lists: ListReads;
  readonly keyring: Keyring | null;
}

/** Reads everything. What fails is null, and the others are read all the same. */
export const readFacts = async (
  { db, log, builds, lists, keyring }: FactSources,
  nowMs: number = systemClock.now(),
): Promise<Facts> => {
  const secondsSince = (at: string): number => Math.max(0, (nowMs - Date.parse(at)) / 1_000);
  const facts = {
    nowMs,
    processes: listProcesses(db),
    lags: lagOf(db, log, projections).then((lags) =>
      lags
        .filter(({ build }) => build !== null)
        .map(({ projection, oldestUnprocessedAt }) => ({
          projection,
          seconds: oldestUnprocessedAt === null ? 0 : secondsSince(oldestUnprocessedAt),
        })),
    ),
    stalls: listStalls(db),
    parked: countParked(db),
    relay: relayLag(db, log, secondsSince),
    engines: asynchronous(() => readEngines(lists, builds, '1m', nowMs)),
    pools: asynchronous(async () => ({
      rows: await listPools(db, builds.schema('pools')),
      mostAccounts: (await readActiveLimits({ log })).limits.size_cap,
    })),
    sessions: listSessions({ db }, keyring),
    balances: asynchronous(() => listBalances(db, builds.schema('holders'))),
    backupsMs: backups(log),
    research: asynchronous(async () => {
      const { rows } = await db.query<{ status: string }>(sql`
        select status from ${ident(builds.schema('research'))}.runs where status <> 'running'
        order by position desc limit 1`);
      return rows.map(({ status }) => status === 'failed');
    }),
    pending: listBuilds(db).then((all) =>
      projections.map(({ name }) => ({
        projection: name,
        builds: all.filter(({ projection, status }) => projection === name && status === 'building').length,
      })),
    ),
  };
  const read = await Promise.all(
    Object.entries<unknown>(facts).map(async ([name, value]) => [name, await orNull(value)] as const),
  );
  return Object.fromEntries(read) as unknown as Facts;
};

/** A read whose beginning may throw too, for a read model that is not built. */
const asynchronous = async <T>(read: () => Promise<T>): Promise<T> => read();

const orNull = async (value: unknown): Promise<unknown> => {
  try {
    return await value;
  } catch {
    return null;
  }
};

const relayLag = async (
  db: Queryable,
  log: EventLog,
  secondsSince: (at: string) => number,
): Promise<readonly number[]> => {
  const relayed = await readRelayCheckpoint(db);
  if (relayed === null) return [];
  for await (const { events } of log.readAll(relayed.position, { raw: true, pageSize: 1 }))
    for (const { recorded_at } of events) return [secondsSince(recorded_at)];
  return [0];
};

const backups = async (log: EventLog): Promise<readonly number[]> => {
  const [last] = await log.readStream(BACKUPS_STREAM, { direction: 'backwards', limit: 1, raw: true });
  if (last !== undefined) return [Date.parse(last.recorded_at)];
  for await (const { events } of log.readAll(0n, { raw: true, pageSize: 1 }))
    for (const { recorded_at } of events) return [Date.parse(recorded_at)];
  return [];
};
